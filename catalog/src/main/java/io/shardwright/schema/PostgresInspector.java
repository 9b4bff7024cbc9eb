package io.shardwright.schema;

import io.shardwright.schema.ShardSchema.Check;
import io.shardwright.schema.ShardSchema.Collation;
import io.shardwright.schema.ShardSchema.Column;
import io.shardwright.schema.ShardSchema.ForeignKey;
import io.shardwright.schema.ShardSchema.Index;
import io.shardwright.schema.ShardSchema.ServerSettings;
import io.shardwright.schema.ShardSchema.Source;
import io.shardwright.schema.ShardSchema.Table;
import io.shardwright.schema.ShardSchema.Unique;
import io.shardwright.schema.ShardSchema.UniqueKind;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads the tables of one PostgreSQL shard, found through the connection's search_path, in one
 * round trip for all of them: four statements in one message.
 */
final class PostgresInspector {
  private static final String SETTINGS =
      """
      SELECT current_setting('server_version'), current_setting('server_version_num')::int / 10000,
        (SELECT split_part(c, '=', 2)
           FROM pg_db_role_setting s CROSS JOIN unnest(s.setconfig) c
          WHERE s.setdatabase IN (0, d.oid)
            AND s.setrole IN (0, (SELECT oid FROM pg_roles WHERE rolname = current_user))
            AND lower(c) LIKE 'timezone=%'
          ORDER BY s.setrole <> 0 DESC, s.setdatabase <> 0 DESC LIMIT 1),
        current_setting('server_encoding'), d.datlocprovider,
        COALESCE(to_jsonb(d) ->> 'datlocale', to_jsonb(d) ->> 'daticulocale', d.datcollate),
        pg_database_collation_actual_version(d.oid)
      FROM pg_database d WHERE d.datname = current_database()""";

  private static final String TABLES =
      """
      FROM unnest(?::text[]) n (name)
      JOIN pg_class c ON c.oid = to_regclass(quote_ident(n.name)) AND c.relkind IN ('r', 'p')
      """;

  /**
   * Whether the tree of a default calls a function that is not immutable, by itself, by an operator
   * or by a conversion from text, or is one of the likes of CURRENT_TIMESTAMP.
   */
  private static final String IS_VOLATILE =
      """
      (SELECT tree LIKE '%{SQLVALUEFUNCTION %' OR tree LIKE '%{NEXTVALUEEXPR %'
          OR EXISTS (SELECT FROM regexp_matches(tree, ':(funcid|opfuncid) (\\d+)', 'g') f
                       JOIN pg_proc p ON p.oid = f[2]::oid WHERE p.provolatile <> 'i')
          OR (tree LIKE '%{COERCEVIAIO %'
              AND EXISTS (SELECT FROM regexp_matches(tree, ':resulttype (\\d+)', 'g') f
                            JOIN pg_type y ON y.oid = f[1]::oid
                            JOIN pg_proc p ON p.oid = y.typinput WHERE p.provolatile <> 'i'))
         FROM (SELECT COALESCE(e.adbin, t.typdefaultbin)::text) d (tree))
      """;

  private static final String COLUMNS =
      """
      SELECT n.name, a.attname, format_type(a.atttypid, a.atttypmod), t.typname, a.atttypmod,
        a.attnotnull, a.attidentity <> '', a.attgenerated <> '',
        COALESCE(pg_get_expr(e.adbin, e.adrelid), t.typdefault),
        o.collname, o.collprovider, o.collcollate, o.collisdeterministic,
        pg_collation_actual_version(o.oid),
      """
          + IS_VOLATILE
          + TABLES
          + """
          JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
          JOIN pg_type t ON t.oid = a.atttypid
          LEFT JOIN pg_attrdef e ON e.adrelid = c.oid AND e.adnum = a.attnum
          LEFT JOIN pg_collation o ON o.oid = a.attcollation
          ORDER BY n.name, a.attnum""";

