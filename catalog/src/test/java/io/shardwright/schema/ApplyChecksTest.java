package io.shardwright.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.catalog.TestingConfiguration;
import io.shardwright.config.Configuration;
import io.shardwright.errors.ErrorCode;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** One line for each rule: good tables, one change, and the only finding that it makes. */
class ApplyChecksTest {

  record Change(String sql, String message, String action) {
    @Override
    public String toString() {
      return sql;
    }
  }

  /** Changes on every shard. */
  static Stream<Change> problems() {
    return Stream.of(
        new Change("DROP TABLE items", "table items does not exist", "create it on all shards"),
        new Change(
            "ALTER TABLE orders DROP country; DROP TABLE countries",
            "table countries does not exist",
            "create it"),
        new Change(
            "ALTER TABLE items DROP bucket_id CASCADE",
            "table items has no column bucket_id",
            "add bucket_id smallint or integer NOT NULL"),
        new Change(
            "ALTER TABLE items DROP CONSTRAINT items_bucket_id_order_id_fkey,"
                + " ALTER bucket_id TYPE text",
            "items.bucket_id is text",
            "make it smallint or integer: it holds 0 to 1023"),
        new Change(
            "ALTER TABLE items DROP CONSTRAINT items_pkey;"
                + "ALTER TABLE items ALTER bucket_id DROP NOT NULL",
            "items.bucket_id may be NULL",
            "make it NOT NULL"),
        new Change(
            "ALTER TABLE items DROP tenant",
            "table items has no route key column tenant",
            "name the right columns under key:"),
        new Change(
            "ALTER TABLE items ALTER buyer DROP NOT NULL",
            "route key column items.buyer may be NULL",
            "make it NOT NULL"),
        new Change(
            "ALTER TABLE orders ALTER tenant_id TYPE double precision",
            "orders.tenant_id is double precision, which cannot be a route key",
            "use numeric(18,0)"),
        new Change(
            "ALTER TABLE orders ALTER tenant_id TYPE numeric(18,2)",
            "orders.tenant_id is numeric(18,2)",
            "only numeric(p,0) with p up to 18"),
        new Change(
            "ALTER TABLE orders ALTER tenant_id TYPE numeric(19,0)",
            "orders.tenant_id is numeric(19,0)",
            "only numeric(p,0) with p up to 18"),
        new Change(
            "ALTER TABLE orders ALTER buyer_id TYPE char(5)",
            "orders.buyer_id is character(5)",
            "use varchar or text"),
        new Change(
            "ALTER TABLE orders ALTER tenant_id TYPE boolean USING true",
            "orders.tenant_id is boolean",
            "use another column"),
        new Change(
            "ALTER TABLE orders ALTER tenant_id TYPE timestamp(3) USING now()",
            "orders.tenant_id is timestamp(3) without time zone",
            "use precision 6"),
        new Change(
            "CREATE COLLATION blind (provider = icu, locale = 'und-u-ks-level2',"
                + " deterministic = false);"
                + "ALTER TABLE orders ALTER buyer_id TYPE text COLLATE blind",
            "orders.buyer_id is text, which cannot be a route key",
            "its collation blind is not deterministic"),
        new Change(
            "ALTER TABLE items ALTER buyer TYPE bigint USING 1",
            "route key columns orders.buyer_id (TEXT) and items.buyer (INTEGER) stand at one",
            "types of one kind"),
        new Change(
            "ALTER TABLE items DROP CONSTRAINT items_bucket_id_order_id_fkey;"
                + "ALTER TABLE items ALTER order_id TYPE int",
            "id column items.order_id is integer",
            "make it bigint"),
        new Change(
            "ALTER TABLE items DROP CONSTRAINT items_pkey;"
                + "ALTER TABLE items ALTER order_id DROP NOT NULL;"
                + "CREATE INDEX ON items (bucket_id, order_id)",
            "id column items.order_id may be NULL",
            "ALTER TABLE \"items\" ALTER COLUMN \"order_id\" SET NOT NULL"),
        new Change(
            "ALTER TABLE orders ADD CONSTRAINT orders_status UNIQUE (tenant_id, status)",
            "unique constraint orders_status [tenant_id, status] of table orders holds neither the"
                + " route key [tenant_id, buyer_id] nor the id order_id",
            "decide under groups.orders.tables.orders.unique: {orders_status: local}"),
        new Change(
            "CREATE UNIQUE INDEX orders_lower ON orders (lower(status)) WHERE status <> 'x'",
            "unique index orders_lower [lower(status::text)] of table orders",
            "{orders_lower: id} (you vouch"),
        new Change(
            "ALTER TABLE items DROP CONSTRAINT items_pkey, ADD CONSTRAINT items_pk"
                + " PRIMARY KEY (bucket_id, line)",
            "primary key items_pk [bucket_id, line] of table items holds neither",
            "index} (unique over all shards by a lookup index of its columns)"),
        new Change(
            "ALTER TABLE orders ADD EXCLUDE (status WITH =)",
            "exclusion constraint orders_status_excl [status]",
            "add the route key to it"),
        new Change(
            "CREATE TABLE other (id int PRIMARY KEY);"
                + "ALTER TABLE items ADD FOREIGN KEY (line) REFERENCES other",
            "foreign key items_line_fkey [line] of table items to other [id] leaves group orders",
            "list other under the group's tables: or under reference:"),
        new Change(
            "CREATE TABLE other (id int PRIMARY KEY);"
                + "ALTER TABLE countries ADD o int REFERENCES other",
            "to other [id] leaves the reference tables",
            "drop the foreign key"),
        new Change(
            "ALTER TABLE countries ADD b int, ADD o bigint,"
                + " ADD FOREIGN KEY (b, o) REFERENCES orders",
            "to orders [bucket_id, order_id] leaves the reference tables",
            "put both tables into one group"));
  }

