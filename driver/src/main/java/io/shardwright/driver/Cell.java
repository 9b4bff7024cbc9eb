package io.shardwright.driver;

import io.shardwright.errors.ErrorCode;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.sql.Date;
import java.sql.ResultSet;
import java.sql.SQLDataException;
import java.sql.SQLException;
import java.sql.Time;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;

/**
 * One value of a row in memory, with the conversions of JDBC.
 *
 * @param value in the type in which it is compared ({@link ValueReader}); null is SQL NULL
 * @param object what getObject gives
 * @param text what getString gives
 */
record Cell(Object value, Object object, String text) {
  static final Cell NULL = new Cell(null, null, null);

  static Cell read(ResultSet row, int column, ValueReader reader) throws SQLException {
    Object value = reader.read(row, column);
    return value == null ? NULL : new Cell(value, row.getObject(column), row.getString(column));
  }

  static Cell of(long number) {
    return new Cell(number, number, Long.toString(number));
  }

  /** A computed number of the type that {@code reader} reads; null is SQL NULL. */
  static Cell ofNumber(Number number, ValueReader reader, PhysicalDatabase database) {
    if (number == null) {
      return NULL;
    }
    if (number instanceof BigDecimal decimal) {
      return new Cell(decimal, decimal, decimal.toPlainString());
    }
    if (number instanceof Long) {
      return new Cell(number, number, number.toString());
    }
    if (reader == ValueReader.FLOAT4) {
      Float single = number.floatValue();
      return new Cell(number, single, database.floatText(single.doubleValue(), single.toString()));
    }
    return new Cell(number, number, database.floatText(number.doubleValue(), number.toString()));
  }

  boolean asBoolean(PhysicalDatabase database) throws SQLException {
    if (object == null) {
      return false;
    }
    if (object instanceof Boolean flag) {
      return flag;
    }
    if (object instanceof Number number && database.readsNumbersAsBooleans()) {
      return number.doubleValue() != 0;
    }
    return switch (text) {
      case "1", "t", "true", "y", "yes", "on" -> true;
      case "0", "f", "false", "n", "no", "off" -> false;
      default -> throw cannotBe("boolean");
    };
  }

  /** Fractions are cut off, as the physical drivers do. 0 for NULL. */
  long asLong(long min, long max) throws SQLException {
    if (object == null) {
      return 0;
    }
    if (object instanceof Boolean flag) {
      return flag ? 1 : 0;
    }
    BigInteger integer = asDecimal().toBigInteger();
    if (integer.compareTo(BigInteger.valueOf(min)) < 0
        || integer.compareTo(BigInteger.valueOf(max)) > 0) {
      throw new SQLDataException("value out of range " + min + " to " + max, "22003");
    }
    return integer.longValue();
  }

  /** 0 for NULL. */
  double asDouble() throws SQLException {
    if (object == null) {
      return 0;
    }
    if (object instanceof Number number) {
      return number.doubleValue();
    }
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw cannotBe("double");
    }
  }

  BigDecimal asDecimal() throws SQLException {
    if (object == null) {
      return null;
    }
    try {
      return object instanceof BigDecimal decimal ? decimal : new BigDecimal(text);
    } catch (NumberFormatException e) {
      throw cannotBe("BigDecimal");
    }
  }

  byte[] asBytes() {
    if (object == null) {
      return null;
    }
    return value instanceof byte[] bytes ? bytes.clone() : text.getBytes(StandardCharsets.UTF_8);
  }

  Date asDate(ZoneId zone) throws SQLException {
    if (object == null) {
      return null;
    }
    LocalDate date = value instanceof LocalDate only ? only : local(zone, "Date").toLocalDate();
    return new Date(date.atStartOfDay(zone).toInstant().toEpochMilli());
  }

  Time asTime(ZoneId zone) throws SQLException {
    if (object == null) {
      return null;
    }
    LocalTime time = value instanceof LocalTime only ? only : local(zone, "Time").toLocalTime();
    return new Time(LocalDate.EPOCH.atTime(time).atZone(zone).toInstant().toEpochMilli());
  }

  Timestamp asTimestamp(ZoneId zone) throws SQLException {
    if (object == null) {
      return null;
    }
    Instant instant =
        value instanceof OffsetDateTime time
            ? time.toInstant()
            : local(zone, "Timestamp").atZone(zone).toInstant();
    return Timestamp.from(instant);
  }

  private LocalDateTime local(ZoneId zone, String wanted) throws SQLException {
    if (value instanceof LocalDateTime time) {
      return time;
    }
    if (value instanceof OffsetDateTime time) {
      return LocalDateTime.ofInstant(time.toInstant(), zone);
    }
    if (value instanceof LocalDate date) {
      return date.atStartOfDay();
    }
    if (object instanceof Timestamp time) {
      return time.toLocalDateTime();
    }
    if (object instanceof Date date) {
      return date.toLocalDate().atStartOfDay();
    }
    throw cannotBe(wanted);
  }

  <T> T as(Class<T> type, PhysicalDatabase database) throws SQLException {
    if (object == null) {
      return null;
    }
    if (type.isInstance(object)) {
      return type.cast(object);
    }
    return type.isInstance(value) ? type.cast(value) : type.cast(converted(type, database));
  }

  private Object converted(Class<?> type, PhysicalDatabase database) throws SQLException {
    ZoneId zone = ZoneId.systemDefault();
    if (type == String.class) {
      return text;
    }
    if (type == Long.class) {
      return asLong(Long.MIN_VALUE, Long.MAX_VALUE);
    }
    if (type == Integer.class) {
      return (int) asLong(Integer.MIN_VALUE, Integer.MAX_VALUE);
    }
    if (type == Short.class) {
      return (short) asLong(Short.MIN_VALUE, Short.MAX_VALUE);
    }
    if (type == Double.class) {
      return asDouble();
    }
    if (type == Float.class) {
      return (float) asDouble();
    }
    if (type == BigDecimal.class) {
      return asDecimal();
    }
    if (type == BigInteger.class) {
      return asDecimal().setScale(0, RoundingMode.DOWN).toBigInteger();
    }
    if (type == Boolean.class) {
      return asBoolean(database);
    }
    if (type == byte[].class) {
      return asBytes();
    }
    if (type == Timestamp.class) {
      return asTimestamp(zone);
    }
    if (type == Date.class) {
      return asDate(zone);
    }
    if (type == Time.class) {
      return asTime(zone);
    }
    if (type == LocalDateTime.class) {
      // Not by way of a Timestamp: it has no moment for the hour that clocks skip.
      return value instanceof String && object instanceof Timestamp
          ? LocalDateTime.parse(text.replace(' ', 'T'))
          : local(zone, "LocalDateTime");
    }
    if (type == LocalDate.class) {
      return local(zone, "LocalDate").toLocalDate();
    }
    if (type == Instant.class && value instanceof OffsetDateTime time) {
      return time.toInstant();
    }
    throw cannotBe(type.getName());
  }

  private SQLException cannotBe(String type) {
    return SqlErrors.of(
        ErrorCode.JDBC_CALL_INVALID,
        "a value of Java type "
            + object.getClass().getSimpleName()
            + " cannot be read as "
            + type
            + "; use getObject or getString");
  }
}