  private static final String CONSTRAINTS =
      """
      SELECT n.name, k.conname, k.contype,
        ARRAY(SELECT a.attname::text FROM unnest(k.conkey) WITH ORDINALITY p (num, pos)
              JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = p.num ORDER BY p.pos),
        (SELECT f.relname FROM pg_class f WHERE f.oid = k.confrelid),
        ARRAY(SELECT a.attname::text FROM unnest(k.confkey) WITH ORDINALITY p (num, pos)
              JOIN pg_attribute a ON a.attrelid = k.confrelid AND a.attnum = p.num ORDER BY p.pos),
        k.confdeltype, k.confupdtype, k.convalidated, pg_get_constraintdef(k.oid)
      """
          + TABLES
          + """
          JOIN pg_constraint k ON k.conrelid = c.oid AND k.contype IN ('p', 'u', 'x', 'f', 'c')
          ORDER BY n.name, k.conname""";

  private static final String INDEXES =
      """
      SELECT n.name, i.relname, x.indisunique, x.indpred IS NOT NULL,
        EXISTS (SELECT FROM pg_constraint k
                 WHERE k.conindid = x.indexrelid AND k.conrelid = c.oid AND k.contype <> 'f'),
        ARRAY(SELECT COALESCE(a.attname::text, pg_get_indexdef(x.indexrelid, p.pos::int, true))
              FROM unnest(x.indkey) WITH ORDINALITY p (num, pos)
              LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = p.num AND p.num <> 0
              WHERE p.pos <= x.indnkeyatts ORDER BY p.pos)
      """
          + TABLES
          + """
          JOIN pg_index x ON x.indrelid = c.oid AND x.indisvalid
          JOIN pg_class i ON i.oid = x.indexrelid
          ORDER BY n.name, i.relname""";

  private static final String ALL = String.join(";\n", SETTINGS, COLUMNS, CONSTRAINTS, INDEXES);

  private final Map<String, TableParts> tables = new HashMap<>();

  /** A table while its rows arrive. */
  private record TableParts(
      List<Column> columns,
      List<Unique> uniques,
      List<ForeignKey> foreignKeys,
      List<Check> checks,
      List<Index> indexes) {
    TableParts() {
      this(
          new ArrayList<>(),
          new ArrayList<>(),
          new ArrayList<>(),
          new ArrayList<>(),
          new ArrayList<>());
    }
  }

  /**
   * @param names as the database stores them
   */
  ShardSchema read(Connection connection, Collection<String> names) throws SQLException {
    Array array = connection.createArrayOf("text", names.toArray());
    try (PreparedStatement statement = connection.prepareStatement(ALL)) {
      for (int parameter = 1; parameter <= 3; parameter++) {
        statement.setArray(parameter, array);
      }
      statement.execute();
      Settings settings = settings(statement);
      for (ResultSet row = next(statement); row.next(); ) {
        parts(row).columns.add(column(row, settings));
      }
      for (ResultSet row = next(statement); row.next(); ) {
        addConstraint(row);
      }
      for (ResultSet row = next(statement); row.next(); ) {
        addIndex(row);
      }
      Map<String, Table> result = new HashMap<>();
      this.tables.forEach(
          (name, p) ->
              result.put(
                  name, new Table(name, p.columns, p.uniques, p.foreignKeys, p.checks, p.indexes)));
      return new ShardSchema(settings.server, result, List.of());
    } finally {
      array.free();
    }
  }

  private static ResultSet next(PreparedStatement statement) throws SQLException {
    statement.getMoreResults();
    return statement.getResultSet();
  }

  private TableParts parts(ResultSet row) throws SQLException {
    return tables.computeIfAbsent(row.getString(1), name -> new TableParts());
  }

  /** The server, and the collation that columns without one of their own have. */
  private record Settings(ServerSettings server, Collation databaseCollation) {}