  @ParameterizedTest
  @MethodSource("problems")
  void run_badSchema_isTheOnlyProblem(Change change) throws SQLException {
    ApplyReport report = OrderShards.create(1).withTables().everywhere(change.sql).apply();

    assertThat(report.problems())
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.code()).isEqualTo(ErrorCode.SCHEMA_INVALID);
              assertThat(problem.message()).contains(change.message);
              assertThat(problem.action()).contains(change.action);
            });
  }

  static Stream<Change> warnings() {
    return Stream.of(
        new Change(
            "ALTER TABLE items ADD seq bigserial",
            "column items.seq draws from a sequence of each shard",
            "issue ids in the application"),
        new Change(
            "ALTER TABLE items ADD seq int GENERATED BY DEFAULT AS IDENTITY",
            "column items.seq draws from a sequence of each shard",
            "issue ids in the application"),
        new Change(
            "ALTER TABLE items DROP CONSTRAINT items_bucket_id_order_id_fkey; DROP INDEX items_key",
            "no index of table items serves its route key [tenant, buyer]",
            "add one on (bucket_id, tenant, buyer)"),
        new Change(
            "DROP INDEX orders_key",
            "no index of table orders serves its route key [tenant_id, buyer_id]",
            "add one on (bucket_id, tenant_id, buyer_id)"),
        new Change(
            "DROP INDEX orders_key; CREATE INDEX ON orders (tenant_id, buyer_id)"
                + " WHERE status = 'x'",
            "no index of table orders serves its route key [tenant_id, buyer_id]",
            "add one on"),
        new Change(
            "ALTER TABLE items DROP CONSTRAINT items_pkey",
            "no index of table items serves its id [order_id]",
            "add one on (bucket_id, order_id)"));
  }

  @ParameterizedTest
  @MethodSource("warnings")
  void run_doubtfulSchema_isTheOnlyWarning(Change change) throws SQLException {
    ApplyReport report = OrderShards.create(1).withTables().everywhere(change.sql).apply();

    assertThat(report.problems()).isEmpty();
    assertThat(report.warnings())
        .singleElement()
        .satisfies(
            warning -> {
              assertThat(warning.message()).contains(change.message);
              assertThat(warning.action()).contains(change.action);
            });
  }

  @Test
  void run_tableReachedThroughItsParentsId_needsNoIndexForTheKey() throws SQLException {
    assertThat(
            OrderShards.create(1)
                .withTables()
                .everywhere("DROP INDEX items_key")
                .apply()
                .warnings())
        .isEmpty();
  }

  /** Defaults of a column of a reference table, and what is said of them. */
  static Stream<Change> volatileDefaults() {
    String drop = "ALTER TABLE \"countries\" ALTER COLUMN \"c\" DROP DEFAULT";
    return Stream.of(
        new Change("timestamptz DEFAULT now()", "the default now()", drop),
        new Change("timestamptz DEFAULT CURRENT_TIMESTAMP", "the default CURRENT_TIMESTAMP", drop),
        new Change("date DEFAULT CURRENT_DATE + 1", "the default (CURRENT_DATE + 1)", drop),
        new Change(
            "text DEFAULT 'a' || to_char(clock_timestamp(), 'YYYY')", "clock_timestamp()", drop),
        new Change("float8 DEFAULT round(random())", "the default round(random())", drop),
        new Change("uuid DEFAULT gen_random_uuid()", "the default gen_random_uuid()", drop),
        new Change("date DEFAULT ('2020' || '-01-01')::date", "'-01-01'", drop),
        new Change("d_uuid", "the default gen_random_uuid()", drop),
        new Change("own DEFAULT own_default()", "the default own_default()", drop),
        new Change("bigserial", "the default nextval(", drop),
        new Change(
            "bigint GENERATED BY DEFAULT AS IDENTITY",
            "an identity",
            drop.replace("DEFAULT", "IDENTITY")));
  }

  @ParameterizedTest
  @MethodSource("volatileDefaults")
  void run_volatileDefaultOfAReferenceTable_isTheOnlyProblem(Change change) throws SQLException {
    ApplyReport report =
        OrderShards.create(1)
            .withTables()
            .everywhere(
                "CREATE DOMAIN d_uuid AS uuid DEFAULT gen_random_uuid();"
                    + "CREATE DOMAIN own AS int;"
                    + "CREATE FUNCTION own_default() RETURNS int LANGUAGE sql VOLATILE"
                    + " AS 'SELECT 1';"
                    + "ALTER TABLE countries ADD c "
                    + change.sql)
            .apply();

    assertThat(report.problems())
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.table()).contains("countries");
              assertThat(problem.message())
                  .contains("countries.c of a reference table")
                  .contains(change.message);
              assertThat(problem.action())
                  .startsWith("give the value in the INSERT")
                  .endsWith(change.action);
            });
  }

  @Test
  void run_constantDefaultsOfAReferenceTable_areFine() throws SQLException {
    OrderShards shards =
        OrderShards.create(2)
            .withTables()
            .everywhere(
                "ALTER TABLE countries ADD a text DEFAULT 'x', ADD b int DEFAULT 1 + 2,"
                    + " ADD c date DEFAULT '2020-01-01', ADD d text DEFAULT lower('A') || 'b',"
                    + " ADD e numeric DEFAULT abs(-1.5), ADD f jsonb DEFAULT '{}',"
                    + " ADD g int DEFAULT ('1' || '2')::int, ADD h varchar(3) DEFAULT 'now',"
                    + " ADD i text GENERATED ALWAYS AS (lower(name)) STORED");

    assertThat(shards.apply().problems()).isEmpty();
  }

  @Test
  void run_userWithoutRights_isToldWhichOneIsMissing() throws SQLException {
    OrderShards shards = OrderShards.create(1).withTables();
    String schema = shards.query(0, "SELECT current_schema()").get(0);
    shards.on(
        0,
        "DROP ROLE IF EXISTS poor; CREATE ROLE poor LOGIN PASSWORD 'poor';"
            + " GRANT USAGE ON SCHEMA "
            + schema
            + " TO poor");
    Configuration good = shards.configuration();
    Configuration poor = TestingConfiguration.withLogin(good, "poor", "poor");

    assertThat(Apply.run(poor, Apply.Options.DEFAULT).problems())
        .singleElement()
        .satisfies(
            p -> {
              assertThat(p.code()).isEqualTo(ErrorCode.SCHEMA_INVALID);
              assertThat(p.message()).contains("user poor lacks a right").contains(schema);
            });
  }

  @Test
  void run_uniqueDecisions_areObeyed() throws SQLException {
    OrderShards shards =
        OrderShards.create(1)
            .withTables()
            .everywhere(
                "ALTER TABLE orders ADD CONSTRAINT a UNIQUE (status),"
                    + " ADD CONSTRAINT b UNIQUE (bucket_id, status),"
                    + " ADD CONSTRAINT c UNIQUE (created_at),"
                    + " ADD CONSTRAINT d UNIQUE (buyer_id, tenant_id, status)");
    String groups =
        OrderShards.GROUPS.replace(
            "      orders:\n      ",
            "      orders: {unique: {a: local, b: local, c: id, d: local, e: id}}\n      ");

    ApplyReport report = Apply.run(shards.configuration(groups), Apply.Options.DEFAULT);

    assertThat(report.problems())
        .extracting(Finding::message)
        .containsExactly("table orders has no unique constraint or index named e");
    assertThat(report.warnings())
        .extracting(Finding::message)
        .satisfiesExactly(
            a -> assertThat(a).contains("a is local").contains("group orders cannot be moved"),
            d -> assertThat(d).contains("d holds the route key or the id and needs no decision"));
  }

  @Test
  void run_foreignKeysInsideTheGroup_mustCarryTheBucket() throws SQLException {
    String groups =
        """
        groups:
          orders:
            key: [a, b]
            buckets: 1024
            id: {column: gid}
            tables: {p: {}, c: {key: [x, y]}}
          others: {key: [a], buckets: 4, tables: {o: }}
        """;
    OrderShards shards =
        OrderShards.create(1)
            .everywhere(
                """
                CREATE TABLE p (bucket_id int NOT NULL, a int NOT NULL, b int NOT NULL,
                  gid bigint NOT NULL, n int NOT NULL, UNIQUE (bucket_id, n, a, b), UNIQUE (a, b),
                  UNIQUE (gid), UNIQUE (gid, n), UNIQUE (b, a, n), UNIQUE (a, b, n));
                CREATE TABLE o (bucket_id int NOT NULL, a int NOT NULL PRIMARY KEY);
                CREATE TABLE c (bucket_id int NOT NULL, x int NOT NULL, y int NOT NULL,
                  gid bigint NOT NULL, n int, other bigint,
                  CONSTRAINT by_bucket FOREIGN KEY (bucket_id, n, x, y)
                    REFERENCES p (bucket_id, n, a, b),
                  CONSTRAINT by_key FOREIGN KEY (x, y) REFERENCES p (a, b),
                  CONSTRAINT by_gene FOREIGN KEY (gid, n) REFERENCES p (gid, n),
                  CONSTRAINT crossed FOREIGN KEY (x, y, n) REFERENCES p (b, a, n),
                  CONSTRAINT by_other FOREIGN KEY (other) REFERENCES p (gid),
                  CONSTRAINT away FOREIGN KEY (x) REFERENCES o (a))\
                """);

    ApplyReport report = Apply.run(shards.configuration(groups), Apply.Options.DEFAULT);

    assertThat(report.problems())
        .extracting(Finding::message)
        .satisfiesExactly(
            m -> assertThat(m).startsWith("foreign key away").contains("leaves group orders"),
            m -> assertThat(m).startsWith("foreign key by_other").contains("neither bucket_id"),
            m -> assertThat(m).startsWith("foreign key crossed").contains("nor the route key"));
  }

  @Test
  void run_manyProblems_areAllReported() throws SQLException {
    OrderShards shards =
        OrderShards.create(3)
            .withTables()
            .everywhere("ALTER TABLE items ALTER buyer DROP NOT NULL")
            .on(0, "ALTER TABLE orders ADD UNIQUE (status)")
            .on(1, "DROP TABLE items")
            .on(2, "ALTER TABLE orders DROP bucket_id CASCADE");

    List<Finding> problems = shards.apply().problems();

    assertThat(problems)
        .extracting(Finding::message)
        .anyMatch(m -> m.contains("items.buyer may be NULL"))
        .anyMatch(m -> m.contains("orders_status_key"))
        .anyMatch(m -> m.contains("table items does not exist"))
        .anyMatch(m -> m.contains("table orders has no column bucket_id"))
        .anyMatch(m -> m.contains("column orders.bucket_id is integer NOT NULL on shard s0"));
    assertThat(problems)
        .filteredOn(p -> p.message().contains("items.buyer may be NULL"))
        .singleElement()
        .satisfies(p -> assertThat(p.shards()).hasToString("[s0, s2]"));
  }
}
