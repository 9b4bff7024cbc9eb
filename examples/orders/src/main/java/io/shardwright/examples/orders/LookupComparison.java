package io.shardwright.examples.orders;

import io.shardwright.config.Configuration;
import io.shardwright.config.ConfigurationReader;
import io.shardwright.driver.LookupIndexes;
import io.shardwright.driver.Shardwright;
import io.shardwright.driver.ShardwrightDataSource;
import io.shardwright.driver.StatementListener;
import io.shardwright.driver.StatementTrace;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.ids.NodeLease;
import io.shardwright.ids.OrderNumberFormat;
import io.shardwright.ids.OrderNumberGenerator;
import io.shardwright.routing.BucketFunction;
import io.shardwright.schema.Apply;
import io.shardwright.schema.ApplyReport;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * An order is asked for by a number that says nothing of its buyer: sent to every shard, through a
 * lookup index, with the index's cache; and by ones that do, an id with a gene and an order number.
 * On databases of its own, as many as shards, on the servers of the demo.
 */
final class LookupComparison {
  private static final List<Integer> SHARDS = List.of(4, 8, 16);

  private static final int ORDERS = 400;
  private static final int CALLS = 400;
  private static final int WARM_UP = 100;
  private static final long SEED = 2011;

  private static final String TABLE =
      """
      CREATE TABLE orders (
        bucket_id int NOT NULL, order_id bigint NOT NULL, buyer_id bigint NOT NULL,
        order_no text NOT NULL, cached_no text NOT NULL, plain_no text NOT NULL,
        readable_no text COLLATE "C" NOT NULL,
        PRIMARY KEY (bucket_id, order_id));
      CREATE INDEX orders_buyer ON orders (bucket_id, buyer_id);
      CREATE INDEX orders_readable ON orders (bucket_id, readable_no);
      CREATE INDEX orders_order_no ON orders (order_no);
      CREATE INDEX orders_cached_no ON orders (cached_no);
      CREATE INDEX orders_plain_no ON orders (plain_no)\
      """;

  private static final String GROUP =
      """
      scatter: {reads: allow}
      groups:
        orders:
          key: [buyer_id]
          buckets: 1024
          id:
          - {column: order_id, type: gene}
          - {column: readable_no, type: order_number, prefix: SO}
          tables: {orders: {}}
          indexes:
            by_order_no: {columns: [order_no], unique: true}
            by_cached_no: {columns: [cached_no], unique: true, cache: {}}
      """;

  private final DemoShards servers;
  private final Random random = new Random(SEED);
  private final List<DemoReport.Lookup> results = new ArrayList<>();

  /** What was inserted; at one position are the id and the numbers of one order. */
  private record Orders(List<Long> ids, List<String> numbers, List<String> readable) {}

  LookupComparison(DemoShards servers) {
    this.servers = servers;
  }

  List<DemoReport.Lookup> run() throws SQLException {
    for (int shards : SHARDS) {
      run(shards);
    }
    return results;
  }

  private void run(int shards) throws SQLException {
    String yaml = servers.moreShards("lookup" + shards, shards, TABLE) + GROUP;
    Configuration configuration = ConfigurationReader.parse("lookups", yaml, Map.of());
    ApplyReport applied = Apply.run(configuration, Apply.Options.DEFAULT);
    if (!applied.ok()) {
      throw new ShardwrightException(
          ErrorCode.SCHEMA_INVALID, "the schema of the comparison: " + applied.problems());
    }
    try (ShardwrightDataSource database = Shardwright.open(configuration)) {
      Orders orders = insert(database);
      LookupIndexes indexes = database.lookupIndexes();
      for (String index : indexes.names()) {
        indexes.create(index, 0, (done, all, report) -> {});
      }
      Measured to = new Measured(database, shards, orders.ids());
      to.measure("every shard", "plain_no", orders.numbers());
      to.measure("lookup index", "order_no", orders.numbers());
      to.measure("lookup index, cached", "cached_no", orders.numbers());
      to.measure("gene of the id", "order_id", orders.ids());
      to.measure("bucket in the number", "readable_no", orders.readable());
    }
  }

