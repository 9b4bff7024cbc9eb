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
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.UUID;

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
      if (value instanceof Long
          || value instanceof Integer
          || value instanceof Short
          || value instanceof Byte) {
        return Optional.of(((Number) value).longValue());
      }
      if (value instanceof BigDecimal decimal) {
        return exactLong(decimal);
      }
      if (value instanceof BigInteger integer) {
        return exactLong(new BigDecimal(integer));
      }
      if (value instanceof Double || value instanceof Float) {
        double number = ((Number) value).doubleValue();
        return Double.isFinite(number) ? exactLong(new BigDecimal(number)) : Optional.empty();
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
      if (decimal.precision() - decimal.scale() > MAX_INT64_DIGITS
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
      if (value instanceof CharSequence || value instanceof Character) {
        return Optional.of(value.toString());
      }
      if (value instanceof Long
          || value instanceof Integer
          || value instanceof Short
          || value instanceof Byte
          || value instanceof UUID) {
        return Optional.of(value.toString());
      }
      throw unusable(value);
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
      if (value instanceof String text && text.strip().length() == UUID_CHARS) {
        try {
          return Optional.of(java.util.UUID.fromString(text.strip()));
        } catch (IllegalArgumentException e) {
          throw unusable(value);
        }
      }
      throw unusable(value);
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

  /** Timestamps with and without zone, the latter read as UTC: microseconds since 1970 as int64. */
  TIMESTAMP {
    @Override
    Optional<Object> convert(Object value) {
      return Optional.of(micros(instant(value)));
    }

    @Override
    byte[] encode(Object canonical) {
      return int64((Long) canonical);
    }

    private Instant instant(Object value) {
      if (value instanceof Timestamp timestamp) {
        return timestamp.toInstant();
      }
      if (value instanceof Instant instant) {
        return instant;
      }
      if (value instanceof OffsetDateTime time) {
        return time.toInstant();
      }
      if (value instanceof ZonedDateTime time) {
        return time.toInstant();
      }
      if (value instanceof LocalDateTime time) {
        return time.toInstant(ZoneOffset.UTC);
      }
      if (value instanceof String text) {
        return parse(text.strip().replace(' ', 'T'));
      }
      throw unusable(value);
    }

    private Instant parse(String text) {
      try {
        boolean zoned =
            text.endsWith("Z") || text.lastIndexOf('+') > 0 || text.lastIndexOf('-') > 10;
        return zoned
            ? OffsetDateTime.parse(text).toInstant()
            : LocalDateTime.parse(text).toInstant(ZoneOffset.UTC);
      } catch (DateTimeParseException e) {
        throw unusable(text);
      }
    }
  },

  /** Dates: microseconds since 1970 of midnight UTC as int64. */
  DATE {
    @Override
    Optional<Object> convert(Object value) {
      return Optional.of(micros(date(value).atStartOfDay().toInstant(ZoneOffset.UTC)));
    }

    @Override
    byte[] encode(Object canonical) {
      return int64((Long) canonical);
    }

    private LocalDate date(Object value) {
      if (value instanceof LocalDate date) {
        return date;
      }
      if (value instanceof Date date) {
        return date.toLocalDate();
      }
      if (value instanceof String text) {
        try {
          return LocalDate.parse(text.strip());
        } catch (DateTimeParseException e) {
          throw unusable(value);
        }
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
  };

  private static final int MAX_NUMBER_CHARS = 400;
  private static final int MAX_INT64_DIGITS = 19;
  private static final int UUID_CHARS = 36;

  /**
   * The value in canonical form, or empty when no stored value of this type can be equal to it:
   * NULL, a fraction or an integer beyond int64 on an integer column.
   *
   * @throws ShardwrightException SW302 when the database itself would reject the comparison, such
   *     as the text {@code abc} against a bigint column
   */
  public Optional<Object> canonical(Object value) {
    return value == null ? Optional.empty() : convert(value);
  }

  /** The bytes that are hashed, of a value that {@link #canonical} returned. */
  public byte[] bytes(Object canonical) {
    return encode(canonical);
  }

  abstract Optional<Object> convert(Object value);

  abstract byte[] encode(Object canonical);

  ShardwrightException unusable(Object value) {
    return new ShardwrightException(
        ErrorCode.ROUTE_KEY_VALUE_INVALID,
        "a value of Java type "
            + value.getClass().getSimpleName()
            + " cannot be read as a route key of type "
            + name()
            + "; pass a value that the column's type accepts");
  }

  private static byte[] int64(long value) {
    return ByteBuffer.allocate(Long.BYTES).putLong(value).array();
  }

  private static long micros(Instant instant) {
    return ChronoUnit.MICROS.between(Instant.EPOCH, instant);
  }
}
