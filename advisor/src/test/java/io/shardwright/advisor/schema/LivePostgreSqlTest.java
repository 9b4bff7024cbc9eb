package io.shardwright.advisor.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.advisor.schema.TableStatistics.ColumnStatistics;
import io.shardwright.testkit.EmbeddedPostgresServer;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LivePostgreSqlTest extends LiveDatabaseContract {
  private static final EmbeddedPostgresServer SERVER = EmbeddedPostgresServer.shared();

  LivePostgreSqlTest() {
    super(SERVER.createDatabase("live"), SERVER.user(), SERVER.password());
  }

  @Override
  String analyze(String table) {
    return "ANALYZE " + table;
  }

  @Override
  String slowView() {
    return "CREATE VIEW slow AS SELECT pg_sleep(60)::text AS k";
  }

  @Override
  String[] writingView() {
    return new String[] {
      "CREATE FUNCTION wipe() RETURNS int LANGUAGE sql AS 'DELETE FROM order_items; SELECT 1'",
      "CREATE VIEW writing AS SELECT wipe() AS k"
    };
  }

  @Test
  void read_whatOnlyPostgreSqlHas() throws SQLException {
    execute(
        "CREATE SCHEMA shop",
        "SET search_path = shop",
        "CREATE TYPE state AS ENUM ('new', 'paid')",
        "CREATE DOMAIN money_amount AS numeric(12, 2)",
        "CREATE TABLE parts (id bigint NOT NULL, day date NOT NULL, owner int, state state,"
            + " price money_amount, note character varying(20), PRIMARY KEY (id, day))"
            + " PARTITION BY RANGE (day)",
        "CREATE TABLE parts_1 PARTITION OF parts FOR VALUES FROM ('2026-01-01') TO ('2026-02-01')",
        "CREATE TABLE parts_2 PARTITION OF parts FOR VALUES FROM ('2026-02-01') TO ('2026-03-01')",
        "CREATE UNIQUE INDEX ON parts_1 (id)",
        "CREATE TABLE plain (id bigint PRIMARY KEY, a int, b int, gone int)",
        "CREATE UNIQUE INDEX part ON plain (a) WHERE b > 0",
        "CREATE UNIQUE INDEX covering ON plain (b) INCLUDE (a)",
        "CREATE UNIQUE INDEX expression ON plain (lower(a::text), b)",
        "ALTER TABLE plain DROP COLUMN gone",
        "CREATE VIEW seen AS SELECT * FROM plain",
        "INSERT INTO parts SELECT n, date '2026-01-01' + n % 59, CASE WHEN n % 4 = 0 THEN 1 WHEN n"
            + " % 4 = 1 THEN NULL ELSE n END, 'new', 1, 'x' FROM generate_series(1, 4000) n",
        "ANALYZE parts");

    SchemaFacts facts;
    try (LiveDatabase live = open(Optional.of("shop"))) {
      facts = live.read();
    }

    assertThat(names(facts))
        .containsExactlyInAnyOrder("parts", "plain", "shop.parts", "shop.plain");
    assertThat(facts.tables().get("parts").types())
        .containsEntry("state", "enum")
        .containsEntry("price", "numeric(12,2)")
        .containsEntry("note", "character varying(20)")
        .containsEntry("owner", "integer");
    assertThat(facts.tables().get("parts").unique()).containsExactly(List.of("id", "day"));
    assertThat(facts.tables().get("plain").types().keySet()).containsExactly("id", "a", "b");
    assertThat(facts.tables().get("plain").unique())
        .containsExactlyInAnyOrder(List.of("id"), List.of("b"), List.of("(expression)", "b"));
    assertThat(facts.tables().get("plain").indexes()).hasSize(4).contains(List.of("a"));
    TableStatistics parts = facts.statistics().get("parts");
    assertThat(parts.rows().getAsLong()).isBetween(3_900L, 4_100L);
    assertThat(parts.bytes()).isGreaterThan(200_000);
    ColumnStatistics owner = parts.columns().get("owner");
    assertThat(owner.distinct().getAsLong()).isBetween(1_900L, 2_100L);
    assertThat(owner.nullShare().getAsDouble()).isBetween(0.24, 0.26);
    assertThat(owner.hottestShare().getAsDouble()).isBetween(0.24, 0.26);
    assertThat(facts.statistics().get("plain").rows()).isEmpty();
  }
}
