package io.shardwright.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.shardwright.errors.ErrorCode;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The ways in which a shard on MariaDB can differ from the others. */
class MariaDbDriftTest {
  static Stream<MariaDbApplyTest.Change> drift() {
    return Stream.of(
        new MariaDbApplyTest.Change(
            "ALTER TABLE orders MODIFY status varchar(30) NOT NULL",
            "column orders.status is varchar(20) NOT NULL on shard s0 and varchar(30) NOT NULL here",
            ""),
        new MariaDbApplyTest.Change(
            "ALTER TABLE orders MODIFY status varchar(20) COLLATE utf8mb4_bin NOT NULL",
            "COLLATE utf8mb4_bin here",
            ""),
        new MariaDbApplyTest.Change(
            "ALTER TABLE orders ADD note text", "absent on shard s0 and text here", ""),
        new MariaDbApplyTest.Change(
            "ALTER TABLE orders ALTER status SET DEFAULT 'n'", "DEFAULT 'n' here", ""),
        new MariaDbApplyTest.Change(
            "ALTER TABLE orders ADD CONSTRAINT few CHECK (tenant_id < 9)",
            "check few of table orders is absent on shard s0 and `tenant_id` < 9 here",
            ""),
        new MariaDbApplyTest.Change(
            "ALTER TABLE items DROP FOREIGN KEY items_order; ALTER TABLE items"
                + " ADD CONSTRAINT items_order FOREIGN KEY (bucket_id, order_id)"
                + " REFERENCES orders (bucket_id, order_id) ON DELETE CASCADE",
            "on delete CASCADE on update RESTRICT here",
            ""),
        new MariaDbApplyTest.Change(
            "ALTER TABLE orders ADD UNIQUE KEY more (order_id)",
            "unique more of table orders is absent on shard s0 and unique index [order_id] here",
            ""));
  }

  @ParameterizedTest
  @MethodSource("drift")
  void run_oneShardDiffers_isDrift(MariaDbApplyTest.Change change) throws SQLException {
    ApplyReport report = OrderShards.mariaDb(2).withTables().on(1, change.sql()).apply();

    assertThat(report.problems())
        .singleElement()
        .satisfies(
            p -> {
              assertThat(p.code()).isEqualTo(ErrorCode.SCHEMA_DRIFT);
              assertThat(p.message()).contains(change.message());
            });
  }

  @Test
  void run_databasesOfOtherSettings_areDrift() throws SQLException {
    OrderShards shards = OrderShards.mariaDb(2);
    shards.on(1, "ALTER DATABASE COLLATE latin1_swedish_ci");
    String zoned = shards.shards().get(1) + "?sessionVariables=time_zone='+09:00'";

    assertThat(
            new OrderShards(Optional.empty(), List.of(shards.shards().get(0), zoned))
                .apply()
                .problems())
        .extracting(Finding::message)
        .contains(
            "database collation is utf8mb4_general_ci on shard s0 and latin1_swedish_ci here",
            "server encoding is utf8mb4 on shard s0 and latin1 here",
            "time_zone is +00:00 on shard s0 and +09:00 here");
  }

  @Test
  void run_referenceTablesDiffer_areReported() throws SQLException {
    OrderShards shards = OrderShards.mariaDb(3).withTables();
    shards.everywhere(
        "ALTER TABLE countries ADD f float, ADD b bit(3), ADD t timestamp(6) NULL, ADD x blob;"
            + "INSERT INTO countries VALUES"
            + " ('de', 'Germany', 0.123456789, 5, '2024-01-01 00:00:00.000001', x'00ff'),"
            + " ('fr', 'France', 1, NULL, NULL, NULL)");
    assertThat(shards.apply().problems()).isEmpty();
    shards.on(1, "UPDATE countries SET f = 0.12345679 WHERE code = 'de'");
    assertThat(shards.apply().problems()).isEmpty();
    shards.on(1, "UPDATE countries SET f = 0.1234569 WHERE code = 'de'");
    shards.on(2, "DELETE FROM countries WHERE code = 'fr'");

    assertThat(shards.apply().problems())
        .extracting(Finding::code, Finding::message)
        .containsExactly(
            tuple(
                ErrorCode.REFERENCE_DRIFT,
                "reference table countries has 2 rows on shard s0 and 1 here"),
            tuple(
                ErrorCode.REFERENCE_DRIFT,
                "reference table countries has other rows here than on shard s0, 2 each"));
  }
}
