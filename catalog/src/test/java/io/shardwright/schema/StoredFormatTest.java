package io.shardwright.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.catalog.BucketHeat;
import io.shardwright.catalog.Catalog;
import io.shardwright.catalog.CatalogHeat;
import io.shardwright.catalog.CatalogIds;
import io.shardwright.catalog.CatalogMoves;
import io.shardwright.catalog.Database;
import io.shardwright.catalog.IndexName;
import io.shardwright.catalog.Move;
import io.shardwright.catalog.MoveState;
import io.shardwright.catalog.TestingConfiguration;
import io.shardwright.config.DatabaseProduct;
import io.shardwright.config.IndexKind;
import io.shardwright.routing.BucketFunction;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.BucketSet;
import io.shardwright.routing.Directory;
import io.shardwright.routing.GeneIdLayout;
import io.shardwright.routing.HashAlgorithm;
import io.shardwright.routing.KeyType;
import io.shardwright.routing.ShardId;
import io.shardwright.schema.ShardSchema.Column;
import io.shardwright.schema.ShardSchema.Ordering;
import io.shardwright.schema.ShardSchema.Source;
import io.shardwright.schema.ShardSchema.Table;
import io.shardwright.schema.ShardSchema.Unique;
import io.shardwright.schema.ShardSchema.UniqueKind;
import io.shardwright.testkit.EmbeddedPostgresServer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/**
 * What is stored is a contract with every other release. When this test fails, do not change the
 * expected text: make a new format number that reads the old one, and a new file beside it.
 */
class StoredFormatTest {
  private static final List<String> CATALOG_TABLES =
      List.of(
          "shardwright_meta",
          "shardwright_group",
          "shardwright_table",
          "shardwright_map_version",
          "shardwright_map_range",
          "shardwright_index",
          "shardwright_list",
          "shardwright_driver",
          "shardwright_state",
          "shardwright_node",
          "shardwright_sequence",
          "shardwright_move",
          "shardwright_heat",
          "shardwright_move_stage",
          "shardwright_directory");
  private static final List<String> SHARD_TABLES = List.of("shardwright_shard", "shardwright_ddl");

  private static final String WITH_INDEXES =
      OrderShards.WITH_INDEX
          .replace(
              "unique: true}}",
              "unique: true}, by_country: {columns: [country, created_at], unique: false,"
                  + " covering: {status: stale-ok}, spread: {giants: 4}}}")
          .replace(
              "    tables:",
              "    directory:\n"
                  + "    - {key: [7], buckets: \"1024-1025\"}\n"
                  + "    - {key: [7, \"it's a,b=c é\"], buckets: 1026}\n"
                  + "    tables:");

  /** What can be compared, in an order of its own; else all columns. */
  private static final Map<String, String> STORED =
      Map.of(
          "shardwright_map_version", "grp, version, reason, publisher",
          "shardwright_heat", "grp, bucket, read_count, write_count, row_count, nanos",
          "shardwright_node", "scope, node, epoch, lease_until",
          "shardwright_move",
              "id, grp, source, target, buckets, rows_per_second, rollback, window_millis, state,"
                  + " wish, epoch, worker, intent, intent_buckets, rows_total, rows_copied,"
                  + " rows_applied, pending, attempts, note, pauses");

