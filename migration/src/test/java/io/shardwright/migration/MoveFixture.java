package io.shardwright.migration;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.catalog.Catalog;
import io.shardwright.catalog.CatalogMoves;
import io.shardwright.catalog.Move;
import io.shardwright.catalog.Move.Options;
import io.shardwright.catalog.MoveState;
import io.shardwright.config.Configuration;
import io.shardwright.config.Configuration.Endpoint;
import io.shardwright.config.ConfigurationReader;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.BucketMap;
import io.shardwright.routing.BucketSet;
import io.shardwright.routing.ShardId;
import io.shardwright.schema.Apply;
import io.shardwright.schema.ApplyReport;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Three shards with a group of two tables, and a catalog: databases of their own for each test. */
abstract class MoveFixture {
  static final int BUCKETS = 64;
  static final ShardId S0 = new ShardId("s0");
  static final ShardId S1 = new ShardId("s1");
  static final ShardId S2 = new ShardId("s2");
  static final List<ShardId> SHARDS = List.of(S0, S1, S2);

  String yaml;
  Configuration configuration;
  Catalog catalog;
  CatalogMoves moves;

  abstract MoveServer server();

  List<ShardId> shards() {
    return SHARDS;
  }

  String tables() {
    return server().tables();
  }

  @BeforeEach
  void createShards() throws SQLException {
    StringBuilder text = new StringBuilder("version: 1\n");
    text.append(endpoint("catalog", newDatabase("catalog"))).append("shards:\n");
    for (ShardId shard : shards()) {
      text.append("  ").append(endpoint(shard.name(), newDatabase(shard.name())));
    }
    text.append("mover: {user: ")
        .append(MoveServer.MOVER)
        .append(", password: ")
        .append(MoveServer.MOVER_PASSWORD);
    text.append("}\n").append(groups());
    yaml = text.toString();
    configuration = ConfigurationReader.parse("test.yaml", yaml, Map.of());
    for (ShardId shard : shards()) {
      try (Connection connection = connect(shard)) {
        server().createMover(connection);
      }
    }
    apply();
    for (ShardId shard : shards()) {
      for (String statement : tables().split(";", -1)) {
        execute(shard, statement);
      }
    }
    assertThat(apply().problems()).isEmpty();
    catalog = Catalog.open(configuration);
    moves = new CatalogMoves(configuration);
  }

  /**
   * @param name of the shard, or {@code catalog}
   */
  String newDatabase(String name) {
    return server().newDatabase();
  }

  String groups() {
    return "groups:\n  orders:\n    key: [buyer_id]\n    buckets: "
        + BUCKETS
        + "\n    tables: {orders: , items: }\n";
  }

  private String endpoint(String name, String url) {
    return name
        + ": {url: \""
        + url
        + "\", user: "
        + server().user()
        + ", password: \""
        + server().password()
        + "\"}\n";
  }

  @AfterEach
  void closeCatalog() {
    moves.close();
    catalog.close();
  }

  ApplyReport apply() {
    return Apply.run(configuration, Apply.Options.DEFAULT);
  }

  Connection connect(ShardId shard) throws SQLException {
    Endpoint endpoint = configuration.shards().get(shard).endpoint();
    return DriverManager.getConnection(endpoint.url(), endpoint.user(), endpoint.password());
  }

  void execute(ShardId shard, String sql) throws SQLException {
    try (Connection connection = connect(shard);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Rows as text, in the order of their texts. */
  List<String> rows(ShardId shard, String sql) throws SQLException {
    List<String> rows = new ArrayList<>();
    try (Connection connection = connect(shard);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      while (row.next()) {
        StringBuilder text = new StringBuilder();
        for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
          text.append(i == 1 ? "" : "|").append(row.getString(i));
        }
        rows.add(text.toString());
      }
    }
    rows.sort(null);
    return rows;
  }

  ShardId owner(int bucket) {
    return map().shardOf(new BucketId(bucket));
  }

  BucketMap map() {
    return catalog.load().maps().get("orders");
  }

  /** An order of so many lines, on the shard that owns its bucket. */
  void insert(int bucket, int order, int lines) throws SQLException {
    ShardId shard = owner(bucket);
    execute(
        shard,
        "INSERT INTO orders (bucket_id, buyer_id, order_id, order_no, amount, note) VALUES ("
            + bucket
            + ", "
            + bucket
            + ", "
            + order
            + ", 'N"
            + order
            + "', 1.50, 'n')");
    for (int line = 1; line <= lines; line++) {
      execute(
          shard,
          "INSERT INTO items (bucket_id, buyer_id, order_id, line, amount) VALUES ("
              + bucket
              + ", "
              + bucket
              + ", "
              + order
              + ", "
              + line
              + ", 0.50)");
    }
  }

  Move move(BucketSet buckets, ShardId target) {
    return moves.create("orders", buckets, target, Options.DEFAULT).get(0);
  }

  MoveState run(Move move) {
    return run(move, Steps.NONE);
  }

  MoveState run(Move move, Steps steps) {
    try (MoveWorker worker = new MoveWorker(configuration, "worker", steps, chunkRows())) {
      return worker.run(move.id()).orElseThrow();
    }
  }

  /** Few, so that there are many chunks. */
  int chunkRows() {
    return 7;
  }

  /** Of all shards together, what belongs to the owners' buckets; by table. */
  Map<String, List<String>> owned() throws SQLException {
    Map<String, List<String>> owned = new TreeMap<>();
    for (ShardId shard : shards()) {
      for (String table : List.of("orders", "items")) {
        BucketSet buckets = BucketSet.of(map().bucketsOf(shard));
        owned
            .computeIfAbsent(table, name -> new ArrayList<>())
            .addAll(
                buckets.isEmpty()
                    ? List.of()
                    : rows(
                        shard,
                        "SELECT * FROM " + table + " WHERE " + MoverConnection.ofBuckets(buckets)));
      }
    }
    owned.values().forEach(rows -> rows.sort(null));
    return owned;
  }

  /** Nothing is left of a move: each row is where its owner is, and no note of a change. */
  void assertClean() throws SQLException {
    for (ShardId shard : shards()) {
      BucketSet owned = BucketSet.of(map().bucketsOf(shard));
      String others = owned.isEmpty() ? "1 = 1" : "NOT " + MoverConnection.ofBuckets(owned);
      for (String table : List.of("orders", "items")) {
        assertThat(rows(shard, "SELECT * FROM " + table + " WHERE " + others)).isEmpty();
        assertThat(rows(shard, "SELECT * FROM shardwright_capture_" + table)).isEmpty();
      }
      assertThat(
              rows(
                  shard,
                  "SELECT bucket, state FROM shardwright_bucket WHERE grp = 'orders' AND"
                      + " (captured OR foreign_rows OR state NOT IN ('open', 'away') OR"
                      + " (state = 'open') <> ("
                      + (owned.isEmpty() ? "1 = 0" : MoverConnection.among("bucket", owned))
                      + "))"))
          .isEmpty();
    }
    assertThat(catalog.load().announced()).isEmpty();
  }
}
