package io.shardwright.migration;

import io.shardwright.config.DatabaseProduct;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.BucketSet;
import io.shardwright.routing.ShardId;
import io.shardwright.schema.Fence;
import io.shardwright.schema.ShardSchema.Column;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * On MariaDB: the rows of the fence are locked in a transaction, so closing them and letting go is
 * one commit; rows go as values of prepared statements. Foreign keys are not checked in this
 * session, and their actions not taken: what it writes was checked at the source.
 */
final class MariaDbMover extends MoverConnection {
  // Long because: all that differs on MariaDB stands in one place.

  private static final int BATCH_ROWS = 1_000;

  private static final Set<String> BYTES =
      Set.of("binary", "varbinary", "tinyblob", "blob", "mediumblob", "longblob");
  private static final Set<String> TEXTS =
      Set.of("char", "varchar", "tinytext", "text", "mediumtext", "longtext");
  private static final Set<String> NUMBERS =
      Set.of("tinyint", "smallint", "mediumint", "int", "bigint", "decimal");

  private static final String BLOCKER =
      """
      SELECT t.trx_mysql_thread_id, TIMESTAMPDIFF(SECOND, t.trx_started, now())
      FROM information_schema.innodb_trx t WHERE t.trx_mysql_thread_id <> connection_id()
      ORDER BY t.trx_started LIMIT 1\
      """;

  /** How a table's rows, or a sequence's numbers, get theirs. */
  private enum Numbering {
    SEQUENCE,
    AUTO_INCREMENT,
    NONE
  }

  private final Map<String, Numbering> numberings = new HashMap<>();

  MariaDbMover(ShardId shard, Connection connection) {
    super(shard, connection, DatabaseProduct.MARIADB);
  }

  /** Values that the server refuses today may be in rows of yesterday: zero dates, id 0. */
  @Override
  void prepare() throws SQLException {
    execute(
        "SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_AUTO_VALUE_ON_ZERO,ALLOW_INVALID_DATES',"
            + " time_zone = '+00:00', foreign_key_checks = 0, innodb_lock_wait_timeout = 5,"
            + " lock_wait_timeout = 5");
    connection().setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
  }

  /** Named locks are the server's, so the name holds the database. */
  @Override
  void endOthers(long move) throws SQLException {
    String name = "CONCAT('shardwright mover ', MD5(DATABASE()), ' ', " + move + ")";
    while (numbers("SELECT GET_LOCK(" + name + ", 1)").get(0) != 1) {
      for (long connection : numbers("SELECT IS_USED_LOCK(" + name + ")")) {
        if (connection > 0) {
          execute("KILL " + connection);
        }
      }
    }
  }

  @Override
  BucketSet tryLock(String group, BucketSet buckets) throws SQLException {
    connection().setAutoCommit(false);
    List<BucketId> locked = new ArrayList<>();
    try (PreparedStatement lock =
        connection()
            .prepareStatement(
                "SELECT bucket FROM "
                    + Fence.BUCKET_TABLE
                    + " WHERE grp = ? AND "
                    + among("bucket", buckets)
                    + " FOR UPDATE SKIP LOCKED")) {
      lock.setString(1, group);
      try (ResultSet row = lock.executeQuery()) {
        while (row.next()) {
          locked.add(new BucketId(row.getInt(1)));
        }
      }
    }
    return BucketSet.of(locked);
  }

  @Override
  void commitLocked() throws SQLException {
    unlock();
  }

  @Override
  void unlock() throws SQLException {
    if (!connection().getAutoCommit()) {
      connection().commit();
      connection().setAutoCommit(true);
    }
  }

  @Override
  Optional<String> blocker(String group, BucketSet buckets) throws SQLException {
    List<String> prepared = preparedUnlocked();
    if (!prepared.isEmpty()) {
      return Optional.of(
          "XA transactions that are prepared, of this server's databases: "
              + String.join(", ", prepared)
              + "; see XA RECOVER, then XA COMMIT or XA ROLLBACK them");
    }
    try (Statement select = connection().createStatement();
        ResultSet row = select.executeQuery(BLOCKER)) {
      return row.next()
          ? Optional.of(
              "connection " + row.getLong(1) + " has a transaction of " + row.getLong(2) + " s")
          : Optional.empty();
    }
  }

  /** In REPEATABLE READ a locking scan locks the gaps, too. */
  @Override
  <T> T holdingRows(List<String> tables, Work<T> work) throws SQLException {
    connection().setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
    try {
      return inTransaction(
          () -> {
            for (String table : tables) {
              var unused = numbers("SELECT count(*) FROM " + quote(table) + " FOR UPDATE");
            }
            return work.run();
          });
    } finally {
      connection().setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
    }
  }

  @Override
  <T> T inSnapshot(Work<T> work) throws SQLException {
    connection().setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
    try {
      return inTransaction(
          () -> {
            execute("START TRANSACTION WITH CONSISTENT SNAPSHOT");
            return work.run();
          });
    } finally {
      connection().setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
    }
  }

