package io.shardwright.driver;

import io.shardwright.errors.ErrorCode;
import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.util.Comparator;
import java.util.UUID;

/**
 * Reads a column's values in the Java type in which they are compared, and compares them as the
 * databases do: numbers by value with NaN above infinity, instants by instant, times with zone by
 * instant then zone, uuid and bytea as unsigned bytes, text by code point (which is the order of
 * its UTF-8 bytes, not of Java's chars).
 */
enum ValueReader {
  INT64 {
    @Override
    Object readValue(ResultSet row, int column) throws SQLException {
      return row.getLong(column);
    }
  },
  /** BigDecimal, or Double for NaN and the infinities. */
  NUMERIC {
    @Override
    Object readValue(ResultSet row, int column) throws SQLException {
      return row.getObject(column);
    }
  },
  FLOAT4 {
    @Override
    Object readValue(ResultSet row, int column) throws SQLException {
      return (double) row.getFloat(column);
    }
  },
  FLOAT8 {
    @Override
    Object readValue(ResultSet row, int column) throws SQLException {
      return row.getDouble(column);
    }
  },
  /** Numbers beyond a long. */
  UNSIGNED {
    @Override
    Object readValue(ResultSet row, int column) throws SQLException {
      return row.getBigDecimal(column);
    }
  },
  /** Rounded by the database when it became text, so good for the least and the greatest only. */
  FLOAT_TEXT {
    @Override
    Object readValue(ResultSet row, int column) throws SQLException {
      return row.getDouble(column);
    }
  },
  BOOLEAN {
    @Override
    Object readValue(ResultSet row, int column) throws SQLException {
      return row.getBoolean(column);
    }
  },
  DATE {
    @Override
    Object readValue(ResultSet row, int column) throws SQLException {
      return row.getObject(column, LocalDate.class);
    }
  },
  TIME {
    @Override
    Object readValue(ResultSet row, int column) throws SQLException {
      return row.getObject(column, LocalTime.class);
    }
  },
  TIME_WITH_ZONE {
    @Override
    Object readValue(ResultSet row, int column) throws SQLException {
      return row.getObject(column, OffsetTime.class);
    }
  },
  TIMESTAMP {
    @Override
    Object readValue(ResultSet row, int column) throws SQLException {
      return row.getObject(column, LocalDateTime.class);
    }
  },
  TIMESTAMP_WITH_ZONE {
    @Override
    Object readValue(ResultSet row, int column) throws SQLException {
      return row.getObject(column, OffsetDateTime.class);
    }
  },
  UUID_VALUE {
    @Override
    Object readValue(ResultSet row, int column) throws SQLException {
      return row.getObject(column, UUID.class);
    }
  },
  BYTES {
    @Override
    Object readValue(ResultSet row, int column) throws SQLException {
      return row.getBytes(column);
    }
  },
  TEXT {
    @Override
    Object readValue(ResultSet row, int column) throws SQLException {
      return row.getString(column);
    }
  },
  /** MariaDB's dates and times in text of equal width, which keeps 0000-00-00 and 2020-02-00. */
  TEMPORAL_TEXT {
    @Override
    Object readValue(ResultSet row, int column) throws SQLException {
      return row.getString(column);
    }

    /** The physical driver takes a date of zeros for NULL here. */
    @Override
    Object read(ResultSet row, int column) throws SQLException {
      return readValue(row, column);
    }
  },
  /** MariaDB's time, -838:59:59 to 838:59:59: microseconds. */
  DURATION_TEXT {
    @Override
    Object readValue(ResultSet row, int column) throws SQLException {
      String text = row.getString(column);
      return text == null ? null : micros(text);
    }
  };

  private static final int SECONDS = 60;

  /** Of two values, neither null, that one reader has read. */
  static final Comparator<Object> ORDER = ValueReader::compare;

  abstract Object readValue(ResultSet row, int column) throws SQLException;

  /** Null is SQL NULL. */
  Object read(ResultSet row, int column) throws SQLException {
    Object value = readValue(row, column);
    return row.wasNull() ? null : value;
  }

  /**
   * @param reader null when there is none for the type
   * @throws SQLException SW208 then
   */
  static ValueReader known(ValueReader reader, String typeName) throws SQLException {
    if (reader != null) {
      return reader;
    }
    throw SqlErrors.of(
        ErrorCode.MERGE_UNSUPPORTED,
        "values of type "
            + typeName
            + " from several shards cannot be compared or added; cast them, or add the route key");
  }

