package io.shardwright.advisor.schema;

import static io.shardwright.advisor.schema.LiveCatalog.query;

import io.shardwright.advisor.schema.TableStatistics.ColumnStatistics;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** PostgreSQL 12 and newer, by its catalogs and pg_stats. */
final class PostgreSqlCatalog implements LiveCatalog {
  private static final String QUERY_CANCELED = "57014";

  /** A partitioned table has the size of its partitions, a partition is no table of its own. */
  private static final String TABLES =
      """
      SELECT c.relname,
             CASE c.relkind WHEN 'p' THEN p.bytes ELSE pg_total_relation_size(c.oid) END,
             CASE c.relkind WHEN 'p' THEN p.tuples ELSE c.reltuples END
      FROM pg_class c
      JOIN pg_namespace n ON n.oid = c.relnamespace
      CROSS JOIN LATERAL (
        SELECT coalesce(sum(pg_total_relation_size(t.relid)), 0)::bigint AS bytes,
               coalesce(sum(nullif(l.reltuples, -1)), -1) AS tuples
        FROM pg_partition_tree(c.oid) t JOIN pg_class l ON l.oid = t.relid
        WHERE t.isleaf AND c.relkind = 'p') p
      WHERE n.nspname = ? AND c.relkind IN ('r', 'p') AND NOT c.relispartition
      ORDER BY c.relname
      """;

  private static final String COLUMNS =
      """
      SELECT c.relname, a.attname, a.attnotnull,
             CASE WHEN t.typtype = 'e' THEN 'enum'
                  WHEN t.typtype = 'd' THEN format_type(t.typbasetype, t.typtypmod)
                  ELSE format_type(a.atttypid, a.atttypmod) END
      FROM pg_attribute a
      JOIN pg_class c ON c.oid = a.attrelid
      JOIN pg_namespace n ON n.oid = c.relnamespace
      JOIN pg_type t ON t.oid = a.atttypid
      WHERE n.nspname = ? AND c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped
      ORDER BY c.relname, a.attnum
      """;

  /** Included columns are no part of a key. */
  private static final String INDEXES =
      """
      SELECT c.relname, i.indexrelid, i.indisunique AND i.indpred IS NULL,
             coalesce(a.attname, '(expression)')
      FROM pg_index i
      JOIN pg_class c ON c.oid = i.indrelid
      JOIN pg_namespace n ON n.oid = c.relnamespace
      CROSS JOIN LATERAL unnest(i.indkey) WITH ORDINALITY k (attnum, place)
      LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.attnum AND k.attnum <> 0
      WHERE n.nspname = ? AND i.indisvalid AND k.place <= i.indnkeyatts
      ORDER BY c.relname, NOT i.indisprimary, i.indexrelid, k.place
      """;

  private static final String FOREIGN_KEYS =
      """
      SELECT c.relname, f.oid, r.relname, rn.nspname, a.attname, ra.attname
      FROM pg_constraint f
      JOIN pg_class c ON c.oid = f.conrelid
      JOIN pg_namespace n ON n.oid = c.relnamespace
      JOIN pg_class r ON r.oid = f.confrelid
      JOIN pg_namespace rn ON rn.oid = r.relnamespace
      CROSS JOIN LATERAL unnest(f.conkey, f.confkey) WITH ORDINALITY k (own, other, place)
      JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.own
      JOIN pg_attribute ra ON ra.attrelid = r.oid AND ra.attnum = k.other
      WHERE n.nspname = ? AND f.contype = 'f' AND f.conparentid = 0
      ORDER BY c.relname, f.oid, k.place
      """;

  /** Of a table with children the figures of all come first, its own replace them. */
  private static final String STATISTICS =
      """
      SELECT tablename, attname, null_frac, n_distinct, most_common_freqs[1]
      FROM pg_stats WHERE schemaname = ? ORDER BY inherited DESC
      """;