  /** A float as text has six digits only; dates that do not exist are no dates to the driver. */
  @Override
  String selectList(String alias, List<String> names, List<Column> columns) {
    return IntStream.range(0, columns.size())
        .mapToObj(i -> selected(alias + "." + quote(names.get(i)), columns.get(i)))
        .collect(Collectors.joining(", "));
  }

  private static String selected(String name, Column column) {
    String type = base(column);
    if (type.equals("float") || type.equals("double")) {
      return "CAST(" + name + " AS DOUBLE)";
    }
    if (type.equals("bit")) {
      return "CAST(" + name + " + 0 AS CHAR)";
    }
    return BYTES.contains(type) || TEXTS.contains(type) ? name : "CAST(" + name + " AS CHAR)";
  }

  /** {@code bigint} of {@code bigint unsigned}. */
  private static String base(Column column) {
    int end = column.typeName().indexOf(' ');
    return end < 0 ? column.typeName() : column.typeName().substring(0, end);
  }

  @Override
  long receive(
      MoverConnection from, String select, String into, List<String> names, List<Column> columns)
      throws SQLException {
    String sql =
        "INSERT INTO "
            + into
            + names.stream().map(this::quote).collect(Collectors.joining(", ", " (", ")"))
            + " VALUES (?"
            + ", ?".repeat(names.size() - 1)
            + ")";
    long rows = 0;
    try (Statement read = from.connection().createStatement();
        PreparedStatement insert = connection().prepareStatement(sql)) {
      read.setFetchSize(BATCH_ROWS);
      try (ResultSet row = read.executeQuery(select)) {
        while (row.next()) {
          for (int i = 1; i <= columns.size(); i++) {
            insert.setObject(i, value(row, i, base(columns.get(i - 1))));
          }
          insert.addBatch();
          if (++rows % BATCH_ROWS == 0) {
            insert.executeBatch();
          }
        }
      }
      if (rows % BATCH_ROWS != 0) {
        insert.executeBatch();
      }
    }
    return rows;
  }

  private static Object value(ResultSet row, int column, String type) throws SQLException {
    if (BYTES.contains(type)) {
      return row.getBytes(column);
    }
    if (type.equals("float") || type.equals("double")) {
      double value = row.getDouble(column);
      return row.wasNull() ? null : value;
    }
    // Digits in a text would be its bits.
    return type.equals("bit") ? row.getBigDecimal(column) : row.getString(column);
  }

  @Override
  void deleteStaged(MovedTable table, String stage) throws SQLException {
    List<String> key = table.key().stream().map(Column::name).toList();
    execute(
        "DELETE t FROM "
            + quote(table.name())
            + " t JOIN "
            + stage
            + " k ON "
            + equal("t", key, "k", table.noted()));
  }

  /** ON DUPLICATE KEY UPDATE would change whatever row a unique value meets. */
  @Override
  void upsert(MovedTable table, MoverConnection from, String select, String keys)
      throws SQLException {
    deleteStaged(table, stageKeys(table, from, keys));
    List<String> names = table.columns().stream().map(Column::name).toList();
    receive(from, select, quote(table.name()), names, table.columns());
  }

  @Override
  void replace(MovedTable table, String rows) throws SQLException {
    List<String> key = table.key().stream().map(Column::name).toList();
    execute(
        "DELETE t FROM "
            + quote(table.name())
            + " t JOIN "
            + rows
            + " k ON "
            + equal("t", key, "k", key));
    String columns = names(table.columns());
    execute(
        "INSERT INTO "
            + quote(table.name())
            + " ("
            + columns
            + ") SELECT "
            + columns
            + " FROM "
            + rows);
  }

  @Override
  String literalOf(String name, Column column) {
    if (NUMBERS.contains(base(column))) {
      return "CAST(" + name + " AS CHAR)";
    }
    return BYTES.contains(base(column))
        ? "CONCAT('X''', HEX(" + name + "), '''')"
        : "QUOTE(" + name + ")";
  }

  @Override
  String exact(Column column) {
    String name = quote(column.name());
    return switch (base(column)) {
      case "float", "double" -> "CAST(CAST(" + name + " AS DOUBLE) AS CHAR)";
      case "bit" -> "CAST(" + name + " + 0 AS CHAR)";
      default -> literalOf(name, column);
    };
  }

  @Override
  List<String> repairSettings() {
    return List.of(
        "SET NAMES utf8mb4; SET SESSION sql_mode ="
            + " 'STRICT_ALL_TABLES,NO_AUTO_VALUE_ON_ZERO,ALLOW_INVALID_DATES', time_zone ="
            + " '+00:00', foreign_key_checks = 0;",
        "START TRANSACTION;");
  }

  @Override
  String overriding() {
    return "";
  }

