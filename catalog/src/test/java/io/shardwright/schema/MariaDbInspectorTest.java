package io.shardwright.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.shardwright.catalog.TestingConfiguration;
import io.shardwright.routing.KeyType;
import io.shardwright.schema.ShardSchema.Check;
import io.shardwright.schema.ShardSchema.Column;
import io.shardwright.schema.ShardSchema.ForeignKey;
import io.shardwright.schema.ShardSchema.Index;
import io.shardwright.schema.ShardSchema.Misfit;
import io.shardwright.schema.ShardSchema.Ordering;
import io.shardwright.schema.ShardSchema.Source;
import io.shardwright.schema.ShardSchema.Table;
import io.shardwright.schema.ShardSchema.Unique;
import io.shardwright.schema.ShardSchema.UniqueKind;
import io.shardwright.testkit.EmbeddedMariaDbServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class MariaDbInspectorTest {
  private static final String TYPES =
      """
      CREATE TABLE t (
        b boolean, i1 tinyint, i2 smallint, i3 mediumint, I4 int NOT NULL, i8 bigint,
        u1 tinyint unsigned, u4 int unsigned, u8 bigint unsigned, z int(6) zerofill,
        n18 decimal(18,0), n19 decimal(19,0), n2 decimal(10,2), f float, d double, bi bit(3),
        c char(3), v varchar(12), vb varchar(12) COLLATE utf8mb4_bin,
        vn varchar(256) COLLATE utf8mb4_nopad_bin, vl varchar(257) COLLATE utf8mb4_nopad_bin,
        la varchar(9) CHARACTER SET latin1 COLLATE latin1_nopad_bin,
        x text COLLATE utf8mb4_nopad_bin, j json, e enum('a', 'b'), s set('a', 'b'),
        bn binary(16), vy varbinary(1024), vz varbinary(1025), bl blob, u uuid, i6 inet6,
        da date, dt datetime, d6 datetime(6), ts timestamp(6) NULL, ti time, y year
      )""";

  private static final String NOPAD =
      "write varchar(12) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin";

  private final EmbeddedMariaDbServer server = EmbeddedMariaDbServer.shared();

  @Test
  void inspect_columns_haveNamesInLowerCaseAndKeyTypes() throws SQLException {
    Table table = inspect(TYPES, "t");

    Map<String, KeyType> keyTypes = new TreeMap<>();
    for (Column column : table.columns()) {
      column.keyType().ifPresent(type -> keyTypes.put(column.name(), type));
    }
    assertThat(keyTypes)
        .containsExactlyInAnyOrderEntriesOf(
            Map.ofEntries(
                Map.entry("i1", KeyType.INTEGER),
                Map.entry("i2", KeyType.INTEGER),
                Map.entry("i3", KeyType.INTEGER),
                Map.entry("i4", KeyType.INTEGER),
                Map.entry("i8", KeyType.INTEGER),
                Map.entry("u1", KeyType.INTEGER),
                Map.entry("u4", KeyType.INTEGER),
                Map.entry("z", KeyType.INTEGER),
                Map.entry("n18", KeyType.INTEGER),
                Map.entry("vn", KeyType.TEXT),
                Map.entry("vl", KeyType.TEXT),
                Map.entry("la", KeyType.TEXT),
                Map.entry("x", KeyType.TEXT),
                Map.entry("vy", KeyType.BYTES),
                Map.entry("vz", KeyType.BYTES),
                Map.entry("bl", KeyType.BYTES),
                Map.entry("u", KeyType.UUID),
                Map.entry("da", KeyType.DATE),
                Map.entry("d6", KeyType.TIMESTAMP)));
    assertThat(table.column("i4").orElseThrow().nullable()).isFalse();
    assertThat(table.column("u8").orElseThrow().typeName()).isEqualTo("bigint unsigned");
    assertThat(table.column("v").orElseThrow().maxLength()).isEqualTo(OptionalInt.of(12));
    assertThat(table.column("x").orElseThrow().maxLength()).isEmpty();
  }

  @Test
  void inspect_columnsThatCannotBeKeys_sayWhatToUse() throws SQLException {
    Table table = inspect(TYPES, "t");

    for (Column column : table.columns()) {
      if (column.keyType().isEmpty()) {
        assertThat(MariaDbTypes.whyNoKey(column))
            .as(column.name())
            .containsPattern("(use|write|only) ");
      }
    }
    assertThat(why(table, "v")).contains("differ in case only").endsWith(NOPAD);
    assertThat(why(table, "vb")).contains("utf8mb4_bin ignores trailing spaces").endsWith(NOPAD);
    assertThat(why(table, "u8")).contains("beyond 64 bits with sign; use bigint");
    assertThat(why(table, "ts")).contains("time zone of the session; use datetime(6) in UTC");
  }

  private static String why(Table table, String column) {
    return MariaDbTypes.whyNoKey(table.column(column).orElseThrow());
  }

  @Test
  void inspect_columns_sayHowTheyCompare() throws SQLException {
    Table table = inspect(TYPES, "t");

    assertThat(ordered(table, Ordering.NATURAL))
        .containsExactly(
            "b", "i1", "i2", "i3", "i4", "i8", "u1", "u4", "u8", "z", "n18", "n19", "n2", "d", "bn",
            "vy", "da", "dt", "d6", "ts");
    assertThat(ordered(table, Ordering.CODE_POINT)).containsExactly("vn");
    assertThat(ordered(table, Ordering.EQUALITY_ONLY))
        .containsExactly("vl", "la", "x", "vz", "bl", "u");
    assertThat(ordered(table, Ordering.UNKNOWN))
        .containsExactly("f", "bi", "c", "v", "vb", "j", "e", "s", "i6", "ti", "y");
  }

  private static List<String> ordered(Table table, Ordering ordering) {
    return table.columns().stream()
        .filter(c -> c.ordering() == ordering)
        .map(Column::name)
        .toList();
  }

  /** Why texts longer than max_sort_length have no known order. */
  @Test
  void server_orderOfLongTexts_isThatOfTheirBeginnings() throws SQLException {
    String url = server.createDatabase("inspect");
    TestingConfiguration.execute(
        url,
        "CREATE TABLE t (i int, v varchar(2000) COLLATE utf8mb4_nopad_bin);"
            + "INSERT INTO t SELECT 20 - seq, CONCAT(REPEAT('x', 1100), seq) FROM seq_1_to_9");

    assertThat(TestingConfiguration.query(url, "SELECT RIGHT(v, 1) FROM t ORDER BY v, i"))
        .containsExactly("9", "8", "7", "6", "5", "4", "3", "2", "1");
  }

  @Test
  void inspect_constraintsAndIndexes_areAllThere() throws SQLException {
    Table table =
        inspect(
            """
            CREATE TABLE p (a int, b int, PRIMARY KEY (b, a));
            CREATE TABLE t (
              id bigint AUTO_INCREMENT, A int, b int DEFAULT 7, e varchar(20) DEFAULT 'f(x)',
              k int DEFAULT (a + 1), g int AS (b + 1) STORED, v int AS (b + 2) VIRTUAL,
              u uuid DEFAULT uuid(), n datetime DEFAULT now(),
              m timestamp NOT NULL DEFAULT '2020-01-01' ON UPDATE now(), w text,
              PRIMARY KEY (b, a), KEY (id), UNIQUE KEY t_e (e(3), A), UNIQUE KEY t_k (k),
              KEY t_a (a DESC), FULLTEXT KEY t_w (w), KEY t_i (b) IGNORED,
              CONSTRAINT t_p FOREIGN KEY (b, a) REFERENCES p (b, a)
                ON DELETE CASCADE ON UPDATE RESTRICT,
              CONSTRAINT t_c CHECK (A > 0)
            )""",
            "t");

    assertThat(table.uniques())
        .containsExactlyInAnyOrder(
            new Unique("PRIMARY", UniqueKind.PRIMARY_KEY, List.of("b", "a")),
            new Unique("t_e", UniqueKind.INDEX, List.of("e(3)", "a")),
            new Unique("t_k", UniqueKind.INDEX, List.of("k")));
    assertThat(table.foreignKeys())
        .containsExactly(
            new ForeignKey(
                "t_p", List.of("b", "a"), "p", List.of("b", "a"), "CASCADE", "RESTRICT"));
    assertThat(table.checks()).containsExactly(new Check("t_c", "`A` > 0", true));
    assertThat(table.indexes())
        .contains(
            new Index("t_a", List.of("a"), false, false),
            new Index("t_w", List.of("FULLTEXT(w)"), false, false),
            new Index("PRIMARY", List.of("b", "a"), true, false))
        .noneMatch(index -> index.name().equals("t_i"));
    assertThat(table.columns())
        .extracting(Column::source)
        .containsExactly(
            Source.IDENTITY,
            Source.NOTHING,
            Source.DEFAULT,
            Source.DEFAULT,
            Source.DEFAULT,
            Source.GENERATED,
            Source.GENERATED,
            Source.VOLATILE,
            Source.VOLATILE,
            Source.VOLATILE,
            Source.NOTHING);
  }

  @Test
  void inspect_foreignKeyToAnotherDatabase_namesIt() throws SQLException {
    String other = server.createDatabase("other");
    String name = other.substring(other.lastIndexOf('/') + 1);
    Table table =
        inspect(
            "CREATE TABLE %1$s.p (a int PRIMARY KEY); CREATE TABLE t (a int REFERENCES %1$s.p (a))"
                .formatted(name),
            "t");

    assertThat(table.foreignKeys())
        .singleElement()
        .satisfies(key -> assertThat(key.target()).isEqualTo(name + ".p"));
  }

  @Test
  void inspect_missingTablesAndViews_areAbsent() throws SQLException {
    try (Connection c = TestingConfiguration.connect(server.createDatabase("inspect"));
        Statement s = c.createStatement()) {
      s.execute("CREATE TABLE Mixed (a int)");
      s.execute("CREATE TABLE `MIXED` (a int)");
      s.execute("CREATE VIEW v AS SELECT 1 AS a");
      s.execute("CREATE SEQUENCE sq");
      ShardSchema schema =
          ShardInspector.inspect(c, List.of("Mixed", "mixed", "v", "sq", "nothing"));

      assertThat(schema.tables()).containsOnlyKeys("Mixed");
      assertThat(schema.tables().get("Mixed").columns()).hasSize(1);
      assertThat(schema.misfits()).isEmpty();
      assertThat(ShardInspector.inspect(c, List.of()).tables()).isEmpty();
    }
  }

  @Test
  void inspect_settings_areThoseOfTheSession() throws SQLException {
    try (Connection c = TestingConfiguration.connect(server.createDatabase("inspect"))) {
      ShardSchema schema = ShardInspector.inspect(c, List.of());

      assertThat(schema.settings().release()).isEqualTo("11.4");
      assertThat(schema.settings().encoding()).isEqualTo("utf8mb4");
      assertThat(schema.settings().collation()).isEqualTo("utf8mb4_general_ci");
      assertThat(schema.settings().others())
          .containsEntry("time_zone", "+00:00")
          .containsEntry("div_precision_increment", "4")
          .containsEntry(
              "sql_mode",
              "ERROR_FOR_DIVISION_BY_ZERO,NO_AUTO_CREATE_USER,NO_ENGINE_SUBSTITUTION,"
                  + "STRICT_TRANS_TABLES");
      assertThat(schema.misfits()).isEmpty();
    }
  }

  @Test
  void inspect_settingsThatStatementsCannotBeRightWith_areMisfits() throws SQLException {
    try (Connection c = TestingConfiguration.connect(server.createDatabase("inspect"));
        Statement s = c.createStatement()) {
      s.execute("SET sql_mode = 'ANSI', check_constraint_checks = OFF");

      assertThat(ShardInspector.inspect(c, List.of()).misfits())
          .extracting(Misfit::table, misfit -> misfit.message().split(",", 2)[0])
          .containsExactlyInAnyOrder(
              tuple(Optional.empty(), "sql_mode holds ANSI_QUOTES"),
              tuple(Optional.empty(), "sql_mode holds PIPES_AS_CONCAT"),
              tuple(
                  Optional.empty(),
                  "sql_mode holds neither STRICT_TRANS_TABLES nor STRICT_ALL_TABLES"),
              tuple(Optional.empty(), "check_constraint_checks is OFF"));
    }
  }

  @Test
  void inspect_tablesThatCannotBeSharded_areMisfits() throws SQLException {
    try (Connection c = TestingConfiguration.connect(server.createDatabase("inspect"));
        Statement s = c.createStatement()) {
      s.execute("CREATE TABLE m (a int) ENGINE = MyISAM");
      s.execute("CREATE TABLE i (a int, h int INVISIBLE)");
      s.execute("CREATE TABLE v (a int) WITH SYSTEM VERSIONING");
      ShardSchema schema = ShardInspector.inspect(c, List.of("m", "i", "v"));

      assertThat(schema.misfits())
          .extracting(Misfit::message)
          .containsExactlyInAnyOrder(
              "table m is of engine MyISAM, which has no transactions like those of InnoDB",
              "column i.h is invisible, which this release does not know",
              "table v is system-versioned, which this release does not know");
      assertThat(schema.tables()).containsOnlyKeys("m", "i");
      assertThat(schema.tables().get("i").columns()).hasSize(1);
    }
  }

  @Test
  void read_identityBeforeApply_isEmpty() throws SQLException {
    try (Connection c = TestingConfiguration.connect(server.createDatabase("inspect"))) {
      assertThat(ShardIdentity.read(c)).isEmpty();
    }
  }

  private Table inspect(String ddl, String table) throws SQLException {
    try (Connection c = TestingConfiguration.connect(server.createDatabase("inspect"));
        Statement s = c.createStatement()) {
      s.execute(ddl);
      return ShardInspector.inspect(c, List.of(table)).table(table).orElseThrow();
    }
  }
}
