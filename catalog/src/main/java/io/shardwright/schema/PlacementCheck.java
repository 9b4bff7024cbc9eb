package io.shardwright.schema;

import io.shardwright.catalog.CatalogState;
import io.shardwright.catalog.DatabaseLogin;
import io.shardwright.config.Configuration;
import io.shardwright.config.Configuration.Group;
import io.shardwright.config.Configuration.Shard;
import io.shardwright.config.Zone;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.BucketFunction;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.BucketMap;
import io.shardwright.routing.BucketSet;
import io.shardwright.schema.Findings.Place;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Checks every row of every sharded table: its bucket is the hash of its key, its shard owns the
 * bucket, and its id names it; and whether the fence of the table is as apply makes it. All tables
 * of a shard are read in one snapshot; the map is the caller's, so a move that finishes meanwhile
 * shows as rows on the wrong shard.
 *
 * <p>Each shard groups its rows by (bucket_id, key) and streams the groups; this process hashes
 * them and keeps counts and the first violations only.
 */
public final class PlacementCheck {
  private final Configuration configuration;
  private final CatalogState state;
  private final Options options;
  private final Findings findings = new Findings();

  /**
   * How far a run goes.
   *
   * @param violationsMax listed per kind, shard and table; all are counted
   */
  public record Options(DatabaseLogin login, int violationsMax) {
    public static final Options DEFAULT =
        new Options(
            new DatabaseLogin(Duration.ofSeconds(3), Duration.ZERO, Duration.ofHours(6)), 10);
  }

  private PlacementCheck(Configuration configuration, CatalogState state, Options options) {
    this.configuration = configuration;
    this.state = state;
    this.options = options;
  }

  /** Blocks until all shards are done. */
  public static PlacementReport run(Configuration configuration, CatalogState state) {
    return run(configuration, state, Options.DEFAULT);
  }

  public static PlacementReport run(
      Configuration configuration, CatalogState state, Options options) {
    return new PlacementCheck(configuration, state, options).run();
  }

  private PlacementReport run() {
    PlacementTally tally = new PlacementTally(options.violationsMax());
    configuration.groups().values().forEach(this::checkZones);
    OnShards.each(configuration, this::check).forEach(tally::add);
    return tally.report(findings.problems());
  }

  /** One finding for each shard and zone. */
  private void checkZones(Group group) {
    BucketMap map = state.maps().get(group.name());
    for (Shard shard : configuration.shards().values()) {
      Map<Zone, BucketSet> broken = new LinkedHashMap<>();
      for (BucketId bucket : map.bucketsOf(shard.id())) {
        group
            .forbids(bucket, shard)
            .ifPresent(zone -> broken.merge(zone, BucketSet.of(List.of(bucket)), BucketSet::plus));
      }
      broken.forEach(
          (zone, buckets) ->
              findings.problem(
                  Place.of(shard.id()),
                  "buckets "
                      + buckets
                      + " of group "
                      + group.name()
                      + " are where they may not be: the labels of the shard are "
                      + Zone.text(shard.labels())
                      + ", and groups."
                      + group.name()
                      + ".zones says that "
                      + zone,
                  "run shardwright rebalance --run, which moves them first"));
    }
  }

  private PlacementTally check(Shard shard) {
    PlacementTally tally = new PlacementTally(options.violationsMax());
    try (Connection connection = options.login().open(shard.endpoint())) {
      Optional<ShardIdentity> identity = ShardIdentity.read(connection);
      if (identity.isEmpty()) {
        throw new ShardwrightException(
            ErrorCode.NOT_APPLIED,
            "shard " + shard.id() + " has no Shardwright tables; run shardwright apply -c FILE");
      }
      identity.get().check(shard.id(), state.clusterId());
      connection.setAutoCommit(false);
      connection.setReadOnly(true);
      connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      ShardSchema schema = ShardInspector.inspect(connection, tables());
      for (Group group : configuration.groups().values()) {
        check(connection, shard, group, schema, tally);
      }
      if (configuration.catalog().isPresent()) {
        new FenceChecks(configuration, shard.id(), connection, findings)
            .verify(
                FenceObjects.of(configuration), FencedTable.read(connection, configuration, state));
      }
      connection.rollback();
    } catch (ShardwrightException e) {
      findings.problem(Place.of(shard.id()), e);
    } catch (SQLException e) {
      findings.problem(Place.of(shard.id()), ShardFailure.of(shard, e));
    }
    return tally;
  }

  private void check(
      Connection connection, Shard shard, Group group, ShardSchema schema, PlacementTally tally)
      throws SQLException {
    BucketMap map = state.maps().get(group.name());
    ShardDatabase database = ShardDatabase.of(configuration.product());
    for (Configuration.Table table : group.tables().values()) {
      Optional<BucketFunction> function = function(database, state, group, table, schema);
      if (function.isEmpty()) {
        findings.problem(
            Place.of(shard.id(), table.name()),
            "table " + table.name() + " cannot be checked: it or a column of its key is not right",
            "run shardwright apply -c FILE, which says what is wrong");
        continue;
      }
      PlacementScan scan =
          new PlacementScan(
              connection,
              new PlacementScan.Target(database, shard.id(), table, function.get(), map),
              tally);
      scan.keys();
      Optional<Configuration.GeneIdColumn> id = group.id();
      if (id.isPresent()
          && schema.tables().get(table.name()).column(id.get().column()).isPresent()) {
        scan.genes(id.get());
      }
      ShardSchema.Table found = schema.tables().get(table.name());
      for (Configuration.NumberColumn number : KeyNumbers.of(group, found)) {
        if (KeyNumbers.route(number, table, found)) {
          scan.numbers(
              number.column(),
              number.texts(group.key(), function.get()),
              KeyNumbers.mayBeAdopted(group, number));
        }
      }
    }
  }

  private List<String> tables() {
    List<String> tables = new ArrayList<>();
    configuration.groups().values().forEach(group -> tables.addAll(group.tables().keySet()));
    return tables;
  }

  /** Empty when the table, its bucket_id or a column of its key is not right. */
  static Optional<BucketFunction> function(
      ShardDatabase database,
      CatalogState state,
      Group group,
      Configuration.Table table,
      ShardSchema schema) {
    Map<String, ShardSchema.Table> tables = schema.tables();
    if (!tables.containsKey(table.name())
        || tables
            .get(table.name())
            .column(ShardSchema.BUCKET_COLUMN)
            .filter(database::isBucketType)
            .isEmpty()) {
      return Optional.empty();
    }
    return KeyChecks.types(table, schema).map(types -> state.function(group, types));
  }
}
