package io.shardwright.schema;

import io.shardwright.catalog.Database;
import io.shardwright.catalog.SqlFailure;
import io.shardwright.config.Configuration.Mover;
import io.shardwright.config.DatabaseProduct;
import io.shardwright.routing.KeyType;
import io.shardwright.schema.ShardSchema.Column;
import io.shardwright.schema.ShardSchema.Source;
import io.shardwright.schema.ShardSchema.Table;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** PostgreSQL. */
final class PostgresShard extends ShardDatabase {
  static final PostgresShard INSTANCE = new PostgresShard();

  private static final String CANONICAL_TEXT =
      "SET LOCAL TimeZone = 'UTC'; SET LOCAL DateStyle = 'ISO, YMD';"
          + " SET LOCAL IntervalStyle = 'postgres'; SET LOCAL extra_float_digits = 1;"
          + " SET LOCAL bytea_output = 'hex'";

  private static final String TYPES =
      """
      SELECT a.attname, format_type(a.atttypid, a.atttypmod)
        || CASE WHEN a.attcollation <> t.typcollation
             THEN format(' COLLATE %I.%I', n.nspname, o.collname) ELSE '' END
      FROM pg_attribute a
      JOIN pg_type t ON t.oid = a.atttypid
      LEFT JOIN pg_collation o ON o.oid = a.attcollation
      LEFT JOIN pg_namespace n ON n.oid = o.collnamespace
      WHERE a.attrelid = to_regclass(quote_ident(?)) AND a.attnum > 0 AND NOT a.attisdropped\
      """;

  /** Names that it was created with: a session may find other tables by the same names. */
  private static final String SCHEMA =
      """
      SELECT (SELECT quote_ident(n.nspname) || '.' FROM pg_class c
                JOIN pg_namespace n ON n.oid = c.relnamespace
               WHERE c.oid = to_regclass(quote_ident(?)))\
      """;

  private PostgresShard() {
    super(Database.of(DatabaseProduct.POSTGRESQL));
  }

  @Override
  ShardSchema inspect(Connection connection, Collection<String> tables) throws SQLException {
    return new PostgresInspector().read(connection, tables);
  }

  /**
   * The zone that clients get which set none, as JDBC drivers do. Only some roles may read it; the
   * comparison of shards is then left out.
   */
  @Override
  ShardSchema completed(Connection connection, ShardSchema schema) throws SQLException {
    if (schema.settings().timeZone().isPresent()) {
      return schema;
    }
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT setting FROM pg_file_settings WHERE lower(name) = 'timezone' AND"
                    + " applied")) {
      return row.next()
          ? schema.withSettings(schema.settings().withTimeZone(row.getString(1)))
          : schema;
    } catch (SQLException e) {
      if (SqlFailure.isMissingRight(e)) {
        return schema;
      }
      throw e;
    }
  }

  @Override
  String whyNoKey(Column column) {
    return PostgresTypes.whyNoKey(column);
  }

  @Override
  Optional<KeyType> indexType(Column column) {
    return column.keyType();
  }

  @Override
  String whyNoIndex(Column column) {
    return PostgresTypes.whyNoKey(column);
  }

  @Override
  boolean isOrdered(Column column) {
    return PostgresTypes.isOrdered(column);
  }

  /** Any: it has a form as text that it is read back from. */
  @Override
  boolean isCopied(Column column) {
    return true;
  }

  @Override
  Optional<String> writtenBelowTriggers(Table table, List<String> columns) {
    return Optional.empty();
  }

  @Override
  Optional<String> deletedBelowTriggers(Table table) {
    return Optional.empty();
  }

  @Override
  boolean isGeneType(Column column) {
    return column.typeName().equals("int8");
  }

  @Override
  boolean isBucketType(Column column) {
    return Set.of("int2", "int4", "int8").contains(column.typeName());
  }

  @Override
  boolean isWide(Column bucket) {
    return !bucket.typeName().equals("int2");
  }

  @Override
  String setNotNull(Table table, Column column) {
    return alter(table, column) + " SET NOT NULL";
  }

  @Override
  String dropDefault(Table table, Column column) {
    return alter(table, column)
        + (column.source() == Source.IDENTITY ? " DROP IDENTITY" : " DROP DEFAULT");
  }

  private String alter(Table table, Column column) {
    return "ALTER TABLE " + quote(table.name()) + " ALTER COLUMN " + quote(column.name());
  }

  @Override
  String unvalidated() {
    return " NOT VALID";
  }

  @Override
  String validate(String table, String constraint) {
    return "ALTER TABLE " + quote(table) + " VALIDATE CONSTRAINT " + quote(constraint);
  }

  @Override
  String bare(String check) {
    return check.replaceAll("::bigint|::integer|NOT VALID|[\\s()\"]", "");
  }

  @Override
  boolean hasCheck(Connection connection, String table, String constraint) throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement(
            "SELECT 1 FROM pg_constraint"
                + " WHERE conrelid = to_regclass(quote_ident(?)) AND conname = ?")) {
      select.setString(1, table);
      select.setString(2, constraint);
      try (ResultSet row = select.executeQuery()) {
        return row.next();
      }
    }
  }

  @Override
  Map<String, String> declaredTypes(Connection connection, Table table) throws SQLException {
    Map<String, String> types = new HashMap<>();
    try (PreparedStatement select = connection.prepareStatement(TYPES)) {
      select.setString(1, table.name());
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          types.put(row.getString(1), row.getString(2));
        }
      }
    }
    return types;
  }

  /** In which the connection finds the table, with a dot. */
  static String schema(Connection connection, String table) throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(SCHEMA)) {
      select.setString(1, table);
      try (ResultSet row = select.executeQuery()) {
        row.next();
        return row.getString(1);
      }
    }
  }

  @Override
  void bounded(Connection connection, Duration lockWait, Work work) throws SQLException {
    database()
        .locked(
            connection,
            c -> {
              try (Statement statement = c.createStatement()) {
                statement.execute("SET LOCAL lock_timeout = " + lockWait.toMillis());
                work.run(statement);
              }
              return null;
            });
  }

  /** The timeline: a standby that is promoted begins a new one. */
  @Override
  String incarnation() {
    return "pg_catalog.left(pg_catalog.pg_walfile_name(pg_catalog.pg_current_wal_lsn()), 8)";
  }

  @Override
  String isNot(Mover mover) {
    return "session_user <> '" + mover.user() + "'";
  }

  @Override
  ReferenceDigest digest(Connection connection, Table table) throws SQLException {
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      statement.execute(CANONICAL_TEXT);
      try (ResultSet row =
          statement.executeQuery(
              "SELECT count(*), COALESCE(sum(('x' || left(h, 16))::bit(64)::bigint::numeric), 0),"
                  + " COALESCE(sum(('x' || right(h, 16))::bit(64)::bigint::numeric), 0)"
                  + " FROM (SELECT md5((r.*)::text) AS h FROM "
                  + quote(table.name())
                  + " r) digests")) {
        row.next();
        return new ReferenceDigest(row.getLong(1), row.getBigDecimal(2), row.getBigDecimal(3));
      }
    } finally {
      connection.rollback();
      connection.setAutoCommit(true);
    }
  }
}
