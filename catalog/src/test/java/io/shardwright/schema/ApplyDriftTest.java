package io.shardwright.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.shardwright.errors.ErrorCode;
import io.shardwright.testkit.EmbeddedPostgresServer;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** One line for each way in which a shard can differ from the others. */
class ApplyDriftTest {
  /** Changes on shard s1 alone. */
  static Stream<ApplyChecksTest.Change> drift() {
    return Stream.of(
        new ApplyChecksTest.Change(
            "ALTER TABLE orders ALTER status TYPE varchar(30)",
            "column orders.status is character varying(20) NOT NULL on"
                + " shard s0 and character varying(30) NOT NULL here",
            "make both equal"),
        new ApplyChecksTest.Change(
            "ALTER TABLE orders ALTER created_at TYPE timestamptz(3)",
            "is timestamp with time zone NOT NULL on shard s0 and timestamp(3) with time zone NOT"
                + " NULL here",
            "make both equal"),
        new ApplyChecksTest.Change(
            "ALTER TABLE orders ALTER status DROP NOT NULL", "column orders.status is", "equal"),
        new ApplyChecksTest.Change(
            "ALTER TABLE orders ALTER status SET DEFAULT 'new'", "DEFAULT 'new'", "equal"),
        new ApplyChecksTest.Change(
            "ALTER TABLE orders ADD note text", "absent on shard s0 and text", "equal"),
        new ApplyChecksTest.Change(
            "ALTER TABLE orders DROP created_at", "column orders.created_at is", "equal"),
        new ApplyChecksTest.Change(
            "ALTER TABLE orders DROP created_at; ALTER TABLE orders DROP status;"
                + "ALTER TABLE orders ADD created_at timestamptz NOT NULL,"
                + " ADD status varchar(20) NOT NULL",
            "the order of the columns of orders is",
            "equal"),
        new ApplyChecksTest.Change(
            "ALTER TABLE orders ALTER status TYPE varchar(20) COLLATE \"C\"",
            "COLLATE C here",
            "equal"),
        new ApplyChecksTest.Change(
            "ALTER TABLE orders ADD CONSTRAINT few CHECK (tenant_id < 9)",
            "check few of table orders is absent on shard s0 and CHECK ((tenant_id < 9)) here",
            "equal"),
        new ApplyChecksTest.Change(
            "ALTER TABLE items DROP CONSTRAINT items_bucket_id_order_id_fkey,"
                + " ADD FOREIGN KEY (bucket_id, order_id) REFERENCES orders ON DELETE CASCADE",
            "on delete CASCADE on update NO ACTION here",
            "equal"),
        new ApplyChecksTest.Change(
            "CREATE UNIQUE INDEX more ON orders (order_id)",
            "unique more of table orders is absent on shard s0 and unique index [order_id] here",
            "equal"));
  }

  @ParameterizedTest
  @MethodSource("drift")
  void run_oneShardDiffers_isDrift(ApplyChecksTest.Change change) throws SQLException {
    ApplyReport report = OrderShards.create(2).withTables().on(1, change.sql()).apply();

    assertThat(report.problems())
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.code()).isEqualTo(ErrorCode.SCHEMA_DRIFT);
              assertThat(problem.shards()).extracting(Object::toString).containsExactly("s1");
              assertThat(problem.message()).contains(change.message());
              assertThat(problem.action()).contains(change.action());
            });
  }

  @Test
  void run_otherIndexes_areAWarning() throws SQLException {
    ApplyReport report =
        OrderShards.create(2).withTables().on(1, "CREATE INDEX x ON orders (status)").apply();

    assertThat(report.problems()).isEmpty();
    assertThat(report.warnings())
        .singleElement()
        .satisfies(w -> assertThat(w.message()).contains("x=[status]"));
  }

  @Test
  void run_otherTimeZone_isDrift() throws SQLException {
    OrderShards shards = OrderShards.create(2).withTables();
    String database = shards.query(1, "SELECT current_database()").get(0);
    shards.on(1, "ALTER DATABASE " + database + " SET TimeZone = 'Asia/Tokyo'");

    ApplyReport report = shards.apply();
    shards.on(1, "ALTER DATABASE " + database + " RESET TimeZone");

    assertThat(report.problems())
        .extracting(Finding::code, Finding::message)
        .containsExactly(
            tuple(ErrorCode.SCHEMA_DRIFT, "TimeZone is UTC on shard s0 and Asia/Tokyo here"));
  }

  @Test
  void run_otherServerSettings_areDrift() throws SQLException {
    OrderShards first = OrderShards.create(1);
    first.on(0, "DROP DATABASE IF EXISTS other_settings");
    first.on(
        0,
        "CREATE DATABASE other_settings TEMPLATE template0 ENCODING 'LATIN1'"
            + " LOCALE_PROVIDER libc LOCALE 'C'");
    EmbeddedPostgresServer.Options elsewhere =
        EmbeddedPostgresServer.Options.fast().with("TimeZone", "Asia/Tokyo");
    try (EmbeddedPostgresServer server = EmbeddedPostgresServer.start(elsewhere)) {
      OrderShards shards =
          new OrderShards(
              Optional.empty(),
              List.of(
                  first.shards().get(0),
                  EmbeddedPostgresServer.shared().url("other_settings"),
                  server.createDatabase("tokyo")));

      assertThat(shards.withTables().apply().problems())
          .extracting(p -> p.shards() + " " + p.message())
          .containsExactly(
              "[s2] TimeZone is UTC on shard s0 and Asia/Tokyo here",
              "[s1] collation version is 1 on shard s0 and none here",
              "[s1] database collation is builtin C.UTF-8 on shard s0 and libc C here",
              "[s1] server encoding is UTF8 on shard s0 and LATIN1 here");
    }
  }

  @Test
  void run_referenceTablesDiffer_areReported() throws SQLException {
    OrderShards shards = OrderShards.create(3).withTables();
    shards.everywhere("INSERT INTO countries VALUES ('de', 'Germany'), ('fr', 'France')");
    assertThat(shards.apply().ok()).isTrue();
    shards.on(1, "UPDATE countries SET name = 'Frankreich' WHERE code = 'fr'");
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

  @Test
  void run_referenceRowsInOtherOrder_areEqual() throws SQLException {
    OrderShards shards = OrderShards.create(2).withTables();
    shards.on(0, "INSERT INTO countries VALUES ('de', 'Germany'), ('fr', 'France')");
    shards.on(1, "INSERT INTO countries VALUES ('fr', 'France'), ('de', 'Germany')");

    assertThat(shards.apply().ok()).isTrue();
  }
}
