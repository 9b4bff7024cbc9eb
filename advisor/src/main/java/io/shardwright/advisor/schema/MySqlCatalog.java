package io.shardwright.advisor.schema;

import static io.shardwright.advisor.schema.LiveCatalog.query;

import io.shardwright.advisor.schema.TableStatistics.ColumnStatistics;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;

/** MySQL 5.7 and newer, and MariaDB, by information_schema. Columns are compared without case. */
final class MySqlCatalog implements LiveCatalog {
  private static final String TABLES =
      """
      SELECT TABLE_NAME, COALESCE(DATA_LENGTH, 0) + COALESCE(INDEX_LENGTH, 0), TABLE_ROWS
      FROM information_schema.TABLES
      WHERE TABLE_SCHEMA = ? AND TABLE_TYPE IN ('BASE TABLE', 'SYSTEM VERSIONED')
      ORDER BY TABLE_NAME
      """;

  private static final String COLUMNS =
      """
      SELECT TABLE_NAME, COLUMN_NAME, IS_NULLABLE, COLUMN_TYPE FROM information_schema.COLUMNS
      WHERE TABLE_SCHEMA = ? ORDER BY TABLE_NAME, ORDINAL_POSITION
      """;

  private static final String INDEXES =
      """
      SELECT TABLE_NAME, INDEX_NAME, NON_UNIQUE = 0, COLUMN_NAME, SEQ_IN_INDEX, CARDINALITY
      FROM information_schema.STATISTICS
      WHERE TABLE_SCHEMA = ?
      ORDER BY TABLE_NAME, INDEX_NAME <> 'PRIMARY', INDEX_NAME, SEQ_IN_INDEX
      """;

  private static final String FOREIGN_KEYS =
      """
      SELECT TABLE_NAME, CONSTRAINT_NAME, REFERENCED_TABLE_NAME, REFERENCED_TABLE_SCHEMA,
             COLUMN_NAME, REFERENCED_COLUMN_NAME
      FROM information_schema.KEY_COLUMN_USAGE
      WHERE TABLE_SCHEMA = ? AND REFERENCED_TABLE_NAME IS NOT NULL
      ORDER BY TABLE_NAME, CONSTRAINT_NAME, ORDINAL_POSITION
      """;

  /** MariaDB: statement_timeout; MySQL: query_timeout; a statement that was killed. */
  private static final Set<Integer> TIMEOUTS = Set.of(1969, 3024, 1317);

  private final boolean mariaDb;

  private MySqlCatalog(boolean mariaDb) {
    this.mariaDb = mariaDb;
  }

  static MySqlCatalog of(DatabaseMetaData server) throws SQLException {
    String version = server.getDatabaseProductName() + " " + server.getDatabaseProductVersion();
    return new MySqlCatalog(version.toLowerCase(Locale.ROOT).contains("mariadb"));
  }

  @Override
  public List<String> readOnly() {
    return List.of("SET SESSION TRANSACTION READ ONLY");
  }

  @Override
  public String timeout(Duration limit) {
    return mariaDb
        ? String.format(
            Locale.ROOT, "SET SESSION max_statement_time = %.3f", limit.toMillis() / 1000.0)
        : "SET SESSION max_execution_time = " + limit.toMillis();
  }

  @Override
  public boolean isTimeout(SQLException e) {
    return TIMEOUTS.contains(e.getErrorCode());
  }

  @Override
  public String currentSchema() {
    return "SELECT DATABASE()";
  }

  @Override
  public String quote(String name) {
    return '`' + name.replace("`", "``") + '`';
  }

  @Override
  public SchemaFacts read(Connection connection, String schema) throws SQLException {
    Map<String, TableFacts> tables = new LinkedHashMap<>();
    Map<String, Long> bytes = new HashMap<>();
    Map<String, OptionalLong> rows = new HashMap<>();
    query(
        connection,
        TABLES,
        schema,
        row -> {
          String name = row.getString(1);
          tables.put(name, LiveCatalog.emptyTable(name));
          bytes.put(name, row.getLong(2));
          long count = row.getLong(3);
          rows.put(name, row.wasNull() ? OptionalLong.empty() : OptionalLong.of(count));
        });
    query(
        connection,
        COLUMNS,
        schema,
        row -> {
          TableFacts table = tables.get(row.getString(1));
          if (table != null) {
            String column = column(row.getString(2));
            table.types().put(column, ColumnType.of(row.getString(4)));
            if (row.getString(3).equals("NO")) {
              table.notNull().add(column);
            }
          }
        });
    Map<String, Map<String, ColumnStatistics>> columns = new HashMap<>();
    indexes(connection, schema, tables, columns);
    foreignKeys(connection, schema, tables);
    Map<String, TableStatistics> statistics = new LinkedHashMap<>();
    for (String name : tables.keySet()) {
      statistics.put(
          name,
          new TableStatistics(
              bytes.get(name), rows.get(name), columns.getOrDefault(name, Map.of())));
    }
    return LiveCatalog.facts(schema, tables, statistics);
  }

  private static void indexes(
      Connection connection,
      String schema,
      Map<String, TableFacts> tables,
      Map<String, Map<String, ColumnStatistics>> statistics)
      throws SQLException {
    query(
        connection,
        INDEXES,
        schema,
        row -> {
          TableFacts table = tables.get(row.getString(1));
          if (table == null) {
            return;
          }
          int place = row.getInt(5);
          if (place == 1) {
            List<String> columns = new ArrayList<>();
            table.indexes().add(columns);
            if (row.getBoolean(3)) {
              table.unique().add(columns);
            }
          }
          String name = row.getString(4);
          String column = name == null ? "(expression)" : column(name);
          table.indexes().get(table.indexes().size() - 1).add(column);
          long distinct = row.getLong(6);
          // Of later columns it counts the tuples up to them.
          if (place == 1 && name != null && !row.wasNull()) {
            statistics
                .computeIfAbsent(table.name(), n -> new HashMap<>())
                .merge(column, distinct(distinct), MySqlCatalog::larger);
          }
        });
  }

  private static ColumnStatistics distinct(long values) {
    return new ColumnStatistics(
        OptionalLong.of(values), OptionalDouble.empty(), OptionalDouble.empty());
  }

  /** Two indexes that begin alike estimate each for itself. */
  private static ColumnStatistics larger(ColumnStatistics a, ColumnStatistics b) {
    return a.distinct().getAsLong() >= b.distinct().getAsLong() ? a : b;
  }

  private static void foreignKeys(
      Connection connection, String schema, Map<String, TableFacts> tables) throws SQLException {
    Map<String, TableFacts.ForeignKey> open = new HashMap<>();
    query(
        connection,
        FOREIGN_KEYS,
        schema,
        row -> {
          TableFacts table = tables.get(row.getString(1));
          if (table == null) {
            return;
          }
          String other = row.getString(3);
          String qualifier = row.getString(4);
          String target = qualifier.equals(schema) ? other : qualifier + "." + other;
          String name = table.name() + "\n" + row.getString(2);
          TableFacts.ForeignKey key = open.get(name);
          if (key == null) {
            key = new TableFacts.ForeignKey(new ArrayList<>(), target, new ArrayList<>());
            open.put(name, key);
            table.foreignKeys().add(key);
          }
          key.columns().add(column(row.getString(5)));
          key.referenced().add(column(row.getString(6)));
        });
  }

  private static String column(String name) {
    return name.toLowerCase(Locale.ROOT);
  }
}