  @Test
  void apply_storedForm_isFormatSix() throws SQLException, IOException {
    EmbeddedPostgresServer server = EmbeddedPostgresServer.shared();
    OrderShards shards =
        new OrderShards(
                Optional.of(server.createDatabase("format")),
                List.of(server.createDatabase("format"), server.createDatabase("format")))
            .withTables();
    assertThat(shards.applyWith(WITH_INDEXES).ok()).isTrue();
    try (Catalog catalog = Catalog.open(shards.configuration(WITH_INDEXES))) {
      catalog.publish(
          catalog
              .load()
              .maps()
              .get("orders")
              .withMoved(List.of(new BucketId(0), new BucketId(300)), new ShardId("s1")),
          "move 0 and 300");
    }

    try (CatalogIds ids = CatalogIds.open(shards.configuration())) {
      ids.node("orders", 64);
      ids.sequence("coupons", 1_000).take();
    }

    try (CatalogMoves moves = new CatalogMoves(shards.configuration(WITH_INDEXES))) {
      Move move =
          moves
              .create("orders", BucketSet.parse("0-3,9"), new ShardId("s0"), Move.Options.DEFAULT)
              .get(0);
      CatalogMoves.Held held = moves.take(move.id(), "worker", Duration.ofMinutes(1)).orElseThrow();
      moves.advance(held, MoveState.CUTOVER);
      moves.count(held, new Move.Counters(1, 2, 3, 4, 5));
      moves.paused(held, Duration.ofNanos(1_500_999));
      moves.note(held, "waits");
      moves.intend(held, BucketSet.parse("0"));
    }

    new CatalogHeat(shards.configuration().catalog().orElseThrow())
        .add(List.of(new BucketHeat("orders", 7, 1, 2, 3, 4)));

    List<String> stored = new ArrayList<>();
    dump(shards.catalog().orElseThrow(), CATALOG_TABLES, stored);
    dump(shards.shards().get(1), SHARD_TABLES, stored);
    stored.addAll(
        shards.query(
            1,
            "SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint"
                + " WHERE conname LIKE ANY (ARRAY['shardwright_gene%', 'shardwright_dir%']) ORDER BY 1"));

    assertThat(
            String.join("\n", stored)
                .replaceAll("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "UUID"))
        .isEqualTo(expected());
  }

  @Test
  void document_holdsTheStatementsThatAreExecuted() throws IOException {
    String document = Files.readString(Path.of("../docs/catalog-format.md"));

    assertThat(TestingConfiguration.catalogTables())
        .hasSize(16)
        .allSatisfy(ddl -> assertThat(document).contains(ddl));
    assertThat(ShardObjects.TABLES.values())
        .hasSize(3)
        .allSatisfy(ddl -> assertThat(document).contains(ddl));
    FencedTable orders =
        new FencedTable(
            "orders",
            new Table(
                "orders",
                List.of(column("bucket_id", KeyType.INTEGER), column("order_id", KeyType.INTEGER)),
                List.of(new Unique("k", UniqueKind.PRIMARY_KEY, List.of("bucket_id", "order_id"))),
                List.of(),
                List.of(),
                List.of()),
            List.of());
    assertThat(document)
        .contains(
            new PostgresFence(Optional.empty())
                .captureTable("", orders, Map.of("order_id", "bigint")));
    assertThat(
            PostgresIndexObjects.of(byOrderNo(), Optional.empty())
                .tables(Map.of("order_no", "character varying(40)", "order_id", "bigint"))
                .values())
        .hasSize(3)
        .allSatisfy(ddl -> assertThat(document).contains(ddl));
    assertThat(
            PostgresIndexObjects.of(bySeller(), Optional.empty())
                .tables(
                    Map.of(
                        "seller_id",
                        "bigint",
                        "created_at",
                        "timestamp(6) with time zone",
                        "status",
                        "smallint",
                        "order_id",
                        "bigint"))
                .values())
        .hasSize(4)
        .allSatisfy(ddl -> assertThat(document).contains(ddl));
    String mariaDb = Database.of(DatabaseProduct.MARIADB).ownTable("");
    assertThat(document)
        .contains("`" + mariaDb.strip() + "`")
        .contains("`timestamp(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6)`")
        .contains(
            "CHECK "
                + new GeneCheck(
                        MariaDbShard.INSTANCE, "orders", "order_id", GeneIdLayout.forBuckets(4096))
                    .expression())
        .contains(
            "CHECK "
                + new GeneCheck(
                        PostgresShard.INSTANCE, "orders", "order_id", GeneIdLayout.forBuckets(4096))
                    .expression())
        .contains(directoryCheck(new Directory.Entry(List.of("7"), 4096, 16)))
        .contains(directoryCheck(new Directory.Entry(List.of("7", "42"), 4112, 1)));
  }

  private static String directoryCheck(Directory.Entry entry) {
    return "CHECK "
        + new DirectoryCheck(
                PostgresShard.INSTANCE,
                "orders",
                List.of("tenant_id", "buyer_id"),
                List.of(KeyType.INTEGER, KeyType.INTEGER),
                entry)
            .expression();
  }

  private static LookupIndex byOrderNo() {
    Column number = column("order_no", KeyType.TEXT);
    Column id = column("order_id", KeyType.INTEGER);
    return new LookupIndex(
        new IndexName("orders", "by_order_no"),
        new Table("orders", List.of(number, id), List.of(), List.of(), List.of(), List.of()),
        new IndexKind.Unique(),
        List.of(number),
        List.of(),
        List.of(id),
        new BucketFunction(List.of(KeyType.TEXT), HashAlgorithm.XXH64, 4096));
  }

  private static LookupIndex bySeller() {
    Column seller = column("seller_id", KeyType.INTEGER);
    Column created = column("created_at", KeyType.TIMESTAMP_WITH_ZONE);
    Column status = column("status", KeyType.INTEGER);
    Column id = column("order_id", KeyType.INTEGER);
    return new LookupIndex(
        new IndexName("orders", "by_seller"),
        new Table(
            "orders",
            List.of(seller, created, status, id),
            List.of(),
            List.of(),
            List.of(),
            List.of()),
        new IndexKind.Listing(
            1,
            Optional.empty(),
            Map.of("status", IndexKind.Covering.STALE_OK),
            IndexKind.Freshness.LAGGING),
        List.of(seller, created),
        List.of(status),
        List.of(id),
        new BucketFunction(List.of(KeyType.INTEGER), HashAlgorithm.XXH64, 4096));
  }

  private static Column column(String name, KeyType type) {
    return new Column(
        name,
        "",
        "",
        OptionalInt.empty(),
        false,
        Source.NOTHING,
        Optional.empty(),
        Optional.of(type),
        Optional.empty(),
        Ordering.UNKNOWN);
  }

  private static void dump(String url, List<String> tables, List<String> to) throws SQLException {
    for (String table : tables) {
      to.add("-- " + table);
      to.addAll(
          TestingConfiguration.query(
              url,
              "SELECT attname, format_type(atttypid, atttypmod), attnotnull FROM pg_attribute"
                  + " WHERE attrelid = '"
                  + table
                  + "'::regclass AND attnum > 0 ORDER BY attnum"));
      to.addAll(
          TestingConfiguration.query(
              url,
              "SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE contype <> 'n'"
                  + " AND conrelid = '"
                  + table
                  + "'::regclass ORDER BY 1"));
      String order =
          List.of("shardwright_state", "shardwright_sequence").contains(table) ? "1" : "1, 2, 3";
      to.addAll(
          TestingConfiguration.query(
              url,
              "SELECT "
                  + STORED.getOrDefault(table, "*")
                  + " FROM "
                  + table
                  + " ORDER BY "
                  + order));
    }
  }

  private static String expected() throws IOException {
    try (InputStream in = StoredFormatTest.class.getResourceAsStream("format-6.txt")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).stripTrailing();
    }
  }
}
