package io.shardwright.advisor.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SchemaTextTest {
  @Test
  void types_keepWhatDecidesWhetherTheyCanBeAKey() {
    TableFacts table =
        SchemaText.of(
                "CREATE TABLE t (a bigint(20) unsigned NOT NULL, b NUMERIC (12, 2), c character"
                    + " varying(20) COLLATE \"C\" NOT NULL, d enum('x','y'), e tinyint(1), f"
                    + " timestamp(3) without time zone, g pg_catalog.int8, h text[], i int(11)"
                    + " DEFAULT 5)")
            .tables()
            .get("t");

    assertThat(table.types().values())
        .containsExactly(
            "bigint unsigned",
            "numeric(12,2)",
            "character varying(20)",
            "enum",
            "tinyint(1)",
            "timestamp(3)",
            "int8",
            "text[]",
            "int");
    assertThat(table.notNull()).containsExactly("a", "c");
  }

  @Test
  void whyNoKey_isThatOfApply() {
    assertThat(
            List.of(
                "smallint",
                "int",
                "bigint",
                "int unsigned",
                "tinyint",
                "numeric(18,0)",
                "decimal(9)",
                "varchar(20)",
                "character varying",
                "text",
                "uuid",
                "bytea",
                "varbinary(16)",
                "date",
                "timestamp(6)"))
        .allSatisfy(type -> assertThat(ColumnType.whyNoKey(type)).isEmpty());
    assertThat(
            List.of(
                "bigint unsigned",
                "numeric",
                "numeric(19,0)",
                "decimal(12,2)",
                "char(8)",
                "character(8)",
                "binary(16)",
                "tinyint(1)",
                "boolean",
                "double precision",
                "float",
                "enum",
                "jsonb",
                "text[]",
                "inet",
                "money",
                "citext"))
        .allSatisfy(type -> assertThat(ColumnType.whyNoKey(type)).isPresent());
  }

  @Test
  void alterTable_changesColumns() {
    SchemaFacts facts =
        SchemaText.of(
            "CREATE TABLE a (id int NOT NULL PRIMARY KEY, x int, old int NOT NULL, KEY k (old))",
            "CREATE TABLE b (id int PRIMARY KEY, a_old int, y text, FOREIGN KEY (a_old) REFERENCES"
                + " a (old))",
            "ALTER TABLE a MODIFY COLUMN x bigint NOT NULL, MODIFY id bigint AUTO_INCREMENT,"
                + " AUTO_INCREMENT=7",
            "ALTER TABLE a CHANGE old renamed varchar(20) NULL",
            "ALTER TABLE b ALTER COLUMN y SET NOT NULL, ALTER y TYPE uuid USING y::uuid,"
                + " ALTER id SET DEFAULT 5",
            "ALTER TABLE b ADD COLUMN IF NOT EXISTS z bigint NOT NULL, ADD (v int, w int)",
            "ALTER TABLE ONLY b ALTER COLUMN z DROP NOT NULL");

    TableFacts a = facts.tables().get("a");
    assertThat(a.types().toString()).isEqualTo("{id=bigint, x=bigint, renamed=varchar(20)}");
    assertThat(a.notNull()).containsExactlyInAnyOrder("id", "x");
    assertThat(a.indexes()).contains(List.of("renamed"));
    TableFacts b = facts.tables().get("b");
    assertThat(b.foreignKeys().get(0).referenced()).containsExactly("renamed");
    assertThat(b.types().toString())
        .isEqualTo("{id=int, a_old=int, y=uuid, z=bigint, v=int, w=int}");
    assertThat(b.notNull()).containsExactlyInAnyOrder("id", "y");
    assertThat(facts.statementsLeft()).isZero();
  }

  @Test
  void statementsOnTables_thatAreNotUnderstood_areCounted() {
    SchemaFacts facts =
        SchemaText.of(
            "SET search_path = shop",
            "CREATE VIEW v AS SELECT 1",
            "CREATE TABLE t (id int PRIMARY KEY)",
            "CREATE TABLE t_1 PARTITION OF t FOR VALUES FROM (1) TO (2)",
            "ALTER TABLE t OWNER TO app",
            "ALTER TABLE t DROP COLUMN 'secret', ADD x int",
            "CREATE TABLE copy AS SELECT * FROM t",
            "INSERT INTO t VALUES (1)");

    assertThat(facts.statementsLeft()).isEqualTo(2);
    assertThat(facts.firstLeft()).contains("ALTER TABLE t DROP COLUMN ?, ADD x int");
    assertThat(facts.tables().get("t").types()).containsEntry("x", "int");
  }
}
