package io.shardwright.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.shardwright.catalog.Catalog;
import io.shardwright.config.Configuration;
import io.shardwright.routing.BucketFunction;
import io.shardwright.routing.HashAlgorithm;
import io.shardwright.routing.KeyType;
import io.shardwright.schema.PlacementReport.Kind;
import io.shardwright.schema.PlacementReport.Violation;
import java.sql.SQLException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class MariaDbPlacementCheckTest {
  @Test
  void run_eachKindOfWrongRow_isFound() throws SQLException {
    OrderShards shards = OrderShards.mariaDb(2).withTables();
    assertThat(shards.apply().problems()).isEmpty();
    shards.everywhere("ALTER TABLE orders DROP CONSTRAINT shardwright_gene_orders");
    int right = bucket(List.of(KeyType.INTEGER, KeyType.TEXT), List.of(7L, "x"));
    int owner = right < 512 ? 0 : 1;
    insert(shards, owner, right, right);
    insert(shards, owner, right ^ 1, right ^ 1);
    insert(shards, 1 - owner, right, right);
    insert(shards, owner, right, right ^ 2);

    PlacementReport report = run(shards.configuration());

    assertThat(report.problems()).isEmpty();
    assertThat(report.violatingRows())
        .isEqualTo(Map.of(Kind.WRONG_BUCKET, 1L, Kind.WRONG_SHARD, 1L, Kind.WRONG_GENE, 1L));
    assertThat(report.rowsChecked()).isEqualTo(4);
  }

  /** A key is read as it was hashed when it was written, and not as another one. */
  @Test
  void run_keysOfEveryType_areReadAsTheyAreHashed() throws SQLException {
    String groups =
        """
        groups:
          g: {key: [i, z, n, t, u, ts, d, b], buckets: 1000, tables: {x: }}
        """;
    int bucket =
        bucket(
            List.of(
                KeyType.INTEGER,
                KeyType.INTEGER,
                KeyType.INTEGER,
                KeyType.TEXT,
                KeyType.UUID,
                KeyType.TIMESTAMP,
                KeyType.DATE,
                KeyType.BYTES),
            List.of(
                -5L,
                4_000_000_000L,
                123456789012L,
                "Grüße ",
                UUID.fromString("6f1e2d3c-0000-4000-8000-00000000000a"),
                LocalDateTime.parse("1969-07-20T20:17:40.123456"),
                LocalDate.parse("1900-02-28"),
                new byte[] {0, -1, 7}));
    OrderShards one = OrderShards.mariaDb(1);
    one.on(
        0,
        """
        CREATE TABLE x (bucket_id smallint NOT NULL, i smallint NOT NULL,
          z int unsigned zerofill NOT NULL, n decimal(15,0) NOT NULL,
          t varchar(20) COLLATE utf8mb4_nopad_bin NOT NULL, u uuid NOT NULL,
          ts datetime(6) NOT NULL, d date NOT NULL, b varbinary(9) NOT NULL);
        INSERT INTO x VALUES (%d, -5, 4000000000, 123456789012, 'Grüße ',
          '6f1e2d3c-0000-4000-8000-00000000000a', '1969-07-20 20:17:40.123456', '1900-02-28',
          x'00ff07');
        INSERT INTO x SELECT bucket_id, i, z, n, t, u, '0000-00-00', d, b FROM x"""
            .formatted(bucket));

    PlacementReport report = run(one.configuration(groups));

    assertThat(report.problems()).isEmpty();
    assertThat(report.violations())
        .extracting(Violation::kind, Violation::rows)
        .containsExactly(tuple(Kind.NO_BUCKET, 1L));
    assertThat(report.rowsChecked()).isEqualTo(2);
  }

  private static PlacementReport run(Configuration configuration) {
    Apply.run(configuration, Apply.Options.DEFAULT);
    try (Catalog catalog = Catalog.open(configuration)) {
      return PlacementCheck.run(configuration, catalog.load());
    }
  }

  private static int bucket(List<KeyType> types, List<Object> key) {
    int buckets = types.size() == 2 ? 1024 : 1000;
    return new BucketFunction(types, HashAlgorithm.XXH64, buckets)
        .bucket(key)
        .orElseThrow()
        .value();
  }

  private int ids;

  private void insert(OrderShards shards, int shard, int bucket, int gene) throws SQLException {
    shards.on(
        shard,
        "INSERT INTO orders VALUES (%d, %d, 7, 'x', NULL, 's', now())"
            .formatted(bucket, ((long) gene << 10) | ids++));
  }
}