  private static Settings settings(PreparedStatement statement) throws SQLException {
    ResultSet row = statement.getResultSet();
    row.next();
    String provider = row.getString(5);
    String locale = row.getString(6);
    String collation = PostgresTypes.providerName(provider) + " " + locale;
    Optional<String> version = Optional.ofNullable(row.getString(7));
    return new Settings(
        new ServerSettings(
            row.getString(1),
            row.getString(2),
            Optional.ofNullable(row.getString(3)),
            row.getString(4),
            collation,
            version,
            Map.of()),
        new Collation(collation, PostgresTypes.isCodePointOrder(provider, locale), true, version));
  }

  private static Column column(ResultSet row, Settings settings) throws SQLException {
    String typeName = row.getString(4);
    int modifier = row.getInt(5);
    Optional<Collation> collation = collation(row, settings.databaseCollation);
    Optional<String> expression = Optional.ofNullable(row.getString(9));
    return new Column(
        row.getString(2),
        row.getString(3),
        typeName,
        PostgresTypes.maxLength(typeName, modifier),
        !row.getBoolean(6),
        source(row, expression),
        expression,
        PostgresTypes.keyType(typeName, modifier, collation),
        collation,
        PostgresTypes.ordering(typeName, collation));
  }

  private static Source source(ResultSet row, Optional<String> expression) throws SQLException {
    if (row.getBoolean(7)) {
      return Source.IDENTITY;
    }
    if (row.getBoolean(8)) {
      return Source.GENERATED;
    }
    if (expression.isEmpty()) {
      return Source.NOTHING;
    }
    if (expression.get().contains("nextval(")) {
      return Source.SEQUENCE;
    }
    return row.getBoolean(15) ? Source.VOLATILE : Source.DEFAULT;
  }

  private static Optional<Collation> collation(ResultSet row, Collation database)
      throws SQLException {
    String name = row.getString(10);
    if (name == null) {
      return Optional.empty();
    }
    String provider = row.getString(11);
    if (provider.equals("d")) {
      return Optional.of(database);
    }
    return Optional.of(
        new Collation(
            name,
            PostgresTypes.isCodePointOrder(provider, row.getString(12)),
            row.getBoolean(13),
            Optional.ofNullable(row.getString(14))));
  }

  private void addConstraint(ResultSet row) throws SQLException {
    String name = row.getString(2);
    List<String> columns = names(row.getArray(4));
    TableParts table = parts(row);
    switch (row.getString(3)) {
      case "p" -> table.uniques.add(new Unique(name, UniqueKind.PRIMARY_KEY, columns));
      case "u" -> table.uniques.add(new Unique(name, UniqueKind.CONSTRAINT, columns));
      case "x" -> table.uniques.add(new Unique(name, UniqueKind.EXCLUSION, columns));
      case "c" -> table.checks.add(new Check(name, row.getString(10), row.getBoolean(9)));
      default ->
          table.foreignKeys.add(
              new ForeignKey(
                  name,
                  columns,
                  row.getString(5),
                  names(row.getArray(6)),
                  action(row.getString(7)),
                  action(row.getString(8))));
    }
  }

  private void addIndex(ResultSet row) throws SQLException {
    List<String> columns = names(row.getArray(6));
    boolean unique = row.getBoolean(3);
    parts(row).indexes.add(new Index(row.getString(2), columns, unique, row.getBoolean(4)));
    if (unique && !row.getBoolean(5)) {
      parts(row).uniques.add(new Unique(row.getString(2), UniqueKind.INDEX, columns));
    }
  }

  private static List<String> names(Array array) throws SQLException {
    return List.of((String[]) array.getArray());
  }

  private static String action(String code) {
    return switch (code) {
      case "r" -> "RESTRICT";
      case "c" -> "CASCADE";
      case "n" -> "SET NULL";
      case "d" -> "SET DEFAULT";
      default -> "NO ACTION";
    };
  }
}
