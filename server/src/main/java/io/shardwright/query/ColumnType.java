package io.shardwright.query;

import io.shardwright.config.DatabaseProduct;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;

/**
 * How values of a column are written in requests and answers, and what the database is given and
 * asked for. A value that was shown is the same when it is parsed again.
 */
enum ColumnType {
  INTEGER("a whole number") {
    @Override
    Object parse(Object value) {
      return decimal(value).longValueExact();
    }

    @Override
    Object read(ResultSet rows, int column) throws SQLException {
      long value = rows.getLong(column);
      return rows.wasNull() ? null : value;
    }

    @Override
    Object show(Object value) {
      long number = (Long) value;
      return number > MAX_EXACT || number < -MAX_EXACT ? String.valueOf(number) : value;
    }
  },
  DECIMAL("a number") {
    @Override
    Object parse(Object value) {
      return decimal(value);
    }

    @Override
    Object read(ResultSet rows, int column) throws SQLException {
      return rows.getBigDecimal(column);
    }

    @Override
    Object show(Object value) {
      return ((BigDecimal) value).toPlainString();
    }
  },
  TEXT("a text") {
    @Override
    Object parse(Object value) {
      // Half a character would become a question mark on its way.
      if (value instanceof String text
          && text.indexOf('\0') < 0
          && StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
        return text;
      }
      throw new IllegalArgumentException();
    }

    @Override
    Object read(ResultSet rows, int column) throws SQLException {
      return rows.getString(column);
    }
  },
  BOOLEAN("true or false") {
    @Override
    Object parse(Object value) {
      if (value instanceof Boolean) {
        return value;
      }
      throw new IllegalArgumentException();
    }

    @Override
    Object read(ResultSet rows, int column) throws SQLException {
      boolean value = rows.getBoolean(column);
      return rows.wasNull() ? null : value;
    }
  },
  UNIQUE_ID("a UUID") {
    @Override
    Object parse(Object value) {
      UUID id = UUID.fromString((String) value);
      if (!id.toString().equals(((String) value).toLowerCase(Locale.ROOT))) {
        throw new IllegalArgumentException();
      }
      return id;
    }

    @Override
    Object read(ResultSet rows, int column) throws SQLException {
      String text = rows.getString(column);
      return text == null ? null : UUID.fromString(text);
    }

    @Override
    Object show(Object value) {
      return value.toString();
    }
  },
  DATE("a date as 2011-11-01") {
    @Override
    Object parse(Object value) {
      return LocalDate.parse((String) value);
    }

    @Override
    Object read(ResultSet rows, int column) throws SQLException {
      return rows.getObject(column, LocalDate.class);
    }

    @Override
    Object show(Object value) {
      return value.toString();
    }
  },
  /** With a time zone: PostgreSQL's timestamptz. */
  INSTANT("a moment as 2011-11-01T00:00:00Z") {
    @Override
    Object parse(Object value) {
      return switch ((String) value) {
        case "infinity" -> OffsetDateTime.MAX;
        case "-infinity" -> OffsetDateTime.MIN;
        default -> utc(OffsetDateTime.parse((String) value));
      };
    }

    @Override
    Object read(ResultSet rows, int column) throws SQLException {
      return rows.getObject(column, OffsetDateTime.class);
    }

    @Override
    Object show(Object value) {
      if (value.equals(OffsetDateTime.MAX)) {
        return "infinity";
      }
      return value.equals(OffsetDateTime.MIN) ? "-infinity" : written(utc((OffsetDateTime) value));
    }
  },
  /** Without a zone: what it holds is taken as UTC. */
  UTC_TIME("a moment as 2011-11-01T00:00:00Z") {
    @Override
    Object parse(Object value) {
      return switch ((String) value) {
        case "infinity" -> LocalDateTime.MAX;
        case "-infinity" -> LocalDateTime.MIN;
        default -> utc(OffsetDateTime.parse((String) value)).toLocalDateTime();
      };
    }

    @Override
    Object read(ResultSet rows, int column) throws SQLException {
      return rows.getObject(column, LocalDateTime.class);
    }

    @Override
    Object show(Object value) {
      if (value.equals(LocalDateTime.MAX)) {
        return "infinity";
      }
      return value.equals(LocalDateTime.MIN)
          ? "-infinity"
          : written(((LocalDateTime) value).atOffset(ZoneOffset.UTC));
    }
  },
  /** Not compared: its values have no exact text. */
  FLOAT("a number") {
    @Override
    Object read(ResultSet rows, int column) throws SQLException {
      double value = rows.getDouble(column);
      return rows.wasNull() ? null : value;
    }

    @Override
    Object show(Object value) {
      double number = (Double) value;
      return Double.isFinite(number) ? value : String.valueOf(number);
    }
  },
  BYTES("bytes") {
    @Override
    Object read(ResultSet rows, int column) throws SQLException {
      return rows.getBytes(column);
    }

    @Override
    Object show(Object value) {
      return Base64.getEncoder().encodeToString((byte[]) value);
    }
  },
  /** Shown as the database writes it, and not compared. */
  OTHER("a value") {
    @Override
    Object read(ResultSet rows, int column) throws SQLException {
      return rows.getString(column);
    }
  };

