package io.shardwright.schema;

import io.shardwright.routing.KeyType;
import io.shardwright.schema.ShardSchema.Check;
import io.shardwright.schema.ShardSchema.Collation;
import io.shardwright.schema.ShardSchema.Column;
import io.shardwright.schema.ShardSchema.ForeignKey;
import io.shardwright.schema.ShardSchema.Index;
import io.shardwright.schema.ShardSchema.Misfit;
import io.shardwright.schema.ShardSchema.Source;
import io.shardwright.schema.ShardSchema.Table;
import io.shardwright.schema.ShardSchema.Unique;
import io.shardwright.schema.ShardSchema.UniqueKind;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** Reads the tables of one MariaDB shard, those of the database that the url names. */
final class MariaDbInspector {
  private static final String TABLES =
      """
      SELECT table_name, table_type, engine FROM information_schema.tables
      WHERE table_schema = DATABASE() AND table_type IN ('BASE TABLE', 'SYSTEM VERSIONED')
        AND table_name IN (%s)""";

  private static final String COLUMNS =
      """
      SELECT table_name, column_name, column_type, data_type, is_nullable, column_default, extra,
        is_generated, generation_expression, character_maximum_length, character_octet_length,
        numeric_precision, numeric_scale, datetime_precision, collation_name
      FROM information_schema.columns
      WHERE table_schema = DATABASE() AND table_name IN (%s)
      ORDER BY table_name, ordinal_position""";

  private static final String INDEXES =
      """
      SELECT table_name, index_name, non_unique, column_name, sub_part, index_type
      FROM information_schema.statistics
      WHERE table_schema = DATABASE() AND ignored = 'NO' AND table_name IN (%s)
      ORDER BY table_name, index_name, seq_in_index""";

  private static final String FOREIGN_KEYS =
      """
      SELECT k.table_name, k.constraint_name, k.column_name,
        IF(k.referenced_table_schema = DATABASE(), k.referenced_table_name,
           CONCAT(k.referenced_table_schema, '.', k.referenced_table_name)),
        k.referenced_column_name, r.delete_rule, r.update_rule
      FROM information_schema.key_column_usage k
      JOIN information_schema.referential_constraints r
        ON r.constraint_schema = k.constraint_schema AND r.table_name = k.table_name
          AND r.constraint_name = k.constraint_name
      WHERE k.table_schema = DATABASE() AND k.table_name IN (%s)
      ORDER BY k.table_name, k.constraint_name, k.ordinal_position""";

  private static final String CHECKS =
      """
      SELECT table_name, constraint_name, check_clause FROM information_schema.check_constraints
      WHERE constraint_schema = DATABASE() AND table_name IN (%s)
      ORDER BY table_name, constraint_name""";

  private final Connection connection;
  private final Set<String> names;
  private final List<Misfit> misfits = new ArrayList<>();
  private final Map<String, Parts> tables = new HashMap<>();

  /** A table while its rows arrive. */
  private record Parts(
      List<Column> columns,
      Map<String, List<String>> indexes,
      Map<String, Boolean> unique,
      Map<String, ForeignKeyParts> foreignKeys,
      List<Check> checks) {
    Parts() {
      this(
          new ArrayList<>(),
          new LinkedHashMap<>(),
          new HashMap<>(),
          new LinkedHashMap<>(),
          new ArrayList<>());
    }
  }

  private record ForeignKeyParts(
      String target,
      List<String> columns,
      List<String> targetColumns,
      String onDelete,
      String onUpdate) {}

  private interface RowReader {
    void read(ResultSet row) throws SQLException;
  }

  /**
   * @param names as the database stores them
   */
  MariaDbInspector(Connection connection, Collection<String> names) {
    this.connection = connection;
    this.names = Set.copyOf(names);
  }

  ShardSchema read() throws SQLException {
    MariaDbSettings settings = MariaDbSettings.read(connection);
    misfits.addAll(settings.misfits());
    Map<String, Table> result = new HashMap<>();
    if (!names.isEmpty()) {
      each(TABLES, this::addTable);
      each(COLUMNS, row -> addColumn(row, settings.sortedBytesMax()));
      each(INDEXES, this::addIndex);
      each(FOREIGN_KEYS, this::addForeignKey);
      each(CHECKS, this::addCheck);
      tables.forEach((name, parts) -> result.put(name, table(name, parts)));
    }
    return new ShardSchema(settings.server(), result, misfits);
  }

