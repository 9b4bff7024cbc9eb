package io.shardwright.schema;

import io.shardwright.catalog.Database;
import io.shardwright.config.Configuration.Mover;
import io.shardwright.config.DatabaseProduct;
import io.shardwright.routing.KeyType;
import io.shardwright.schema.ShardSchema.Collation;
import io.shardwright.schema.ShardSchema.Column;
import io.shardwright.schema.ShardSchema.ForeignKey;
import io.shardwright.schema.ShardSchema.Source;
import io.shardwright.schema.ShardSchema.Table;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** MariaDB. */
final class MariaDbShard extends ShardDatabase {
  static final MariaDbShard INSTANCE = new MariaDbShard();

  private static final Set<String> WIDE =
      Set.of(
          "smallint unsigned",
          "mediumint",
          "mediumint unsigned",
          "int",
          "int unsigned",
          "bigint",
          "bigint unsigned");

  private static final Set<String> CHANGING = Set.of("CASCADE", "SET NULL");

  private MariaDbShard() {
    super(Database.of(DatabaseProduct.MARIADB));
  }

  @Override
  ShardSchema inspect(Connection connection, Collection<String> tables) throws SQLException {
    return new MariaDbInspector(connection, tables).read();
  }

  /** information_schema leaves out what it cannot open because of DDL. */
  @Override
  ShardSchema inspectAlone(Connection connection, Collection<String> tables) throws SQLException {
    return database().locked(connection, c -> inspect(c, tables));
  }

  @Override
  ShardSchema completed(Connection connection, ShardSchema schema) {
    return schema;
  }

  @Override
  String whyNoKey(Column column) {
    return MariaDbTypes.whyNoKey(column);
  }

  @Override
  Optional<KeyType> indexType(Column column) {
    return MariaDbTypes.indexType(column);
  }

  @Override
  String whyNoIndex(Column column) {
    return MariaDbTypes.whyNoIndex(column);
  }

  @Override
  boolean isOrdered(Column column) {
    return MariaDbTypes.isOrdered(column);
  }

  @Override
  boolean isCopied(Column column) {
    return MariaDbTypes.isCopied(column);
  }

  /** InnoDB carries out the actions of foreign keys by itself. */
  @Override
  Optional<String> writtenBelowTriggers(Table table, List<String> columns) {
    return table.foreignKeys().stream()
        .filter(key -> CHANGING.contains(key.onUpdate()) || key.onDelete().equals("SET NULL"))
        .filter(key -> !Collections.disjoint(key.columns(), columns))
        .map(ForeignKey::name)
        .findFirst();
  }

  @Override
  Optional<String> deletedBelowTriggers(Table table) {
    return table.foreignKeys().stream()
        .filter(key -> key.onDelete().equals("CASCADE"))
        .map(ForeignKey::name)
        .findFirst();
  }

  @Override
  boolean isGeneType(Column column) {
    return column.typeName().equals("bigint");
  }

  @Override
  boolean isBucketType(Column column) {
    return column.typeName().equals("smallint") || isWide(column);
  }

  @Override
  boolean isWide(Column bucket) {
    return WIDE.contains(bucket.typeName());
  }

  @Override
  String setNotNull(Table table, Column column) {
    return modify(table, column, " NOT NULL");
  }

  /** MODIFY states all of a column; what it does not name is gone. */
  @Override
  String dropDefault(Table table, Column column) {
    return column.source() == Source.VOLATILE || column.source() == Source.IDENTITY
        ? modify(table, column, column.nullable() ? " NULL" : " NOT NULL")
        : "ALTER TABLE "
            + quote(table.name())
            + " ALTER COLUMN "
            + quote(column.name())
            + " DROP DEFAULT";
  }

  private String modify(Table table, Column column, String end) {
    return "ALTER TABLE "
        + quote(table.name())
        + " MODIFY "
        + quote(column.name())
        + " "
        + column.type()
        + column.collation().map(c -> " COLLATE " + c.name()).orElse("")
        + end;
  }

  /** The server reads the rows when the CHECK is added; writers go on from 11.2 on. */
  @Override
  String unvalidated() {
    return "";
  }

  @Override
  String validate(String table, String constraint) {
    return "";
  }

  @Override
  String bare(String check) {
    return check.replaceAll("^CHECK|[\\s()`]", "").toLowerCase(Locale.ROOT);
  }

  @Override
  boolean hasCheck(Connection connection, String table, String constraint) throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement(
            "SELECT 1 FROM information_schema.check_constraints"
                + " WHERE constraint_schema = DATABASE() AND table_name = ?"
                + " AND constraint_name = ?")) {
      select.setString(1, table);
      select.setString(2, constraint);
      try (ResultSet row = select.executeQuery()) {
        return row.next();
      }
    }
  }

  @Override
  Map<String, String> declaredTypes(Connection connection, Table table) {
    Map<String, String> types = new HashMap<>();
    for (Column column : table.columns()) {
      types.put(
          column.name(),
          column.type()
              + column.collation().map(Collation::name).map(c -> " COLLATE " + c).orElse(""));
    }
    return types;
  }

  /** Each statement of DDL is a transaction, and waits for those that use the table. */
  @Override
  void bounded(Connection connection, Duration lockWait, Work work) throws SQLException {
    database()
        .locked(
            connection,
            c -> {
              try (Statement statement = c.createStatement()) {
                database().limitLockWait(statement, lockWait);
                work.run(statement);
              }
              return null;
            });
  }

  @Override
  String incarnation() {
    return "CAST(@@server_id AS CHAR)";
  }

  /** Byte by byte, as names of users compare. */
  @Override
  String isNot(Mover mover) {
    String user = mover.user() + "@";
    return "BINARY LEFT(USER(), " + user.length() + ") <> '" + user + "'";
  }

  /**
   * Each value is hashed by itself, so that no row is longer than what the server may concatenate.
   */
  @Override
  ReferenceDigest digest(Connection connection, Table table) throws SQLException {
    String row =
        table.columns().stream()
            .map(this::hashed)
            .collect(Collectors.joining(", ", "CONCAT(", ")"));
    try (Statement statement = connection.createStatement()) {
      String zone = timeZone(statement);
      statement.execute("SET SESSION time_zone = '+00:00'");
      try (ResultSet sums =
          statement.executeQuery(
              "SELECT count(h), COALESCE(SUM(CAST(CONV(LEFT(h, 16), 16, 10) AS UNSIGNED)), 0),"
                  + " COALESCE(SUM(CAST(CONV(RIGHT(h, 16), 16, 10) AS UNSIGNED)), 0)"
                  + " FROM (SELECT MD5("
                  + row
                  + ") AS h FROM "
                  + quote(table.name())
                  + ") digests")) {
        sums.next();
        return new ReferenceDigest(sums.getLong(1), sums.getBigDecimal(2), sums.getBigDecimal(3));
      } finally {
        statement.execute("SET SESSION time_zone = '" + zone + "'");
      }
    }
  }

  private String hashed(Column column) {
    String name = quote(column.name());
    String text =
        switch (column.typeName()) {
          // A float as text has six digits only.
          case "float", "double" -> name + " + 0e0";
          case "bit" -> name + " + 0";
          default -> name;
        };
    return "IF(" + name + " IS NULL, '-', MD5(" + text + "))";
  }

  private static String timeZone(Statement statement) throws SQLException {
    try (ResultSet row = statement.executeQuery("SELECT @@session.time_zone")) {
      row.next();
      return row.getString(1);
    }
  }
}
