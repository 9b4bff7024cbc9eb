package io.shardwright.advisor.review;

import io.shardwright.advisor.logs.LogFormat.Family;
import io.shardwright.advisor.logs.LogRecord;
import io.shardwright.advisor.review.DatabaseFacts.Compared;
import io.shardwright.advisor.review.DatabaseFacts.GroupHeat;
import io.shardwright.advisor.review.DatabaseFacts.Heat;
import io.shardwright.advisor.review.DatabaseFacts.IndexFacts;
import io.shardwright.advisor.review.DatabaseFacts.MoveFacts;
import io.shardwright.advisor.review.DatabaseFacts.Rows;
import io.shardwright.catalog.IndexState;
import io.shardwright.catalog.MoveState;
import io.shardwright.config.Configuration;
import io.shardwright.config.ConfigurationReader;
import io.shardwright.errors.ErrorCode;
import io.shardwright.routing.BucketMap;
import io.shardwright.routing.ShardId;
import io.shardwright.schema.Finding;
import io.shardwright.schema.SchemaCheck;
import io.shardwright.schema.SchemaCheck.Topic;
import io.shardwright.schema.ShardSchema;
import io.shardwright.schema.ShardSchema.Column;
import io.shardwright.schema.ShardSchema.Index;
import io.shardwright.schema.ShardSchema.Ordering;
import io.shardwright.schema.ShardSchema.Source;
import io.shardwright.schema.ShardSchema.Table;
import io.shardwright.schema.ShardSchema.Unique;
import io.shardwright.schema.ShardSchema.UniqueKind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;

/** A system in which every rule that can be seen is fulfilled, until a test changes something. */
final class TestingFacts {
  static final int BUCKETS = 1024;
  private static final int ORDERS = 1_000;

  String yaml =
      """
      version: 1
      catalog: {url: "jdbc:postgresql://h/catalog", user: app}
      shards:
        s0: {url: "jdbc:postgresql://h/s0", user: app}
        s1: {url: "jdbc:postgresql://h/s1", user: app}
        s2: {url: "jdbc:postgresql://h/s2", user: app}
        s3: {url: "jdbc:postgresql://h/s3", user: app}
      groups:
        orders:
          key: [buyer_id]
          buckets: 1024
          id: {column: order_id, type: gene, genes: 4096}
          tables:
            orders: {unique: {orders_no: index}}
            order_items: {}
          indexes:
            by_no: {table: orders, columns: [order_no], unique: true}
          invariants:
          - {name: no_negative, sql: "SELECT order_id FROM orders WHERE amount < 0 AND bucket_id IN (:buckets)"}
      mover: {user: mover}
      warn_shards: 1
      query:
        cursor_keys: ["0123456789abcdef0123456789abcdef"]
        directory: exports
        tables:
          orders: {id: [order_id], times: {created: created_at, updated: updated_at}}
        roles:
          support: {}
        tokens:
        - {name: desk, role: support, hash: "sha256:0000000000000000000000000000000000000000000000000000000000000000"}
      """;

  /** Of the unchanged log, by file: tests that change something else need not read it again. */
  private static final Map<String, LogFacts> READ = new ConcurrentHashMap<>();

  private final List<LogRecord> log = new ArrayList<>();
  private boolean hasOtherLog;
  private Instant now = Instant.parse("2026-01-05T00:00:00Z");
  boolean hasLog = true;
  boolean hasDatabases = true;

  final Map<Topic, List<Finding>> problems = new EnumMap<>(Topic.class);
  final Map<Topic, List<Finding>> warnings = new EnumMap<>(Topic.class);
  final Map<String, Table> tables = new LinkedHashMap<>();
  final List<Long> rows = new ArrayList<>(Collections.nCopies(BUCKETS, 1_000_000L));
  final Map<String, Integer> partitions = new LinkedHashMap<>(Map.of("orders", 24));
  final List<MoveFacts> moves = new ArrayList<>();
  final List<IndexFacts> indexes = new ArrayList<>();
  long bytes = 2L << 40;
  GroupHeat heat = new GroupHeat(1_000_000, 1_000, 1.05, 17, 0.002);
  Optional<Integer> pendingDdl = Optional.of(0);
  boolean hasCatalog = true;
  List<String> readShards = List.of("s0", "s1", "s2", "s3");