  @Override
  public List<String> readOnly() {
    return List.of("SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY");
  }

  @Override
  public String timeout(Duration limit) {
    return "SET statement_timeout = " + limit.toMillis();
  }

  @Override
  public boolean isTimeout(SQLException e) {
    return QUERY_CANCELED.equals(e.getSQLState());
  }

  @Override
  public String currentSchema() {
    return "SELECT current_schema()";
  }

  @Override
  public String quote(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
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
          // -1 before the first ANALYZE.
          double tuples = row.getDouble(3);
          rows.put(name, tuples < 0 ? OptionalLong.empty() : OptionalLong.of((long) tuples));
        });
    query(connection, COLUMNS, schema, row -> column(tables.get(row.getString(1)), row));
    indexes(connection, schema, tables);
    foreignKeys(connection, schema, tables);
    Map<String, Map<String, ColumnStatistics>> columns = new HashMap<>();
    query(
        connection,
        STATISTICS,
        schema,
        row -> {
          String name = row.getString(1);
          if (rows.containsKey(name)) {
            columns
                .computeIfAbsent(name, n -> new HashMap<>())
                .put(row.getString(2), statistics(row, rows.get(name)));
          }
        });
    Map<String, TableStatistics> statistics = new LinkedHashMap<>();
    for (String name : tables.keySet()) {
      statistics.put(
          name,
          new TableStatistics(
              bytes.get(name), rows.get(name), columns.getOrDefault(name, Map.of())));
    }
    return LiveCatalog.facts(schema, tables, statistics);
  }

  private static void column(TableFacts table, ResultSet row) throws SQLException {
    if (table != null) {
      table.types().put(row.getString(2), ColumnType.of(row.getString(4)));
      if (row.getBoolean(3)) {
        table.notNull().add(row.getString(2));
      }
    }
  }

  private static void indexes(Connection connection, String schema, Map<String, TableFacts> tables)
      throws SQLException {
    Map<Long, List<String>> open = new HashMap<>();
    query(
        connection,
        INDEXES,
        schema,
        row -> {
          TableFacts table = tables.get(row.getString(1));
          if (table == null) {
            return;
          }
          List<String> columns = open.get(row.getLong(2));
          if (columns == null) {
            columns = new ArrayList<>();
            open.put(row.getLong(2), columns);
            table.indexes().add(columns);
            if (row.getBoolean(3)) {
              table.unique().add(columns);
            }
          }
          columns.add(row.getString(4));
        });
  }

  private static void foreignKeys(
      Connection connection, String schema, Map<String, TableFacts> tables) throws SQLException {
    Map<Long, TableFacts.ForeignKey> open = new HashMap<>();
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
          String target =
              qualifier.equals(schema) || qualifier.equals("public")
                  ? other
                  : qualifier + "." + other;
          TableFacts.ForeignKey key = open.get(row.getLong(2));
          if (key == null) {
            key = new TableFacts.ForeignKey(new ArrayList<>(), target, new ArrayList<>());
            open.put(row.getLong(2), key);
            table.foreignKeys().add(key);
          }
          key.columns().add(row.getString(5));
          key.referenced().add(row.getString(6));
        });
  }

  private static ColumnStatistics statistics(ResultSet row, OptionalLong rows) throws SQLException {
    double nullShare = row.getDouble(3);
    double distinct = row.getDouble(4);
    double hottest = row.getDouble(5);
    // 0: not known; below it the share of the rows.
    OptionalLong values =
        distinct > 0
            ? OptionalLong.of((long) distinct)
            : distinct < 0 && rows.isPresent()
                ? OptionalLong.of(Math.round(-distinct * rows.getAsLong()))
                : OptionalLong.empty();
    return new ColumnStatistics(
        values,
        OptionalDouble.of(nullShare),
        hottest > 0 ? OptionalDouble.of(hottest) : OptionalDouble.empty());
  }
}
