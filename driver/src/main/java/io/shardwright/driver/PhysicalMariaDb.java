package io.shardwright.driver;

import io.shardwright.driver.QueryInsert.InsertedColumn;
import io.shardwright.errors.ErrorCode;
import io.shardwright.sql.Dialect;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.sql.Connection;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** MariaDB 11.4 and its driver, which sends and gets values as text unless the url says else. */
final class PhysicalMariaDb extends PhysicalDatabase {
  static final PhysicalMariaDb INSTANCE = new PhysicalMariaDb();

  private static final DdlSteps DDL = new MariaDbDdl();

  private static final Pattern DATABASE = Pattern.compile("jdbc:\\w+:(?:\\w+:)?//[^/]*/([^?]*).*");

  /**
   * One text is one statement, and a batch answers with one count for each entry. The last of equal
   * parameters counts.
   */
  private static final String POOL_PARAMETERS =
      "allowMultiQueries=false&useBulkStmts=false&useBulkStmtsForInserts=false"
          + "&useAffectedRows=false";

  /** Decimal digits in a word of the server's decimals, in which it divides. */
  private static final int WORD_DIGITS = 9;

  /** Plain notation of a double from and to these powers of ten. */
  private static final int PLAIN_EXPONENT = 15;

  private static final int MIN_PLAIN_EXPONENT = -15;

  /** The scale that the physical driver gives for a floating point number without fixed digits. */
  private static final int NO_SCALE = 31;

  private PhysicalMariaDb() {}

  /** A name qualifies tables only where all shards have it; elsewhere it would be one shard's. */
  @Override
  Dialect dialect(List<String> urls) {
    List<String> names = urls.stream().map(PhysicalMariaDb::database).distinct().toList();
    return Dialect.mariaDb(names.size() == 1 ? names.get(0) : "");
  }

  private static String database(String url) {
    Matcher matcher = DATABASE.matcher(url);
    return matcher.matches() ? matcher.group(1) : "";
  }

  @Override
  String poolUrl(String url) {
    return url + (url.indexOf('?') < 0 ? "?" : "&") + POOL_PARAMETERS;
  }

  /** The physical driver's own setReadOnly does nothing on a single server. */
  @Override
  Optional<String> setReadOnly(Connection connection) throws SQLException {
    execute(connection, "SET SESSION TRANSACTION READ ONLY");
    return Optional.of("SET SESSION TRANSACTION READ WRITE");
  }

  /** In whole seconds; rows and tables have a limit of their own each. */
  @Override
  Optional<String> boundLockWait(Connection connection, int millis) throws SQLException {
    int seconds = seconds(millis);
    execute(
        connection,
        "SET @shardwright_row_wait = @@innodb_lock_wait_timeout,"
            + " @shardwright_table_wait = @@lock_wait_timeout, innodb_lock_wait_timeout = "
            + seconds
            + ", lock_wait_timeout = "
            + seconds);
    return Optional.of(
        "SET innodb_lock_wait_timeout = @shardwright_row_wait,"
            + " lock_wait_timeout = @shardwright_table_wait");
  }

  @Override
  String boundedLockWait(int millis) {
    return "SET innodb_lock_wait_timeout = "
        + seconds(millis)
        + ", lock_wait_timeout = "
        + seconds(millis);
  }

  @Override
  String boundedLockWaitInUtc(int millis) {
    return boundedLockWait(millis) + ", time_zone = '+00:00'";
  }

  private static int seconds(int millis) {
    return (millis + 999) / 1000;
  }

  @Override
  boolean streamsAlone() {
    return true;
  }

  @Override
  boolean streamsInTransactionsOnly() {
    return false;
  }

  @Override
  boolean givesKeysByName() {
    return false;
  }

  @Override
  boolean readsNumbersAsBooleans() {
    return true;
  }

  @Override
  DdlSteps ddl() {
    return DDL;
  }

  @Override
  ValueReader reader(ResultSetMetaData columns, int column) throws SQLException {
    String typeName = columns.getColumnTypeName(column);
    ValueReader reader =
        switch (typeName) {
          case "TINYINT",
              "TINYINT UNSIGNED",
              "SMALLINT",
              "SMALLINT UNSIGNED",
              "MEDIUMINT",
              "MEDIUMINT UNSIGNED",
              "INTEGER",
              "INTEGER UNSIGNED",
              "BIGINT",
              // tinyint(1), which holds -128 to 127.
              "BOOLEAN" ->
              ValueReader.INT64;
          case "BIGINT UNSIGNED" -> ValueReader.UNSIGNED;
          case "DECIMAL", "DECIMAL UNSIGNED" -> ValueReader.NUMERIC;
          case "DOUBLE", "DOUBLE UNSIGNED" ->
              columns.getScale(column) == NO_SCALE ? ValueReader.FLOAT8 : null;
          // Six digits of a value that has more: enough for its MIN and MAX.
          case "FLOAT", "FLOAT UNSIGNED" -> ValueReader.FLOAT_TEXT;
          case "DATE", "DATETIME", "TIMESTAMP", "YEAR" -> ValueReader.TEMPORAL_TEXT;
          case "TIME" -> ValueReader.DURATION_TEXT;
          case "BINARY", "VARBINARY", "TINYBLOB", "BLOB", "MEDIUMBLOB", "LONGBLOB" ->
              ValueReader.BYTES;
          case "CHAR", "VARCHAR", "TINYTEXT", "TEXT", "MEDIUMTEXT", "LONGTEXT" -> ValueReader.TEXT;
          default -> null;
        };
    return ValueReader.known(reader, typeName);
  }

