package io.shardwright.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.routing.KeyType;
import io.shardwright.routing.ShardId;
import io.shardwright.schema.ShardSchema.Column;
import io.shardwright.schema.ShardSchema.ForeignKey;
import io.shardwright.schema.ShardSchema.Index;
import io.shardwright.schema.ShardSchema.Source;
import io.shardwright.schema.ShardSchema.Table;
import io.shardwright.schema.ShardSchema.Unique;
import io.shardwright.schema.ShardSchema.UniqueKind;
import io.shardwright.testkit.EmbeddedPostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ShardInspectorTest {
  private final EmbeddedPostgresServer server = EmbeddedPostgresServer.shared();

  @Test
  void inspect_columns_haveOrderTypeAndKeyType() throws SQLException {
    Table table =
        inspect(
            """
            CREATE COLLATION blind (provider = icu, locale = 'und-u-ks-level2',
              deterministic = false);
            CREATE COLLATION german (provider = icu, locale = 'de');
            CREATE DOMAIN cents AS bigint;
            CREATE TYPE mood AS ENUM ('good', 'bad');
            CREATE TABLE t (
              i2 smallint, i4 int NOT NULL, i8 bigint, n18 numeric(18,0), n19 numeric(19,0),
              n2 numeric(10,2), n numeric, f real, d double precision, b boolean, c char(3),
              v varchar(12), x text, xg text COLLATE german, xb text COLLATE blind,
              xc text COLLATE "C", u uuid, ts timestamp, tz timestamptz(6), t3 timestamptz(3),
              dd date, bb bytea, j jsonb, dom cents, m mood, dropped int, last int
            );
            ALTER TABLE t DROP COLUMN dropped""",
            "t");

    Map<String, KeyType> keyTypes = new TreeMap<>();
    for (Column column : table.columns()) {
      column.keyType().ifPresent(type -> keyTypes.put(column.name(), type));
    }
    assertThat(keyTypes)
        .containsExactlyInAnyOrderEntriesOf(
            Map.ofEntries(
                Map.entry("i2", KeyType.INTEGER),
                Map.entry("i4", KeyType.INTEGER),
                Map.entry("i8", KeyType.INTEGER),
                Map.entry("last", KeyType.INTEGER),
                Map.entry("n18", KeyType.INTEGER),
                Map.entry("v", KeyType.TEXT),
                Map.entry("x", KeyType.TEXT),
                Map.entry("xg", KeyType.TEXT),
                Map.entry("xc", KeyType.TEXT),
                Map.entry("u", KeyType.UUID),
                Map.entry("ts", KeyType.TIMESTAMP),
                Map.entry("tz", KeyType.TIMESTAMP_WITH_ZONE),
                Map.entry("dd", KeyType.DATE),
                Map.entry("bb", KeyType.BYTES)));
    assertThat(table.columns().get(0).name()).isEqualTo("i2");
    assertThat(table.columns().get(25).name()).isEqualTo("last");
    assertThat(table.column("i4").orElseThrow().nullable()).isFalse();
    assertThat(table.column("i8").orElseThrow().nullable()).isTrue();
    assertThat(table.column("v").orElseThrow().maxLength()).isEqualTo(OptionalInt.of(12));
    assertThat(table.column("t3").orElseThrow().type()).isEqualTo("timestamp(3) with time zone");
  }

  @Test
  void inspect_collations_sayWhetherTextsSortByCodePoint() throws SQLException {
    Table table =
        inspect(
            """
            CREATE COLLATION german (provider = icu, locale = 'de');
            CREATE TABLE t (
              d text, c text COLLATE "C", p text COLLATE "POSIX", u text COLLATE ucs_basic,
              b text COLLATE pg_c_utf8, g text COLLATE german, i int)""",
            "t");

    assertThat(
            table.columns().stream()
                .filter(c -> c.collation().isPresent())
                .filter(c -> c.collation().get().codePointOrder())
                .map(Column::name))
        .containsExactly("d", "c", "p", "u", "b");
    assertThat(table.column("g").orElseThrow().collation().orElseThrow().version()).isPresent();
    assertThat(table.column("i").orElseThrow().collation()).isEmpty();
  }

  @Test
  void inspect_constraintsAndIndexes_areAllThere() throws SQLException {
    Table table =
        inspect(
            """
            CREATE TABLE p (a int, b int, PRIMARY KEY (b, a));
            CREATE TABLE t (
              id bigserial, a int, b int DEFAULT 7, e text, k int GENERATED ALWAYS AS IDENTITY,
              g int GENERATED ALWAYS AS (b + 1) STORED,
              CONSTRAINT t_pk PRIMARY KEY (b, a),
              CONSTRAINT t_e UNIQUE (e),
              CONSTRAINT t_p FOREIGN KEY (b, a) REFERENCES p (b, a)
                ON DELETE CASCADE ON UPDATE RESTRICT,
              CONSTRAINT t_c CHECK (a > 0)
            );
            CREATE UNIQUE INDEX t_lower ON t (lower(e), a) WHERE a > 5;
            CREATE INDEX t_a ON t (a) INCLUDE (b)""",
            "t");

    assertThat(table.uniques())
        .containsExactlyInAnyOrder(
            new Unique("t_pk", UniqueKind.PRIMARY_KEY, List.of("b", "a")),
            new Unique("t_e", UniqueKind.CONSTRAINT, List.of("e")),
            new Unique("t_lower", UniqueKind.INDEX, List.of("lower(e)", "a")));
    assertThat(table.foreignKeys())
        .containsExactly(
            new ForeignKey(
                "t_p", List.of("b", "a"), "p", List.of("b", "a"), "CASCADE", "RESTRICT"));
    assertThat(table.checks()).extracting(ShardSchema.Check::name).containsExactly("t_c");
    assertThat(table.indexes())
        .contains(
            new Index("t_a", List.of("a"), false, false),
            new Index("t_lower", List.of("lower(e)", "a"), true, true),
            new Index("t_pk", List.of("b", "a"), true, false));
    assertThat(table.columns())
        .extracting(Column::source)
        .containsExactly(
            Source.SEQUENCE,
            Source.NOTHING,
            Source.DEFAULT,
            Source.NOTHING,
            Source.IDENTITY,
            Source.GENERATED);
  }

  @Test
  void inspect_missingTablesAndViews_areAbsent() throws SQLException {
    String url = server.createDatabase("inspect");
    try (Connection c = DriverManager.getConnection(url, server.user(), server.password());
        Statement s = c.createStatement()) {
      s.execute("CREATE TABLE \"Mixed\" (a int); CREATE VIEW v AS SELECT 1 AS a");
      ShardSchema schema = ShardInspector.inspect(c, List.of("Mixed", "mixed", "v", "nothing"));
      assertThat(schema.tables()).containsOnlyKeys("Mixed");
      assertThat(schema.settings().release()).isEqualTo("17");
      assertThat(schema.settings().encoding()).isEqualTo("UTF8");
      assertThat(schema.settings().collation()).isEqualTo("builtin C.UTF-8");
    }
  }

  @Test
  void read_identityBeforeApply_isEmpty() throws SQLException {
    String url = server.createDatabase("inspect");
    try (Connection c = DriverManager.getConnection(url, server.user(), server.password());
        Statement s = c.createStatement()) {
      assertThat(ShardIdentity.read(c)).isEmpty();
      s.execute(
          "CREATE TABLE shardwright_shard (cluster_id varchar(36), shard varchar(63));"
              + "INSERT INTO shardwright_shard VALUES (NULL, 's0')");
      assertThat(ShardIdentity.read(c))
          .contains(new ShardIdentity(Optional.empty(), new ShardId("s0")));
    }
  }

  private Table inspect(String ddl, String table) throws SQLException {
    String url = server.createDatabase("inspect");
    try (Connection c = DriverManager.getConnection(url, server.user(), server.password());
        Statement s = c.createStatement()) {
      s.execute(ddl);
      return ShardInspector.inspect(c, List.of(table)).table(table).orElseThrow();
    }
  }
}
