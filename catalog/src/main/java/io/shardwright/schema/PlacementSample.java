package io.shardwright.schema;

import io.shardwright.catalog.CatalogState;
import io.shardwright.catalog.SqlFailure;
import io.shardwright.config.Configuration;
import io.shardwright.config.Configuration.Group;
import io.shardwright.config.Configuration.Table;
import io.shardwright.routing.BucketFunction;
import io.shardwright.routing.ShardId;
import io.shardwright.schema.Findings.Place;
import io.shardwright.schema.PlacementReport.Kind;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Some rows of each sharded table of one shard, against the key of the file and the bucket map. The
 * rows of a whole table are wrong when its key columns are named in another order, or the shards of
 * a static map were changed; reads would then find none of them. {@link PlacementCheck} reads all.
 */
record PlacementSample(
    Configuration configuration, ShardId shard, Connection connection, Findings findings) {
  /** The first ones in the table's storage: a few pages. */
  private static final int ROWS_MAX = 1000;

  private static final String VERIFY = "shardwright verify --placement -c FILE lists all such rows";

  /**
   * Tables and columns that are not right are left to the other checks.
   *
   * @param lockTimeout how long to wait for a table that someone alters
   */
  void check(ShardSchema schema, CatalogState state, Duration lockTimeout) throws SQLException {
    ShardDatabase database = ShardDatabase.of(configuration.product());
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      for (Group group : configuration.groups().values()) {
        for (Table table : group.tables().values()) {
          Optional<BucketFunction> function =
              PlacementCheck.function(database, state, group, table, schema);
          if (function.isPresent()) {
            database.database().limitLockWait(statement, lockTimeout);
            check(
                new PlacementScan.Target(
                    database, shard, table, function.get(), state.maps().get(group.name())));
            connection.rollback();
          }
        }
      }
    } finally {
      connection.rollback();
      connection.setAutoCommit(true);
    }
  }

  private void check(PlacementScan.Target target) throws SQLException {
    PlacementTally tally = new PlacementTally(1);
    try {
      new PlacementScan(connection, target, tally).sample(ROWS_MAX);
    } catch (SQLException e) {
      if (!SqlFailure.isLockTimeout(e)) {
        throw e;
      }
      findings.problem(
          place(target),
          "table " + target.table().name() + " is locked by a long transaction and was not read",
          "run apply again when that transaction has ended");
      return;
    }
    for (Kind kind : tally.report(List.of()).violatingRows().keySet()) {
      report(kind, target);
    }
  }

  private void report(Kind kind, PlacementScan.Target target) {
    String table = "table " + target.table().name();
    String key = target.table().key().toString();
    switch (kind) {
      case WRONG_BUCKET ->
          findings.problem(
              place(target),
              table + " has rows whose bucket_id is not the bucket of their key " + key,
              "name the key columns in the order in which the rows were written, and keep buckets"
                  + " and types; if the file is right, "
                  + VERIFY);
      case WRONG_SHARD ->
          findings.problem(
              place(target),
              table + " has rows of buckets that the bucket map gives to another shard",
              "without a catalog the shards of the file, their order included, must stay as they"
                  + " were; "
                  + VERIFY);
      case NO_BUCKET ->
          findings.problem(
              place(target),
              table + " has rows whose key " + key + " has no bucket: NULL, or no value of a key",
              "correct them; " + VERIFY);
      case WRONG_GENE, WRONG_NUMBER -> throw new IllegalStateException("a sample reads no ids");
    }
  }

  private Place place(PlacementScan.Target target) {
    return Place.of(shard, target.table().name());
  }
}