  private static Orders insert(ShardwrightDataSource database) throws SQLException {
    List<Long> ids = new ArrayList<>();
    List<String> numbers = new ArrayList<>();
    List<String> readable = new ArrayList<>();
    BucketFunction buckets =
        database.schema().table("orders").orElseThrow().sharding().orElseThrow().function();
    OrderNumberGenerator generator =
        new OrderNumberGenerator(
            new OrderNumberFormat("SO", buckets.buckets()),
            Configuration.Group.GENERATION,
            NodeLease.fixed(0),
            InstantSource.system());
    try (Connection connection = database.getConnection();
        PreparedStatement insert =
            connection.prepareStatement(
                "INSERT INTO orders (buyer_id, order_no, cached_no, plain_no, readable_no)"
                    + " VALUES (?, ?, ?, ?, ?)",
                new String[] {"order_id"})) {
      for (int i = 0; i < ORDERS; i++) {
        String number = "N-" + (1_000_000 + i * 7919L);
        insert.setLong(1, i);
        insert.setString(2, number);
        insert.setString(3, number);
        insert.setString(4, number);
        readable.add(generator.next(buckets.bucket(List.of((long) i)).orElseThrow()));
        insert.setString(5, readable.get(i));
        insert.executeUpdate();
        try (ResultSet keys = insert.getGeneratedKeys()) {
          keys.next();
          ids.add(keys.getLong(1));
        }
        numbers.add(number);
      }
    }
    return new Orders(ids, numbers, readable);
  }

  /** One data source. */
  private final class Measured {
    private final ShardwrightDataSource database;
    private final int shards;
    private final List<Long> ids;

    Measured(ShardwrightDataSource database, int shards, List<Long> ids) {
      this.database = database;
      this.shards = shards;
      this.ids = ids;
    }

    void measure(String way, String column, List<?> values) throws SQLException {
      String sql = "SELECT order_id FROM orders WHERE " + column + " = ?";
      // Each value once, so that a cache knows them.
      for (int i = 0; i < values.size(); i++) {
        ask(sql, values, i);
      }
      for (int i = 0; i < WARM_UP; i++) {
        ask(sql, values, random.nextInt(values.size()));
      }
      Histogram nanos = new Histogram(TimeUnit.MINUTES.toNanos(1), 3);
      List<StatementTrace> traces = new ArrayList<>();
      StatementListener listener = traces::add;
      database.addListener(listener);
      try {
        for (int i = 0; i < CALLS; i++) {
          long start = System.nanoTime();
          ask(sql, values, random.nextInt(values.size()));
          nanos.recordValue(Math.min(System.nanoTime() - start, nanos.getHighestTrackableValue()));
        }
      } finally {
        database.removeListener(listener);
      }
      results.add(
          new DemoReport.Lookup(
              shards,
              way,
              (double) traces.stream().mapToLong(StatementTrace::physicalStatements).sum()
                  / traces.size(),
              traces.stream().mapToInt(trace -> trace.shards().size()).max().orElse(0),
              TimeUnit.NANOSECONDS.toMicros(nanos.getValueAtPercentile(50)),
              TimeUnit.NANOSECONDS.toMicros(nanos.getValueAtPercentile(99))));
    }

    private void ask(String sql, List<?> values, int order) throws SQLException {
      try (Connection connection = database.getConnection();
          PreparedStatement select = connection.prepareStatement(sql)) {
        select.setObject(1, values.get(order));
        try (ResultSet row = select.executeQuery()) {
          if (!row.next() || row.getLong(1) != ids.get(order) || row.next()) {
            throw new ShardwrightException(
                ErrorCode.INVARIANT_BROKEN, "another order than was asked for: " + sql);
          }
        }
      }
    }
  }
}
