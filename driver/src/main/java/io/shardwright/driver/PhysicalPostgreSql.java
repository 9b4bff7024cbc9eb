package io.shardwright.driver;

import io.shardwright.driver.QueryInsert.InsertedColumn;
import io.shardwright.sql.Dialect;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;
import java.util.Optional;

/** PostgreSQL 17 and its driver. */
final class PhysicalPostgreSql extends PhysicalDatabase {
  static final PhysicalPostgreSql INSTANCE = new PhysicalPostgreSql();

  private static final DdlSteps DDL = new PostgresDdl();

  /** Plain notation of a float below ten to this power. */
  private static final int PLAIN_EXPONENT = 15;

  private static final int MIN_PLAIN_EXPONENT = -4;

  private PhysicalPostgreSql() {}

  @Override
  Dialect dialect(List<String> urls) {
    return Dialect.postgreSql();
  }

  @Override
  String poolUrl(String url) {
    return url;
  }

  @Override
  Optional<String> setReadOnly(Connection connection) throws SQLException {
    connection.setReadOnly(true);
    return Optional.empty();
  }

  @Override
  Optional<String> boundLockWait(Connection connection, int millis) throws SQLException {
    execute(connection, "SET LOCAL lock_timeout = " + millis);
    return Optional.empty();
  }

  @Override
  String boundedLockWait(int millis) {
    return "SET lock_timeout = " + millis;
  }

  @Override
  String boundedLockWaitInUtc(int millis) {
    return boundedLockWait(millis) + "; SET TimeZone = 'UTC'";
  }

  @Override
  boolean streamsAlone() {
    return false;
  }

  @Override
  boolean streamsInTransactionsOnly() {
    return true;
  }

  @Override
  boolean givesKeysByName() {
    return true;
  }

  @Override
  boolean readsNumbersAsBooleans() {
    return false;
  }

  @Override
  DdlSteps ddl() {
    return DDL;
  }

  @Override
  ValueReader reader(ResultSetMetaData columns, int column) throws SQLException {
    String typeName = columns.getColumnTypeName(column);
    ValueReader reader =
        switch (columns.getColumnType(column)) {
          case Types.SMALLINT, Types.INTEGER, Types.BIGINT -> ValueReader.INT64;
          case Types.NUMERIC, Types.DECIMAL -> ValueReader.NUMERIC;
          case Types.REAL -> ValueReader.FLOAT4;
          case Types.DOUBLE, Types.FLOAT -> typeName.equals("money") ? null : ValueReader.FLOAT8;
          case Types.BIT, Types.BOOLEAN -> typeName.startsWith("bool") ? ValueReader.BOOLEAN : null;
          case Types.DATE -> ValueReader.DATE;
          case Types.TIME, Types.TIME_WITH_TIMEZONE ->
              typeName.equals("timetz") ? ValueReader.TIME_WITH_ZONE : ValueReader.TIME;
          case Types.TIMESTAMP, Types.TIMESTAMP_WITH_TIMEZONE ->
              typeName.equals("timestamptz")
                  ? ValueReader.TIMESTAMP_WITH_ZONE
                  : ValueReader.TIMESTAMP;
          case Types.BINARY, Types.VARBINARY -> ValueReader.BYTES;
          case Types.CHAR, Types.VARCHAR, Types.LONGVARCHAR -> ValueReader.TEXT;
          case Types.OTHER -> typeName.equals("uuid") ? ValueReader.UUID_VALUE : null;
          default -> null;
        };
    return ValueReader.known(reader, typeName);
  }

  /**
   * The physical driver calls an integer with a sequence behind it by the sequence's word. A row of
   * a table is a record like others: unnest would make columns of it.
   */
  @Override
  String type(ResultSetMetaData columns, int column) throws SQLException {
    if (columns.getColumnType(column) == Types.STRUCT) {
      return "record";
    }
    String type = columns.getColumnTypeName(column);
    return switch (type) {
      case "smallserial" -> "int2";
      case "serial" -> "int4";
      case "bigserial" -> "int8";
      default -> type;
    };
  }

  @Override
  String declared(ResultSetMetaData columns, int column, String type) throws SQLException {
    int precision = columns.getPrecision(column);
    return switch (type) {
      case "numeric" ->
          precision == 0 ? type : "numeric(" + precision + "," + columns.getScale(column) + ")";
      case "varchar" -> precision == Integer.MAX_VALUE ? type : "varchar(" + precision + ")";
      // Without a length, bit means bit(1) in a cast, which would cut the value.
      case "bit" -> precision > 0 ? "bit(" + precision + ")" : "varbit";
      case "bpchar" -> precision == Integer.MAX_VALUE ? type : "character(" + precision + ")";
      default -> type;
    };
  }

  @Override
  BigDecimal average(BigDecimal sum, long count, int scale) {
    return NumericAverage.divide(sum, BigDecimal.valueOf(count));
  }

  @Override
  String castType(ShardColumns.Column column) {
    return column.declared();
  }

  @Override
  CollectedRows collect(List<ShardColumns.Column> columns) throws SQLException {
    return new CollectedArrays(columns);
  }

  @Override
  InsertedColumn inserted(ShardColumns.Column column) {
    // Bytes have no text form in the physical driver when they came in binary.
    Setter setter = column.type().equals("bytea") ? Setter.BYTES : Setter.STRING;
    return new InsertedColumn("?::" + column.castType(), setter);
  }

  @Override
  Optional<InsertedColumn> insertedKey(ShardColumns.Column column) {
    return switch (column.type()) {
      case "int2", "int4", "int8" -> Optional.of(new InsertedColumn("?::bigint", Setter.STRING));
      case "text", "varchar", "uuid" ->
          Optional.of(new InsertedColumn("?::" + column.type(), Setter.STRING));
      default -> Optional.empty();
    };
  }

  @Override
  String floatText(double number, String shortest) {
    if (!Double.isFinite(number) || number == 0) {
      return number == 0 ? (1 / number < 0 ? "-0" : "0") : shortest;
    }
    BigDecimal decimal = new BigDecimal(shortest).stripTrailingZeros();
    int exponent = decimal.precision() - decimal.scale() - 1;
    if (exponent >= MIN_PLAIN_EXPONENT && exponent < PLAIN_EXPONENT) {
      return decimal.toPlainString();
    }
    return decimal.movePointLeft(exponent).toPlainString()
        + (exponent < 0 ? "e-" : "e+")
        + (Math.abs(exponent) < 10 ? "0" : "")
        + Math.abs(exponent);
  }
}