  /**
   * This reader where equal values must be equal in the database too.
   *
   * @throws SQLException SW208
   */
  ValueReader exact() throws SQLException {
    return known(this == FLOAT_TEXT ? null : this, "float");
  }

  private static long micros(String time) {
    boolean negative = time.startsWith("-");
    String[] parts = time.substring(negative ? 1 : 0).split(":", -1);
    long minutes = Long.parseLong(parts[0]) * SECONDS + Long.parseLong(parts[1]);
    BigDecimal seconds = new BigDecimal(parts[2]).add(BigDecimal.valueOf(minutes * SECONDS));
    long micros = seconds.movePointRight(6).longValueExact();
    return negative ? -micros : micros;
  }

  private static int compare(Object a, Object b) {
    if (a instanceof Long x && b instanceof Long y) {
      return Long.compare(x, y);
    }
    if (a instanceof Number x && b instanceof Number y) {
      return compareNumbers(x, y);
    }
    if (a instanceof String x) {
      return compareCodePoints(x, (String) b);
    }
    if (a instanceof OffsetDateTime x) {
      return OffsetDateTime.timeLineOrder().compare(x, (OffsetDateTime) b);
    }
    if (a instanceof LocalDateTime x) {
      return x.compareTo((LocalDateTime) b);
    }
    if (a instanceof LocalDate x) {
      return x.compareTo((LocalDate) b);
    }
    if (a instanceof LocalTime x) {
      return x.compareTo((LocalTime) b);
    }
    if (a instanceof OffsetTime x) {
      return compareTimes(x, (OffsetTime) b);
    }
    if (a instanceof UUID x) {
      return compareUuids(x, (UUID) b);
    }
    if (a instanceof byte[] x) {
      return java.util.Arrays.compareUnsigned(x, (byte[]) b);
    }
    return ((Boolean) a).compareTo((Boolean) b);
  }

  private static int compareNumbers(Number a, Number b) {
    if (a instanceof BigDecimal x && b instanceof BigDecimal y) {
      return x.compareTo(y);
    }
    if (isSpecial(a) || isSpecial(b)) {
      // Every finite number is between the infinities, and NaN is above them.
      return Double.compare(
          isSpecial(a) ? a.doubleValue() : 0.0, isSpecial(b) ? b.doubleValue() : 0.0);
    }
    if (a instanceof Double x && b instanceof Double y) {
      // Adding zero makes -0.0 and 0.0 equal, as they are in SQL.
      return Double.compare(x + 0.0, y + 0.0);
    }
    return decimal(a).compareTo(decimal(b));
  }

  static boolean isSpecial(Number number) {
    return number instanceof Double d && !Double.isFinite(d);
  }

  static BigDecimal decimal(Number number) {
    if (number instanceof BigDecimal decimal) {
      return decimal;
    }
    return number instanceof Double d ? new BigDecimal(d) : BigDecimal.valueOf(number.longValue());
  }

  /** PostgreSQL: by the instant; of equal instants the zone further east is smaller. */
  private static int compareTimes(OffsetTime a, OffsetTime b) {
    int byInstant = Long.compare(utcNanos(a), utcNanos(b));
    return byInstant != 0
        ? byInstant
        : Integer.compare(b.getOffset().getTotalSeconds(), a.getOffset().getTotalSeconds());
  }

  private static long utcNanos(OffsetTime time) {
    return time.toLocalTime().toNanoOfDay() - time.getOffset().getTotalSeconds() * 1_000_000_000L;
  }

  private static int compareUuids(UUID a, UUID b) {
    int high = Long.compareUnsigned(a.getMostSignificantBits(), b.getMostSignificantBits());
    return high != 0
        ? high
        : Long.compareUnsigned(a.getLeastSignificantBits(), b.getLeastSignificantBits());
  }

  /** UTF-16 units order like code points but for surrogates, which belong above U+FFFF. */
  static int compareCodePoints(String a, String b) {
    int length = Math.min(a.length(), b.length());
    for (int i = 0; i < length; i++) {
      char x = a.charAt(i);
      char y = b.charAt(i);
      if (x != y) {
        boolean xHigh = Character.isSurrogate(x);
        boolean yHigh = Character.isSurrogate(y);
        return xHigh == yHigh ? Character.compare(x, y) : Boolean.compare(xHigh, yHigh);
      }
    }
    return Integer.compare(a.length(), b.length());
  }
}