  /** A double holds every whole number up to here; beyond, JavaScript would round it. */
  private static final long MAX_EXACT = (1L << 53) - 1;

  private static final int MAX_DIGITS = 1_000;

  private final String form;

  ColumnType(String form) {
    this.form = form;
  }

  /** What a request has to write, for messages. */
  String form() {
    return form;
  }

  boolean isComparable() {
    return this != FLOAT && this != BYTES && this != OTHER;
  }

  boolean isTime() {
    return this == INSTANT || this == UTC_TIME;
  }

  /**
   * What the database is given.
   *
   * @return empty when the value is none of this type
   */
  Optional<Object> parameter(Object value) {
    try {
      return Optional.of(parse(value));
    } catch (DateTimeException | ArithmeticException | IllegalArgumentException e) {
      return Optional.empty();
    } catch (ClassCastException e) {
      // A number where a text has to be.
      return Optional.empty();
    }
  }

  /** The value that was shown so. */
  Object ofShown(String text) {
    return parse(this == BOOLEAN ? (Object) Boolean.valueOf(text) : text);
  }

  Object parse(Object value) {
    throw new IllegalArgumentException();
  }

  /** Null for NULL. */
  abstract Object read(ResultSet rows, int column) throws SQLException;

  /** As JSON has it. */
  Object show(Object value) {
    return value;
  }

  /** Of a column as JDBC metadata describes it. */
  static ColumnType of(DatabaseProduct product, String typeName) {
    String name = typeName.toLowerCase(Locale.ROOT);
    return switch (name) {
      case "int2", "int4", "int8", "smallserial", "serial", "bigserial" -> INTEGER;
      case "int", "bigint", "mediumint", "smallint", "integer" -> INTEGER;
      case "tinyint", "int unsigned", "smallint unsigned", "mediumint unsigned" -> INTEGER;
      case "numeric", "decimal", "bigint unsigned" -> DECIMAL;
      case "text", "varchar", "mediumtext", "longtext", "tinytext" -> TEXT;
      case "bool", "boolean" -> BOOLEAN;
      case "uuid" -> UNIQUE_ID;
      case "date" -> DATE;
      case "timestamptz" -> INSTANT;
      case "datetime" -> UTC_TIME;
      // MariaDB's is read in the zone of the session.
      case "timestamp" -> product == DatabaseProduct.POSTGRESQL ? UTC_TIME : OTHER;
      case "float4", "float8", "float", "double" -> FLOAT;
      case "bytea", "varbinary", "binary", "blob", "longblob", "mediumblob" -> BYTES;
      default -> OTHER;
    };
  }

  private static BigDecimal decimal(Object value) {
    BigDecimal number;
    if (value instanceof BigDecimal decimal) {
      number = decimal;
    } else if (value instanceof BigInteger integer) {
      number = new BigDecimal(integer);
    } else if (value instanceof String text && text.length() <= MAX_DIGITS) {
      number = new BigDecimal(text);
    } else {
      number = BigDecimal.valueOf(((Number) value).longValue());
    }
    if (Math.abs((long) number.scale()) > MAX_DIGITS) {
      throw new ArithmeticException();
    }
    return number;
  }

  private static OffsetDateTime utc(OffsetDateTime value) {
    if (value.getNano() % 1_000 != 0) {
      throw new DateTimeException("more precise than a microsecond");
    }
    return value.withOffsetSameInstant(ZoneOffset.UTC);
  }

  /** With as many digits as it has, in threes. */
  private static String written(OffsetDateTime value) {
    return DateTimeFormatter.ISO_INSTANT.format(value);
  }
}
