package io.shardwright.schema;

import io.shardwright.catalog.TestingConfiguration;
import io.shardwright.config.Configuration;
import io.shardwright.testkit.EmbeddedMariaDbServer;
import io.shardwright.testkit.EmbeddedPostgresServer;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/** Databases for a small order group, a catalog among them if asked for. */
record OrderShards(Optional<String> catalog, List<String> shards) {
  static final String GROUPS =
      """
      groups:
        orders:
          key: [tenant_id, buyer_id]
          buckets: 1024
          id: {column: order_id}
          tables:
            orders:
            items: {key: [tenant, buyer]}
      reference: [countries]
      """;

  /**
   * Messages from one place at which apply is cut off to the next; 1 cuts it everywhere, for
   * minutes.
   */
  static final int CUT_STEP = Integer.getInteger("shardwright.apply.step", 37);

  /** With a lookup index, for which there has to be a catalog. */
  static final String WITH_INDEX =
      GROUPS.replace(
          "    tables:",
          "    indexes: {by_status: {columns: [status], unique: true}}\n    tables:");

  static final String TABLES =
      """
      CREATE TABLE countries (code text PRIMARY KEY, name text NOT NULL);
      CREATE TABLE orders (
        bucket_id int NOT NULL, order_id bigint NOT NULL, tenant_id bigint NOT NULL,
        buyer_id text NOT NULL, country text REFERENCES countries, status varchar(20) NOT NULL,
        created_at timestamptz NOT NULL,
        PRIMARY KEY (bucket_id, order_id)
      );
      CREATE INDEX orders_key ON orders (bucket_id, tenant_id, buyer_id);
      CREATE TABLE items (
        bucket_id int NOT NULL, order_id bigint NOT NULL, line int NOT NULL, tenant int NOT NULL,
        buyer varchar(40) NOT NULL,
        PRIMARY KEY (bucket_id, order_id, line),
        FOREIGN KEY (bucket_id, order_id) REFERENCES orders
      );
      CREATE INDEX items_key ON items (tenant, buyer)\
      """;

  static final String MARIADB_TABLES =
      """
      CREATE TABLE countries (code varchar(10) PRIMARY KEY, name text NOT NULL);
      CREATE TABLE orders (
        bucket_id int NOT NULL, Order_ID bigint NOT NULL, tenant_id bigint NOT NULL,
        buyer_id varchar(40) COLLATE utf8mb4_nopad_bin NOT NULL, country varchar(10),
        status varchar(20) NOT NULL, created_at datetime(6) NOT NULL,
        PRIMARY KEY (bucket_id, order_id), KEY orders_key (bucket_id, tenant_id, buyer_id),
        CONSTRAINT orders_country FOREIGN KEY (country) REFERENCES countries (code)
      );
      CREATE TABLE items (
        bucket_id int NOT NULL, order_id bigint NOT NULL, line int NOT NULL, tenant int NOT NULL,
        buyer varchar(40) COLLATE utf8mb4_nopad_bin NOT NULL,
        PRIMARY KEY (bucket_id, order_id, line), KEY items_key (tenant, buyer),
        CONSTRAINT items_order FOREIGN KEY (bucket_id, order_id)
          REFERENCES orders (bucket_id, order_id)
      )\
      """;

  /** Databases are slow to create: tests share them, each in schemas of its own. */
  private static final List<String> DATABASES = new ArrayList<>();

  private static final AtomicInteger SCHEMAS = new AtomicInteger();

  /** Without tables, and without catalog. */
  static OrderShards create(int shards) {
    List<String> urls = new ArrayList<>();
    for (int i = 0; i < shards; i++) {
      urls.add(schema(i));
    }
    return new OrderShards(Optional.empty(), urls);
  }

  /** The same on MariaDB. */
  static OrderShards mariaDb(int shards) {
    List<String> urls = new ArrayList<>();
    for (int i = 0; i < shards; i++) {
      urls.add(EmbeddedMariaDbServer.shared().createDatabase("shard"));
    }
    return new OrderShards(Optional.empty(), urls);
  }

  OrderShards withCatalog() {
    return new OrderShards(
        Optional.of(
            isMariaDb()
                ? EmbeddedMariaDbServer.shared().createDatabase("catalog")
                : schema(shards.size())),
        shards);
  }

  private boolean isMariaDb() {
    return shards.get(0).startsWith("jdbc:mariadb:");
  }

  private static String schema(int database) {
    String name = "t" + SCHEMAS.incrementAndGet();
    synchronized (DATABASES) {
      while (DATABASES.size() <= database) {
        DATABASES.add(EmbeddedPostgresServer.shared().createDatabase("shard"));
      }
      try {
        TestingConfiguration.execute(DATABASES.get(database), "CREATE SCHEMA " + name);
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
      return DATABASES.get(database) + "?currentSchema=" + name;
    }
  }

  OrderShards withTables() throws SQLException {
    return everywhere(isMariaDb() ? MARIADB_TABLES : TABLES);
  }

  OrderShards everywhere(String sql) throws SQLException {
    for (String url : shards) {
      TestingConfiguration.execute(url, sql);
    }
    return this;
  }

  OrderShards on(int shard, String sql) throws SQLException {
    TestingConfiguration.execute(shards.get(shard), sql);
    return this;
  }

  void removeOwnObjects() throws SQLException {
    for (String table :
        List.of(
            "list",
            "job",
            "index",
            "driver",
            "state",
            "node",
            "sequence",
            "directory",
            "map_range",
            "map_version",
            "table",
            "group",
            "meta")) {
      TestingConfiguration.execute(
          catalog.orElseThrow(), "DROP TABLE IF EXISTS shardwright_" + table);
    }
    everywhere(
        "DROP TABLE IF EXISTS shardwright_shard, shardwright_ddl,"
            + " shardwright_entry_orders_by_status, shardwright_claim_orders_by_status,"
            + " shardwright_change_orders_by_status;ALTER TABLE orders DROP CONSTRAINT IF EXISTS"
            + " shardwright_gene_orders;ALTER TABLE items DROP CONSTRAINT IF EXISTS"
            + " shardwright_gene_items;"
            + "DROP TABLE IF EXISTS shardwright_bucket, shardwright_capture_orders,"
            + " shardwright_capture_items, shardwright_capture_shardwright_entry_orders_by_status;"
            + dropFence("orders")
            + dropFence("items"));
  }

  private String dropFence(String table) {
    return isMariaDb()
        ? "DROP TRIGGER IF EXISTS `~shardwright_insert_%1$s`;DROP TRIGGER IF EXISTS"
            + " `~shardwright_update_%1$s`;DROP TRIGGER IF EXISTS `~shardwright_delete_%1$s`;"
                .formatted(table)
        : PostgresFence.functions(table).stream()
            .map("DROP FUNCTION IF EXISTS %s CASCADE;"::formatted)
            .collect(Collectors.joining());
  }

  List<String> query(int shard, String sql) throws SQLException {
    return TestingConfiguration.query(shards.get(shard), sql);
  }

  Configuration configuration() {
    return configuration(GROUPS);
  }

  Configuration configuration(String groups) {
    return TestingConfiguration.of(catalog.orElse(""), shards, groups);
  }

  ApplyReport apply() {
    return applyWith(GROUPS);
  }

  ApplyReport applyWith(String groups) {
    return Apply.run(configuration(groups), Apply.Options.DEFAULT);
  }
}
