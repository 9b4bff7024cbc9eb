package io.shardwright.routing;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.Date;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.DateTimeParseException;
import java.time.format.ResolverStyle;
import java.time.temporal.TemporalAccessor;
import java.util.Locale;
import java.util.Optional;

/**
 * How the value of one route key column becomes bytes. The declared type of the column decides,
 * never the Java type of the parameter: {@code 4}, {@code 4L}, {@code "4"} and {@code 4.00} on an
 * integer column are one value. Part of the persisted contract, version 1
 * (docs/routing-contract.md).
 */
public enum KeyType {
  /** Integers of every width and decimals that hold integers only: int64. */
  INTEGER {
    @Override
    Optional<Object> convert(Object value) {
      if (value instanceof Long) {
        return Optional.of(value);
      }
      if (value instanceof Integer || value instanceof Short || value instanceof Byte) {
        return Optional.of(((Number) value).longValue());
      }
      if (value instanceof BigDecimal decimal) {
        return exactLong(decimal);
      }
      if (value instanceof BigInteger integer) {
        return exactLong(new BigDecimal(integer));
      }
      if (value instanceof Double || value instanceof Float) {
        return ofDouble(((Number) value).doubleValue());
      }
      if (value instanceof String text) {
        return exactLong(parseDecimal(text.strip()));
      }
      throw unusable(value);
    }

    @Override
    byte[] encode(Object canonical) {
      return int64((Long) canonical);
    }

    /** The database compares in float8, where one number stands for many integers from 2^53 on. */
    private Optional<Object> ofDouble(double number) {
      if (Double.isInfinite(number) || Double.isNaN(number)) {
        return Optional.empty();
      }
      if (Math.abs(number) >= MAX_EXACT_DOUBLE) {
        throw unusable(number);
      }
      return exactLong(new BigDecimal(number));
    }

    private BigDecimal parseDecimal(String text) {
      if (text.isEmpty() || text.length() > MAX_NUMBER_CHARS) {
        throw unusable(text);
      }
      try {
        return new BigDecimal(text);
      } catch (NumberFormatException e) {
        throw unusable(text);
      }
    }

    private Optional<Object> exactLong(BigDecimal decimal) {
      if (decimal.signum() == 0) {
        return Optional.of(0L);
      }
      // An exponent far outside int64 is decided here: expanding 1e999999999 would take all memory.
      if ((long) decimal.precision() - decimal.scale() > MAX_INT64_DIGITS
          || decimal.stripTrailingZeros().scale() > 0) {
        return Optional.empty();
      }
      BigInteger integer = decimal.toBigIntegerExact();
      return integer.bitLength() < Long.SIZE ? Optional.of(integer.longValue()) : Optional.empty();
    }
  },

  /** Text, compared byte for byte: UTF-8. */
  TEXT {
    @Override
    Optional<Object> convert(Object value) {
      return Optional.of(text(value));
    }

    @Override
    byte[] encode(Object canonical) {
      return ((String) canonical).getBytes(StandardCharsets.UTF_8);
    }
  },

  /** UUID: 16 bytes, most significant first. */
  UUID {
    @Override
    Optional<Object> convert(Object value) {
      if (value instanceof java.util.UUID) {
        return Optional.of(value);
      }
      if (value instanceof String text) {
        return Optional.of(parseUuid(text.strip()));
      }
      throw unusable(value);
    }

    private java.util.UUID parseUuid(String text) {
      try {
        java.util.UUID uuid = java.util.UUID.fromString(text);
        // fromString also takes groups of other lengths, which databases refuse.
        if (uuid.toString().equalsIgnoreCase(text)) {
          return uuid;
        }
      } catch (IllegalArgumentException e) {
        throw unusable(text);
      }
      throw unusable(text);
    }

    @Override
    byte[] encode(Object canonical) {
      java.util.UUID uuid = (java.util.UUID) canonical;
      return ByteBuffer.allocate(2 * Long.BYTES)
          .putLong(uuid.getMostSignificantBits())
          .putLong(uuid.getLeastSignificantBits())
          .array();
    }
  },