  @Override
  String type(ResultSetMetaData columns, int column) throws SQLException {
    return columns.getColumnTypeName(column);
  }

  @Override
  String declared(ResultSetMetaData columns, int column, String typeName) throws SQLException {
    String type = typeName.toLowerCase(Locale.ROOT);
    int precision = columns.getPrecision(column);
    int scale = columns.getScale(column);
    return switch (type) {
      case "boolean" -> "tinyint(1)";
      case "integer" -> "int";
      case "integer unsigned" -> "int unsigned";
      case "decimal", "decimal unsigned" ->
          type.replace("decimal", "decimal(" + precision + "," + scale + ")");
      case "varchar", "char", "varbinary", "binary", "bit" -> type + "(" + precision + ")";
      case "datetime", "timestamp", "time" -> scale == 0 ? type : type + "(" + scale + ")";
      case "double" -> scale == NO_SCALE ? type : "double(" + precision + "," + scale + ")";
      default -> type;
    };
  }

  /**
   * The server divides to whole words of {@link #WORD_DIGITS} digits, cuts there, and rounds that
   * to the scale of the result, which has {@code div_precision_increment} digits more than the sum.
   */
  @Override
  BigDecimal average(BigDecimal sum, long count, int scale) {
    int sumDigits = words(sum.scale());
    int more = Math.max(0, scale - sum.scale() - (sumDigits - sum.scale()));
    return sum.divide(BigDecimal.valueOf(count), words(sumDigits + more), RoundingMode.DOWN)
        .setScale(scale, RoundingMode.HALF_UP);
  }

  private static int words(int digits) {
    return (digits + WORD_DIGITS - 1) / WORD_DIGITS * WORD_DIGITS;
  }

  @Override
  String castType(ShardColumns.Column column) {
    return switch (column.type()) {
      case "DECIMAL", "DOUBLE" -> column.declared();
      case "BIGINT UNSIGNED" -> "UNSIGNED";
      default -> "SIGNED";
    };
  }

  @Override
  CollectedRows collect(List<ShardColumns.Column> columns) throws SQLException {
    return new CollectedJson(columns);
  }

  /** Values are typed by number literals and casts: what the server stores depends on it. */
  @Override
  InsertedColumn inserted(ShardColumns.Column column) throws SQLException {
    return switch (column.type()) {
      case "TINYINT",
          "TINYINT UNSIGNED",
          "SMALLINT",
          "SMALLINT UNSIGNED",
          "MEDIUMINT",
          "MEDIUMINT UNSIGNED",
          "INTEGER",
          "INTEGER UNSIGNED",
          "BIGINT",
          "BIGINT UNSIGNED",
          "BOOLEAN",
          "DECIMAL",
          "DECIMAL UNSIGNED" ->
          new InsertedColumn("?", Setter.BIG_DECIMAL);
      case "DOUBLE", "DOUBLE UNSIGNED" -> new InsertedColumn("CAST(? AS DOUBLE)", Setter.STRING);
      case "DATE", "TIME", "DATETIME", "TIMESTAMP" ->
          new InsertedColumn(
              "CAST(? AS " + column.declared().replace("timestamp", "datetime") + ")",
              Setter.STRING);
      case "BINARY", "VARBINARY", "TINYBLOB", "BLOB", "MEDIUMBLOB", "LONGBLOB" ->
          new InsertedColumn("?", Setter.BYTES);
      case "CHAR",
          "VARCHAR",
          "TINYTEXT",
          "TEXT",
          "MEDIUMTEXT",
          "LONGTEXT",
          "JSON",
          "YEAR",
          "uuid",
          "NULL" ->
          new InsertedColumn("?", Setter.STRING);
      default ->
          throw SqlErrors.of(
              ErrorCode.MERGE_UNSUPPORTED,
              "values of type "
                  + column.declared()
                  + " from the query of an INSERT cannot be brought to another shard as they are;"
                  + " nothing was inserted; cast them");
    };
  }

  @Override
  Optional<InsertedColumn> insertedKey(ShardColumns.Column column) {
    return switch (column.type()) {
      case "TINYINT", "SMALLINT", "MEDIUMINT", "INTEGER", "BIGINT" ->
          Optional.of(new InsertedColumn("?", Setter.BIG_DECIMAL));
      case "CHAR", "VARCHAR", "TINYTEXT", "TEXT", "MEDIUMTEXT", "LONGTEXT", "uuid" ->
          Optional.of(new InsertedColumn("?", Setter.STRING));
      default -> Optional.empty();
    };
  }

  @Override
  String floatText(double number, String shortest) {
    if (number == 0) {
      return 1 / number < 0 ? "-0" : "0";
    }
    BigDecimal decimal = new BigDecimal(shortest).stripTrailingZeros();
    int exponent = decimal.precision() - decimal.scale() - 1;
    return exponent >= MIN_PLAIN_EXPONENT && exponent < PLAIN_EXPONENT
        ? decimal.toPlainString()
        : decimal.movePointLeft(exponent).toPlainString() + "e" + exponent;
  }
}