  /** The schema's own names compare without case, those of tables need not. */
  private void each(String sql, RowReader reader) throws SQLException {
    String parameters = String.join(", ", Collections.nCopies(names.size(), "?"));
    try (PreparedStatement select =
        connection.prepareStatement(String.format(Locale.ROOT, sql, parameters))) {
      int parameter = 1;
      for (String name : names) {
        select.setString(parameter++, name);
      }
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          if (names.contains(row.getString(1))) {
            reader.read(row);
          }
        }
      }
    }
  }

  private void addTable(ResultSet row) throws SQLException {
    String name = row.getString(1);
    if (row.getString(2).equals("SYSTEM VERSIONED")) {
      misfit(
          name,
          "table " + name + " is system-versioned, which this release does not know",
          "drop its versioning on all shards");
    } else {
      tables.put(name, new Parts());
      if (!"InnoDB".equals(row.getString(3))) {
        misfit(
            name,
            "table "
                + name
                + " is of engine "
                + row.getString(3)
                + ", which has no transactions like those of InnoDB",
            "ALTER TABLE " + MariaDbShard.INSTANCE.quote(name) + " ENGINE = InnoDB on all shards");
      }
    }
  }

  private void misfit(String table, String message, String action) {
    misfits.add(new Misfit(Optional.of(table), message, action));
  }

  private Parts parts(ResultSet row) throws SQLException {
    return tables.computeIfAbsent(row.getString(1), name -> new Parts());
  }

  private void addColumn(ResultSet row, long sortedBytesMax) throws SQLException {
    String table = row.getString(1);
    String name = folded(row.getString(2));
    if (!tables.containsKey(table)) {
      return;
    }
    if (row.getString(7).contains("INVISIBLE")) {
      // Left out: an INSERT without column names does not count it.
      misfit(
          table,
          "column " + table + "." + name + " is invisible, which this release does not know",
          "make it visible on all shards");
      return;
    }
    MariaDbTypes.Type type = type(row);
    Optional<Collation> collation =
        Optional.ofNullable(row.getString(15)).map(MariaDbTypes::collation);
    Optional<KeyType> keyType = MariaDbTypes.keyType(type, collation);
    parts(row)
        .columns
        .add(
            new Column(
                name,
                type.declared(),
                type.name(),
                type.name().equals("varchar")
                    ? OptionalInt.of(row.getInt(10))
                    : OptionalInt.empty(),
                row.getString(5).equals("YES"),
                source(row),
                expression(row),
                keyType,
                collation,
                MariaDbTypes.ordering(type, collation, sortedBytesMax)));
  }

  private static MariaDbTypes.Type type(ResultSet row) throws SQLException {
    String declared = row.getString(3);
    boolean unsigned = declared.contains(" unsigned");
    return new MariaDbTypes.Type(
        row.getString(4) + (unsigned ? " unsigned" : ""),
        declared,
        row.getLong(11),
        row.getInt(12),
        row.getInt(13),
        row.getInt(14));
  }

  private static Source source(ResultSet row) throws SQLException {
    if (row.getString(7).contains("auto_increment")) {
      return Source.IDENTITY;
    }
    if (row.getString(8).equals("ALWAYS")) {
      return Source.GENERATED;
    }
    Optional<String> expression = expression(row);
    if (expression.isEmpty()) {
      return Source.NOTHING;
    }
    if (expression.get().startsWith("nextval(")) {
      return Source.SEQUENCE;
    }
    return MariaDbTypes.isVolatile(expression.get()) ? Source.VOLATILE : Source.DEFAULT;
  }

  /** Of the default, of a generated column, or what fills the column in an UPDATE. */
  private static Optional<String> expression(ResultSet row) throws SQLException {
    if (row.getString(9) != null) {
      return Optional.of(row.getString(9));
    }
    String value = row.getString(6);
    String extra = row.getString(7);
    int update = extra.indexOf("on update ");
    if (update >= 0) {
      return Optional.of((value == null ? "NULL" : value) + " " + extra.substring(update));
    }
    return Optional.ofNullable(value).filter(text -> !text.equals("NULL"));
  }

  private void addIndex(ResultSet row) throws SQLException {
    String name = row.getString(2);
    String type = row.getString(6);
    String column = folded(row.getString(4));
    if (row.getString(5) != null && (type.equals("BTREE") || type.equals("HASH"))) {
      column += "(" + row.getInt(5) + ")";
    } else if (!type.equals("BTREE") && !type.equals("HASH")) {
      column = type + "(" + column + ")";
    }
    Parts parts = parts(row);
    parts.indexes.computeIfAbsent(name, n -> new ArrayList<>()).add(column);
    parts.unique.put(name, row.getInt(3) == 0);
  }

  private void addForeignKey(ResultSet row) throws SQLException {
    ForeignKeyParts key = parts(row).foreignKeys.get(row.getString(2));
    if (key == null) {
      key =
          new ForeignKeyParts(
              row.getString(4),
              new ArrayList<>(),
              new ArrayList<>(),
              row.getString(6),
              row.getString(7));
      parts(row).foreignKeys.put(row.getString(2), key);
    }
    key.columns.add(folded(row.getString(3)));
    key.targetColumns.add(folded(row.getString(5)));
  }

  private void addCheck(ResultSet row) throws SQLException {
    parts(row).checks.add(new Check(row.getString(2), row.getString(3), true));
  }

  private static Table table(String name, Parts parts) {
    List<Unique> uniques = new ArrayList<>();
    List<Index> indexes = new ArrayList<>();
    parts.indexes.forEach(
        (index, columns) -> {
          boolean unique = parts.unique.get(index);
          indexes.add(new Index(index, columns, unique, false));
          if (unique) {
            boolean primary = index.equals("PRIMARY");
            uniques.add(
                new Unique(index, primary ? UniqueKind.PRIMARY_KEY : UniqueKind.INDEX, columns));
          }
        });
    List<ForeignKey> foreignKeys = new ArrayList<>();
    parts.foreignKeys.forEach(
        (key, p) ->
            foreignKeys.add(
                new ForeignKey(key, p.columns, p.target, p.targetColumns, p.onDelete, p.onUpdate)));
    return new Table(name, parts.columns, uniques, foreignKeys, parts.checks, indexes);
  }

  /** Names of columns compare without case. */
  private static String folded(String column) {
    return column.toLowerCase(Locale.ROOT);
  }
}