  /**
   * Timestamps without zone, read as if in UTC: microseconds since 1970 as int64. A value with a
   * zone is refused, since what the database makes of it depends on its session.
   */
  TIMESTAMP {
    @Override
    Optional<Object> convert(Object value) {
      if (value instanceof LocalDateTime time) {
        return micros(time, value);
      }
      if (value instanceof Timestamp timestamp && isGregorian(timestamp.getTime())) {
        return micros(timestamp.toLocalDateTime(), value);
      }
      if (value instanceof String text) {
        String iso = text.strip().replace(' ', 'T');
        return micros(LocalDateTime.from(parse(DateTimeFormatter.ISO_LOCAL_DATE_TIME, iso)), value);
      }
      throw unusable(value);
    }

    @Override
    byte[] encode(Object canonical) {
      return int64((Long) canonical);
    }

    private Optional<Object> micros(LocalDateTime time, Object value) {
      return Optional.of(micros(time.toInstant(ZoneOffset.UTC), value));
    }
  },

  /**
   * Timestamps with zone: microseconds since 1970 UTC as int64. A value without a zone is refused,
   * since what the database makes of it depends on its session.
   */
  TIMESTAMP_WITH_ZONE {
    @Override
    Optional<Object> convert(Object value) {
      return Optional.of(micros(instant(value), value));
    }

    @Override
    byte[] encode(Object canonical) {
      return int64((Long) canonical);
    }

    private Instant instant(Object value) {
      if (value instanceof Instant instant) {
        return instant;
      }
      if (value instanceof OffsetDateTime time) {
        return time.toInstant();
      }
      if (value instanceof ZonedDateTime time) {
        return time.toInstant();
      }
      if (value instanceof Timestamp timestamp && isGregorian(timestamp.getTime())) {
        return timestamp.toInstant();
      }
      if (value instanceof String text) {
        return Instant.from(parse(ZONED_DATE_TIME, text.strip().replace(' ', 'T')));
      }
      throw unusable(value);
    }
  },

  /** Dates: microseconds since 1970 of midnight UTC as int64. */
  DATE {
    @Override
    Optional<Object> convert(Object value) {
      return Optional.of(micros(date(value).atStartOfDay().toInstant(ZoneOffset.UTC), value));
    }

    @Override
    byte[] encode(Object canonical) {
      return int64((Long) canonical);
    }

    private LocalDate date(Object value) {
      if (value instanceof LocalDate date) {
        return date;
      }
      if (value instanceof Date date && isGregorian(date.getTime())) {
        return date.toLocalDate();
      }
      if (value instanceof String text) {
        return LocalDate.from(parse(DateTimeFormatter.ISO_LOCAL_DATE, text.strip()));
      }
      throw unusable(value);
    }
  },

  /** Byte strings, as they are. */
  BYTES {
    @Override
    Optional<Object> convert(Object value) {
      if (value instanceof byte[] bytes) {
        return Optional.of(bytes.clone());
      }
      throw unusable(value);
    }

    @Override
    byte[] encode(Object canonical) {
      return ((byte[]) canonical).clone();
    }
  },

  /**
   * Text of a collation that takes different texts for one, as far as its letters and blanks go:
   * UTF-8 of the text in lower case, without blanks at its end. Texts that are equal for the
   * database have one form; the reverse need not be. For lookup indexes only, whose entries the
   * database compares itself.
   */
  FOLDED_TEXT {
    @Override
    Optional<Object> convert(Object value) {
      return Optional.of(folded(text(value)));
    }

    @Override
    byte[] encode(Object canonical) {
      return TEXT.encode(canonical);
    }

    private String folded(String text) {
      int end = text.length();
      while (end > 0 && text.charAt(end - 1) == ' ') {
        end--;
      }
      StringBuilder folded = new StringBuilder(end);
      for (int i = 0; i < end; i++) {
        char c = text.charAt(i);
        if (c < ' ' || c > '~') {
          throw new ShardwrightException(
              ErrorCode.ROUTE_KEY_VALUE_INVALID,
              "a text holds a character other than those of printable ASCII, which the collation"
                  + " of its column may take for another one; use such values in columns of"
                  + " COLLATE utf8mb4_nopad_bin only");
        }
        folded.append(c >= 'A' && c <= 'Z' ? (char) (c + ('a' - 'A')) : c);
      }
      return folded.toString();
    }
  };

