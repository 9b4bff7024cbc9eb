package io.shardwright.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.shardwright.catalog.Catalog;
import io.shardwright.catalog.CatalogState;
import io.shardwright.config.Configuration;
import io.shardwright.errors.ErrorCode;
import io.shardwright.routing.BucketFunction;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.BucketMap;
import io.shardwright.routing.HashAlgorithm;
import io.shardwright.routing.KeyType;
import io.shardwright.routing.ShardId;
import io.shardwright.schema.PlacementReport.Kind;
import io.shardwright.schema.PlacementReport.TableRows;
import io.shardwright.schema.PlacementReport.Violation;
import java.sql.SQLException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class PlacementCheckTest {
  private static final ShardId S0 = new ShardId("s0");
  private static final ShardId S1 = new ShardId("s1");
  private static final BucketFunction ORDERS =
      new BucketFunction(List.of(KeyType.INTEGER, KeyType.TEXT), HashAlgorithm.XXH64, 1024);

  private final OrderShards shards = OrderShards.create(2);
  private final BucketMap map = BucketMap.initial("orders", 1024, List.of(S0, S1));

  @Test
  void run_rowsInTheirPlace_isOk() throws SQLException {
    applied();
    for (int tenant = 0; tenant < 30; tenant++) {
      insert(tenant, "b", bucket(tenant, "b"), owner(bucket(tenant, "b")));
      insert(tenant, "b", bucket(tenant, "b"), owner(bucket(tenant, "b")));
    }

    PlacementReport report = run(shards.configuration());

    assertThat(report.ok()).isTrue();
    assertThat(report.rowsChecked()).isEqualTo(60);
    assertThat(report.checked())
        .extracting(TableRows::table)
        .containsExactly("orders", "items", "orders", "items");
    assertThat(report.checked()).filteredOn(rows -> rows.rows() > 0).hasSize(2);
  }

  @Test
  void run_eachKindOfWrongRow_isFound() throws SQLException {
    applied();
    shards.everywhere(
        "ALTER TABLE orders DROP CONSTRAINT shardwright_gene_orders, ALTER buyer_id DROP NOT NULL");
    int right = bucket(7, "x");
    int wrong = right ^ 1;
    insert(7, "x", wrong, owner(wrong));
    insert(7, "x", wrong, owner(wrong));
    insert(7, "x", right, 1 - owner(right));
    insert(7, null, right, owner(right));
    shards.on(
        owner(right),
        "INSERT INTO orders VALUES (%d, %d, 7, 'x', NULL, 's', now())"
            .formatted(right, gene(right ^ 2)));

    PlacementReport report = run(shards.configuration());

    ShardId wrongOwner = map.shardOf(new BucketId(wrong));
    ShardId rightOwner = map.shardOf(new BucketId(right));
    ShardId other = rightOwner.equals(S0) ? S1 : S0;
    assertThat(report.violations())
        .containsExactlyInAnyOrder(
            violation(Kind.WRONG_BUCKET, wrongOwner, wrong, right, wrongOwner, 2),
            violation(Kind.WRONG_SHARD, other, right, null, rightOwner, 1),
            violation(Kind.NO_BUCKET, rightOwner, right, null, rightOwner, 1),
            violation(Kind.WRONG_GENE, rightOwner, right, right ^ 2, rightOwner, 1));
    assertThat(report.violatingRows())
        .isEqualTo(
            Map.of(
                Kind.WRONG_BUCKET, 2L,
                Kind.WRONG_SHARD, 1L,
                Kind.NO_BUCKET, 1L,
                Kind.WRONG_GENE, 1L));
    assertThat(report.ok()).isFalse();
    assertThat(report.rowsChecked()).isEqualTo(5);
  }

  @Test
  void run_manyViolations_listsTheFirstAndCountsAll() throws SQLException {
    applied();
    shards.on(
        0,
        "INSERT INTO orders SELECT b, b << 10, 1000000 + b, 'q', NULL, 's', now()"
            + " FROM generate_series(0, 199) b");
    PlacementCheck.Options few =
        new PlacementCheck.Options(PlacementCheck.Options.DEFAULT.login(), 3);

    PlacementReport report = PlacementCheck.run(shards.configuration(), state(), few);

    assertThat(report.violations()).hasSize(3);
    assertThat(report.violatingRows().get(Kind.WRONG_BUCKET)).isGreaterThan(190L);
  }

  @Test
  void run_bucketsThatAreNone_areFound() throws SQLException {
    applied();
    shards.everywhere("ALTER TABLE orders DROP CONSTRAINT shardwright_gene_orders");
    insert(7, "x", 1024, 0);
    insert(8, "x", -1, 0);

    assertThat(run(shards.configuration()).violations())
        .filteredOn(v -> v.kind() == Kind.WRONG_BUCKET)
        .extracting(Violation::bucket)
        .containsExactly(OptionalInt.empty(), OptionalInt.empty());
  }

  @Test
  void run_keysOfEveryType_areReadAsTheDriverWritesThem() throws SQLException {
    String groups =
        """
        groups:
          g: {key: [i, n, t, u, ts, tz, d, b], buckets: 1000, tables: {x: }}
        """;
    List<Object> key =
        List.of(
            -5L,
            123456789012L,
            "Grüße",
            UUID.fromString("6f1e2d3c-0000-4000-8000-00000000000a"),
            LocalDateTime.parse("1969-07-20T20:17:40.123456"),
            OffsetDateTime.parse("2024-03-31T02:30:00.000001+02:00"),
            LocalDate.parse("1900-02-28"),
            new byte[] {0, -1, 7});
    List<KeyType> types =
        List.of(
            KeyType.INTEGER,
            KeyType.INTEGER,
            KeyType.TEXT,
            KeyType.UUID,
            KeyType.TIMESTAMP,
            KeyType.TIMESTAMP_WITH_ZONE,
            KeyType.DATE,
            KeyType.BYTES);
    int bucket =
        new BucketFunction(types, HashAlgorithm.XXH64, 1000).bucket(key).orElseThrow().value();
    OrderShards one = OrderShards.create(1);
    one.on(
        0,
        """
        CREATE TABLE x (bucket_id smallint NOT NULL, i smallint NOT NULL, n numeric(15,0) NOT NULL,
          t varchar(20) NOT NULL, u uuid NOT NULL, ts timestamp NOT NULL, tz timestamptz NOT NULL,
          d date NOT NULL, b bytea NOT NULL);
        INSERT INTO x VALUES (%d, -5, 123456789012, 'Grüße', '6f1e2d3c-0000-4000-8000-00000000000a',
          '1969-07-20 20:17:40.123456', '2024-03-31 00:30:00.000001Z', '1900-02-28', '\\x00ff07');
        INSERT INTO x SELECT bucket_id, i, n, t, u, 'infinity', tz, d, b FROM x"""
            .formatted(bucket));
    Configuration configuration = one.configuration(groups);
    Apply.run(configuration, Apply.Options.DEFAULT);

    try (Catalog catalog = Catalog.open(configuration)) {
      PlacementReport report = PlacementCheck.run(configuration, catalog.load());
      assertThat(report.problems()).isEmpty();
      assertThat(report.violations())
          .extracting(Violation::kind, Violation::rows)
          .containsExactly(tuple(Kind.NO_BUCKET, 1L));
      assertThat(report.rowsChecked()).isEqualTo(2);
    }
  }

  @Test
  void run_shardThatCannotBeChecked_isAProblemAndTheOthersAreChecked() throws SQLException {
    applied();
    insert(7, "x", bucket(7, "x"), owner(bucket(7, "x")));
    shards.on(1 - owner(bucket(7, "x")), "DROP TABLE items");
    PlacementReport noTable = run(shards.configuration());
    OrderShards down =
        new OrderShards(
            Optional.empty(),
            List.of(shards.shards().get(0), "jdbc:postgresql://127.0.0.1:1/down"));
    OrderShards swapped =
        new OrderShards(Optional.empty(), List.of(shards.shards().get(1), shards.shards().get(0)));
    OrderShards notApplied = OrderShards.create(1);

    assertThat(noTable.ok()).isFalse();
    assertThat(noTable.problems())
        .extracting(Finding::message)
        .containsExactly("table items cannot be checked: it or a column of its key is not right");
    assertThat(noTable.rowsChecked()).isEqualTo(1);
    assertThat(run(down.configuration()).problems())
        .extracting(Finding::code)
        .containsExactly(ErrorCode.SHARD_UNAVAILABLE);
    assertThat(run(swapped.configuration()).problems())
        .extracting(Finding::code)
        .containsExactly(ErrorCode.SHARD_IDENTITY_MISMATCH, ErrorCode.SHARD_IDENTITY_MISMATCH);
    assertThat(run(notApplied.configuration()).problems())
        .extracting(Finding::code)
        .containsExactly(ErrorCode.NOT_APPLIED);
  }

  private void applied() throws SQLException {
    assertThat(shards.withTables().apply().problems()).isEmpty();
  }

  private PlacementReport run(Configuration configuration) {
    return PlacementCheck.run(configuration, state());
  }

  private CatalogState state() {
    return new CatalogState(Optional.empty(), Map.of("orders", map));
  }

  private int ids;

  private void insert(int tenant, String buyer, int bucket, int shard) throws SQLException {
    String value = buyer == null ? "NULL" : "'" + buyer + "'";
    shards.on(
        shard,
        "INSERT INTO orders VALUES (%d, %d, %d, %s, NULL, 's', now())"
            .formatted(bucket, gene(bucket), tenant, value));
  }

  private long gene(int bucket) {
    return ((long) (bucket & 1023) << 10) | (ids++ & 1023);
  }

  private static int bucket(int tenant, String buyer) {
    return ORDERS.bucket(List.of(tenant, buyer)).orElseThrow().value();
  }

  private int owner(int bucket) {
    return map.shardOf(new BucketId(bucket)).equals(S0) ? 0 : 1;
  }

  private static Violation violation(
      Kind kind, ShardId shard, int bucket, Integer expected, ShardId owner, long rows) {
    return new Violation(
        kind,
        shard,
        "orders",
        OptionalInt.of(bucket),
        expected == null ? OptionalInt.empty() : OptionalInt.of(expected),
        Optional.of(owner),
        rows);
  }
}