  TestingFacts() {
    for (Topic topic : Topic.values()) {
      problems.put(topic, List.of());
      warnings.put(topic, List.of());
    }
    table(
        "orders",
        "buyer_id",
        "order_id",
        "order_no",
        "status",
        "amount",
        "created_at",
        "updated_at");
    table("order_items", "buyer_id", "order_id", "sku");
    moves.add(
        new MoveFacts(
            1, "orders", MoveState.ROLLED_BACK, true, Optional.of(new Compared(900, 0, 0))));
    indexes.add(index(IndexState.READABLE, Duration.ofHours(3), "900 rows, 0 had no entry"));
    for (int i = 0; i < ORDERS; i++) {
      int buyer = i * 7919 % 100_003;
      write("BEGIN");
      write(
          "INSERT INTO orders (order_id, order_no, buyer_id, amount) VALUES (%d, 'n%d', %d, 5)"
              .formatted(i, i, buyer));
      write(
          "INSERT INTO order_items (order_id, buyer_id, sku) VALUES (%d, %d, 1)"
              .formatted(i, buyer));
      write(
          "UPDATE orders SET status = 2 WHERE order_id = %d AND buyer_id = %d".formatted(i, buyer));
      write("COMMIT");
      write(
          "SELECT * FROM orders WHERE buyer_id = %d ORDER BY created_at DESC, order_id DESC LIMIT 20"
              .formatted(buyer));
      write("SELECT * FROM orders WHERE order_id = %d".formatted(i));
      if (i % 2 == 0) {
        write("SELECT * FROM orders WHERE order_no = 'n%d'".formatted(i));
      }
    }
  }

  /** Every column but amount and status begins an index. */
  private void table(String name, String... columns) {
    List<Column> all = new ArrayList<>();
    List<Index> indexes = new ArrayList<>();
    for (String column : columns) {
      all.add(column(column, Source.NOTHING));
      if (!column.equals("amount") && !column.equals("status")) {
        indexes.add(new Index(name + "_" + column, List.of("bucket_id", column), false, false));
      }
    }
    tables.put(
        name,
        new Table(
            name,
            all,
            List.of(
                new Unique(
                    name + "_pkey", UniqueKind.PRIMARY_KEY, List.of("bucket_id", "order_id"))),
            List.of(),
            List.of(),
            indexes));
  }

  static Column column(String name, Source source) {
    return new Column(
        name,
        "bigint",
        "int8",
        OptionalInt.empty(),
        false,
        source,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Ordering.NATURAL);
  }

  static IndexFacts index(IndexState state, Duration since, String result) {
    return new IndexFacts("orders.by_no", state, Optional.ofNullable(since), result);
  }

  TestingFacts replace(String text, String by) {
    if (!yaml.contains(text)) {
      throw new AssertionError("not in the file: " + text);
    }
    yaml = yaml.replace(text, by);
    return this;
  }

  /** Without a section of the file: from its first line to the line before {@code next}. */
  TestingFacts without(String first, String next) {
    int from = yaml.indexOf(first);
    int to = next.isEmpty() ? yaml.length() : yaml.indexOf(next);
    yaml = yaml.substring(0, from) + yaml.substring(to);
    return this;
  }

  /** A statement a second, of one session, as often as given. */
  TestingFacts log(String sql, int times) {
    hasOtherLog = true;
    for (int i = 0; i < times; i++) {
      write(sql);
    }
    return this;
  }

  TestingFacts noLog() {
    log.clear();
    return this;
  }

  private void write(String sql) {
    now = now.plusSeconds(100);
    log.add(
        new LogRecord(
            log.size() + 1L,
            Optional.of(now),
            Optional.empty(),
            Optional.empty(),
            OptionalLong.empty(),
            OptionalLong.empty(),
            OptionalLong.empty(),
            Optional.empty(),
            Optional.of("1"),
            Optional.empty(),
            Optional.empty(),
            sql,
            List.of(),
            1));
  }

  TestingFacts problem(Topic topic, String message) {
    problems.put(
        topic,
        List.of(
            new Finding(
                ErrorCode.SCHEMA_INVALID,
                List.of(new ShardId("s1")),
                Optional.of("orders"),
                message,
                "correct it")));
    return this;
  }

  Facts facts() {
    Configuration configuration = ConfigurationReader.parse("test.yaml", yaml, Map.of());
    Map<ShardId, ShardSchema> schemas = new LinkedHashMap<>();
    for (String shard : readShards) {
      schemas.put(new ShardId(shard), new ShardSchema(settings(), tables, List.of()));
    }
    Map<String, BucketMap> maps =
        hasCatalog
            ? Map.of("orders", BucketMap.initial("orders", BUCKETS, configuration.shardIds()))
            : Map.of();
    DatabaseFacts databases =
        new DatabaseFacts(
            List.of(),
            new SchemaCheck.Report(schemas, problems, warnings),
            maps,
            Map.of("orders", new Rows(rows, bytes)),
            partitions,
            Optional.of(new Heat(Duration.ofHours(20), Map.of("orders", heat))),
            moves,
            indexes,
            pendingDdl);
    LogFacts logs =
        hasOtherLog
            ? read(configuration)
            : READ.computeIfAbsent(yaml, unchanged -> read(configuration));
    return new Facts(
        configuration,
        hasDatabases ? Optional.of(databases) : Optional.empty(),
        hasLog ? Optional.of(logs) : Optional.empty());
  }

  private LogFacts read(Configuration configuration) {
    return LogReview.read(
        configuration,
        sink -> {
          log.forEach(record -> sink.accept(record, Family.POSTGRESQL));
          return List.of();
        });
  }

  private static ShardSchema.ServerSettings settings() {
    return new ShardSchema.ServerSettings(
        "17.2", "17", Optional.of("UTC"), "UTF8", "libc C", Optional.empty(), Map.of());
  }
}