  @Override
  String position() throws SQLException {
    List<String> parts = new ArrayList<>();
    try (Statement statement = connection().createStatement();
        ResultSet row = statement.executeQuery("SHOW STATUS LIKE 'binlog_snapshot_%'")) {
      while (row.next()) {
        parts.add(row.getString(2));
      }
    }
    return String.join(":", parts).replaceFirst("^:.*", "");
  }

  /** A comparison of rows would be no range of an index. */
  @Override
  String compare(List<String> key, String sign, List<String> literals) {
    List<String> ways = new ArrayList<>();
    for (int i = 0; i < key.size(); i++) {
      StringBuilder way = new StringBuilder();
      for (int before = 0; before < i; before++) {
        way.append(key.get(before)).append(" = ").append(literals.get(before)).append(" AND ");
      }
      boolean last = i == key.size() - 1;
      String strict = last ? sign : sign.substring(0, 1);
      ways.add("(" + way + key.get(i) + " " + strict + " " + literals.get(i) + ")");
    }
    return ways.stream().collect(Collectors.joining(" OR ", "(", ")"));
  }

  /** Each value by itself, so that no row is longer than what the server may concatenate. */
  @Override
  String hash(List<Column> columns) {
    return columns.stream()
        .map(
            column -> {
              String name = "t." + quote(column.name());
              String text =
                  switch (base(column)) {
                    case "float", "double" -> name + " + 0e0";
                    case "bit" -> name + " + 0";
                    default -> name;
                  };
              return "IF(" + name + " IS NULL, '-', MD5(" + text + "))";
            })
        .collect(Collectors.joining(", ", "MD5(CONCAT(", "))"));
  }

  @Override
  List<String> sums() {
    String half = "COALESCE(SUM(CAST(CONV(%s(h, 16), 16, 10) AS UNSIGNED)), 0)";
    return List.of(half.formatted("LEFT"), half.formatted("RIGHT"));
  }

  /** Sequences by their names, counters of AUTO_INCREMENT where the source's is ahead. */
  @Override
  Map<Numbered, Long> numbers(List<String> tables) throws SQLException {
    Map<Numbered, Long> numbers = new LinkedHashMap<>();
    for (String table : tables) {
      Numbering numbering = numbering(table);
      if (numbering != Numbering.NONE) {
        numbers.put(
            new Numbered(table, 0),
            numbering == Numbering.SEQUENCE
                ? numbers("SELECT next_not_cached_value FROM " + quote(table)).get(0)
                : autoIncrement(table));
      }
    }
    return numbers;
  }

  @Override
  void raise(Map<Numbered, Long> numbers) throws SQLException {
    for (Map.Entry<Numbered, Long> number : numbers.entrySet()) {
      String table = number.getKey().name();
      if (numbering(table) == Numbering.SEQUENCE) {
        execute("SELECT SETVAL(" + quote(table) + ", " + number.getValue() + ", 0)");
      } else if (number.getValue() > autoIncrement(table)) {
        execute("ALTER TABLE " + quote(table) + " AUTO_INCREMENT = " + number.getValue());
      }
    }
  }

  private Numbering numbering(String name) throws SQLException {
    Numbering known = numberings.get(name);
    if (known == null) {
      String condition = "table_schema = DATABASE() AND table_name = '" + name.replace("'", "''");
      boolean sequence =
          !numbers(
                  "SELECT 1 FROM information_schema.tables WHERE table_type = 'SEQUENCE' AND "
                      + condition
                      + "'")
              .isEmpty();
      boolean numbered =
          !numbers(
                  "SELECT 1 FROM information_schema.columns WHERE extra LIKE '%auto_increment%' AND "
                      + condition
                      + "'")
              .isEmpty();
      known = sequence ? Numbering.SEQUENCE : numbered ? Numbering.AUTO_INCREMENT : Numbering.NONE;
      numberings.put(name, known);
    }
    return known;
  }

  /** Of what SHOW CREATE TABLE prints: the statistics of information_schema may be old. */
  private long autoIncrement(String table) throws SQLException {
    try (Statement statement = connection().createStatement();
        ResultSet row = statement.executeQuery("SHOW CREATE TABLE " + quote(table))) {
      row.next();
      String text = row.getString(2);
      String word = " AUTO_INCREMENT=";
      int at = text.lastIndexOf(word);
      if (at < 0) {
        return 0;
      }
      int from = at + word.length();
      int to = from;
      while (to < text.length() && Character.isDigit(text.charAt(to))) {
        to++;
      }
      return Long.parseLong(text.substring(from, to));
    }
  }

  /** XA PREPARE lets go of shared locks. */
  @Override
  List<String> preparedUnlocked() throws SQLException {
    List<String> names = new ArrayList<>();
    try (Statement statement = connection().createStatement();
        ResultSet row = statement.executeQuery("XA RECOVER")) {
      while (row.next()) {
        names.add(row.getString("data"));
      }
    }
    return names;
  }

  @Override
  int deleteSome(String table, String condition, int rows) throws SQLException {
    return update("DELETE FROM " + quote(table) + " WHERE " + condition + " LIMIT " + rows);
  }
}