  private static final int MAX_NUMBER_CHARS = 400;
  private static final int MAX_INT64_DIGITS = 19;
  private static final double MAX_EXACT_DOUBLE = 0x1p53;
  private static final long MICROS_PER_SECOND = 1_000_000;
  private static final int NANOS_PER_MICRO = 1_000;

  /** 1582-10-15: java.sql types before it are Julian and come out as another day. */
  private static final long GREGORIAN_FROM_MILLIS = -12_219_292_800_000L;

  private static final DateTimeFormatter ZONED_DATE_TIME =
      new DateTimeFormatterBuilder()
          .append(DateTimeFormatter.ISO_LOCAL_DATE_TIME)
          .appendOffset("+HH:mm", "Z")
          .toFormatter(Locale.ROOT)
          .withResolverStyle(ResolverStyle.STRICT);

  /**
   * The value in canonical form, or empty when no stored value of this type can be equal to it:
   * NULL, a fraction or an integer beyond int64 on an integer column.
   *
   * @throws ShardwrightException SW302 when the database itself would reject the comparison, such
   *     as the text {@code abc} against a bigint column, or could read it in more than one way,
   *     such as a double beyond 2^53 or a timestamp finer than a microsecond
   */
  public Optional<Object> canonical(Object value) {
    return value == null ? Optional.empty() : convert(value);
  }

  /** The bytes that are hashed, of a value that {@link #canonical} returned. */
  public byte[] bytes(Object canonical) {
    return encode(canonical);
  }

  /** True when canonical values are Longs and their bytes int64. */
  boolean isInt64() {
    return this == INTEGER || this == TIMESTAMP || this == TIMESTAMP_WITH_ZONE || this == DATE;
  }

  abstract Optional<Object> convert(Object value);

  abstract byte[] encode(Object canonical);

  String text(Object value) {
    if (value instanceof CharSequence
        || value instanceof Character
        || value instanceof Long
        || value instanceof Integer
        || value instanceof Short
        || value instanceof Byte
        || value instanceof java.util.UUID) {
      return value.toString();
    }
    throw unusable(value);
  }

  ShardwrightException unusable(Object value) {
    return new ShardwrightException(
        ErrorCode.ROUTE_KEY_VALUE_INVALID,
        "a value of Java type "
            + value.getClass().getSimpleName()
            + " cannot be read as a value of type "
            + name()
            + "; pass one of the Java types that docs/routing-contract.md lists for it");
  }

  private static byte[] int64(long value) {
    return ByteBuffer.allocate(Long.BYTES).putLong(value).array();
  }

  /**
   * @param value named by Java type when the instant is not a whole number of microseconds (each
   *     layer below rounds differently) or does not fit int64
   */
  long micros(Instant instant, Object value) {
    if (instant.getNano() % NANOS_PER_MICRO != 0) {
      throw unusable(value);
    }
    try {
      return Math.addExact(
          Math.multiplyExact(instant.getEpochSecond(), MICROS_PER_SECOND),
          instant.getNano() / NANOS_PER_MICRO);
    } catch (ArithmeticException e) {
      throw unusable(value);
    }
  }

  TemporalAccessor parse(DateTimeFormatter format, String text) {
    try {
      return format.parse(text);
    } catch (DateTimeParseException e) {
      throw unusable(text);
    }
  }

  static boolean isGregorian(long epochMillis) {
    return epochMillis >= GREGORIAN_FROM_MILLIS;
  }
}
