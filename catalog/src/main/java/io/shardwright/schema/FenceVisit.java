package io.shardwright.schema;

import io.shardwright.catalog.CatalogState;
import io.shardwright.catalog.Database;
import io.shardwright.catalog.SqlFailure;
import io.shardwright.config.Configuration;
import io.shardwright.config.Configuration.Shard;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.BucketMap;
import io.shardwright.schema.FenceObjects.Condition;
import io.shardwright.schema.Findings.Place;
import io.shardwright.schema.IndexObjects.LockWait;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.TreeMap;

/**
 * Makes the fence of one shard, for {@link Apply}: the rows of its buckets, and the triggers of all
 * tables that there are. Rows that exist are left alone: they are the movers' from then on.
 */
record FenceVisit(Configuration configuration, Shard shard, CatalogState state, Findings findings) {
  private static final String VERIFY =
      "apply has made it anew; writes were not checked meanwhile: run shardwright verify"
          + " --placement -c FILE";

  void look(Apply.Options options, ShardObjects.Log objects) {
    Place place = Place.of(shard.id());
    try (Connection connection = options.login().open(shard.endpoint())) {
      try (Statement statement = connection.createStatement()) {
        Database.of(configuration.product()).limitLockWait(statement, options.lockTimeout());
      }
      for (BucketMap map : new TreeMap<>(state.maps()).values()) {
        boolean made = FenceRows.install(database(), connection, shard.id(), map);
        objects.add(made, named("buckets of " + map.group()));
      }
      checkServer(connection, place);
      FenceObjects fence = FenceObjects.of(configuration);
      fence.installShared(connection);
      LockWait wait = options.lockWait();
      List<FencedTable> tables = FencedTable.read(connection, configuration, state);
      for (FencedTable table : tables) {
        ensure(connection, fence, table, wait, objects);
      }
      new MoverGrants(configuration, shard.id(), connection, findings).give(tables, objects);
      new FenceChecks(configuration, shard.id(), connection, findings).check(fence, tables);
    } catch (ShardwrightException e) {
      findings.problem(place, e);
    } catch (SQLException e) {
      findings.problem(place, ShardFailure.of(shard, e));
    }
  }

  private void checkServer(Connection connection, Place place) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT count(*) FROM "
                    + Fence.BUCKET_TABLE
                    + " WHERE incarnation <> (SELECT "
                    + database().incarnation()
                    + ")")) {
      row.next();
      if (row.getLong(1) > 0) {
        findings.problem(
            ErrorCode.SHARD_INCARNATION,
            place,
            "the shard was failed over, or restored: its server is not the one on which "
                + row.getLong(1)
                + " rows of shardwright_bucket were recorded, and nobody uses it",
            configuration.mover().isPresent()
                ? "shardwright apply -c FILE compares it with the catalog and lets it be used again"
                : "name a mover in shardwright.yaml (docs/moves.md, Grants), who compares it with"
                    + " the catalog, then run shardwright apply -c FILE");
      }
    }
  }

  private void ensure(
      Connection connection,
      FenceObjects fence,
      FencedTable table,
      LockWait wait,
      ShardObjects.Log objects)
      throws SQLException {
    Place place = Place.of(shard.id(), table.name());
    Condition condition = fence.inspect(connection, table);
    boolean made = false;
    if (condition != Condition.GOOD) {
      try {
        made = fence.install(connection, table, wait);
      } catch (SQLException e) {
        if (!SqlFailure.isLockTimeout(e)) {
          throw e;
        }
        findings.problem(
            ErrorCode.DDL_INCOMPLETE,
            place,
            "table "
                + table.name()
                + " is locked by a long transaction, so the triggers of its fence could not be"
                + " added",
            "run apply again when that transaction has ended");
        return;
      }
    }
    objects.add(made, named("fence of table " + table.name()));
    String what =
        switch (condition) {
          case MISSING -> "was not complete";
          case DISABLED -> "was disabled";
          case CHANGED -> "was not as apply makes it: changed, or the table's key was";
          case GOOD, NONE, OLD -> "";
        };
    if (made && !what.isEmpty()) {
      findings.warning(place, "the fence of table " + table.name() + " " + what, VERIFY);
    }
  }

  private String named(String object) {
    return "shard " + shard.id() + ": " + object;
  }

  private ShardDatabase database() {
    return ShardDatabase.of(configuration.product());
  }
}
