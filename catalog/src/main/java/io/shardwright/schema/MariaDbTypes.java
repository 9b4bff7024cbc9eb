package io.shardwright.schema;

import io.shardwright.routing.KeyType;
import io.shardwright.schema.ShardSchema.Collation;
import io.shardwright.schema.ShardSchema.Column;
import io.shardwright.schema.ShardSchema.Ordering;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What the types of MariaDB are good for: as a route key, whose equality in the database must be
 * equality of the hashed bytes, and to be compared here as the server does.
 */
final class MariaDbTypes {
  private static final int MICROSECONDS = 6;
  private static final int MAX_INT64_DIGITS = 18;

  /** Character sets whose bytes order as their code points. */
  private static final Set<String> CODE_POINT_COLLATIONS =
      Set.of("utf8mb4_nopad_bin", "utf8mb3_nopad_bin", "ascii_nopad_bin");

  /** Of printable ASCII they take letters for one that differ in case, and blanks at the end. */
  private static final Pattern FOLDABLE =
      Pattern.compile(
          "(utf8mb4|utf8mb3|latin1|ascii)_(bin|(general|unicode|unicode_520)_(nopad_)?ci"
              + "|uca1400_(nopad_)?a[is]_c[is])|latin1_swedish_(nopad_)?ci");

  private static final Pattern QUOTED = Pattern.compile("'(?:[^'\\\\]|''|\\\\.)*'", Pattern.DOTALL);

  /** A function call outside of a constant: all of them are taken to differ between calls. */
  private static final Pattern CALL = Pattern.compile("[A-Za-z0-9_`]\\(");

  private static final Set<String> LARGE =
      Set.of(
          "tinytext",
          "text",
          "mediumtext",
          "longtext",
          "tinyblob",
          "blob",
          "mediumblob",
          "longblob");

  private static final Set<String> SHAPES =
      Set.of(
          "geometry",
          "point",
          "linestring",
          "polygon",
          "multipoint",
          "multilinestring",
          "multipolygon",
          "geometrycollection");

  private MariaDbTypes() {}

  /**
   * A type as information_schema.columns tells it.
   *
   * @param name with {@code unsigned}, without length
   * @param declared with length, e.g. {@code tinyint(1)}
   * @param bytesMax of a text or byte string; 0 for other types
   * @param precision of a decimal
   * @param fraction digits of the second
   */
  record Type(String name, String declared, long bytesMax, int precision, int scale, int fraction) {
    /** What drivers take for a boolean. */
    boolean isBoolean() {
      return declared.equals("tinyint(1)");
    }
  }

  static Collation collation(String name) {
    return new Collation(
        name, CODE_POINT_COLLATIONS.contains(name), name.endsWith("_nopad_bin"), Optional.empty());
  }

  static Optional<KeyType> keyType(Type type, Optional<Collation> collation) {
    return switch (type.name) {
      case "tinyint" -> type.isBoolean() ? Optional.empty() : Optional.of(KeyType.INTEGER);
      case "smallint",
          "mediumint",
          "int",
          "bigint",
          "tinyint unsigned",
          "smallint unsigned",
          "mediumint unsigned",
          "int unsigned" ->
          Optional.of(KeyType.INTEGER);
      case "decimal", "decimal unsigned" ->
          type.scale == 0 && type.precision <= MAX_INT64_DIGITS
              ? Optional.of(KeyType.INTEGER)
              : Optional.empty();
      case "varchar", "tinytext", "text", "mediumtext", "longtext" ->
          collation.filter(Collation::deterministic).map(c -> KeyType.TEXT);
      case "varbinary", "tinyblob", "blob", "mediumblob", "longblob" -> Optional.of(KeyType.BYTES);
      case "uuid" -> Optional.of(KeyType.UUID);
      case "date" -> Optional.of(KeyType.DATE);
      case "datetime" ->
          type.fraction == MICROSECONDS ? Optional.of(KeyType.TIMESTAMP) : Optional.empty();
      default -> Optional.empty();
    };
  }

  /**
   * The same for the key of a lookup index: of varchars too whose collation takes texts for one, as
   * long as it is known which.
   */
  static Optional<KeyType> indexType(Column column) {
    return switch (column.typeName()) {
      case "tinytext", "text", "mediumtext", "longtext" -> Optional.empty();
      case "tinyblob", "blob", "mediumblob", "longblob" -> Optional.empty();
      case "varchar" ->
          column
              .keyType()
              .or(
                  () ->
                      column
                          .collation()
                          .filter(c -> FOLDABLE.matcher(c.name()).matches())
                          .map(c -> KeyType.FOLDED_TEXT));
      default -> column.keyType();
    };
  }

  /** An index holds all of a value. */
  static boolean isOrdered(Column column) {
    return isCopied(column) && !LARGE.contains(column.typeName());
  }

  static boolean isCopied(Column column) {
    return !SHAPES.contains(column.typeName());
  }

  static String whyNoIndex(Column column) {
    return switch (column.typeName()) {
      case "tinytext", "text", "mediumtext", "longtext" ->
          "it can be in no primary key, which an entry needs; use varchar";
      case "tinyblob", "blob", "mediumblob", "longblob" ->
          "it can be in no primary key, which an entry needs; use varbinary";
      case "varchar" ->
          "its collation "
              + column.collation().map(Collation::name).orElse("")
              + " has rules of one language; write COLLATE utf8mb4_nopad_bin, or one of"
              + " utf8mb4_general_ci, _unicode_ci, _unicode_520_ci, _uca1400_ai_ci and _bin";
      default -> whyNoKey(column);
    };
  }

  /** Why a column whose {@code keyType} is empty has none, and what to use. */
  static String whyNoKey(Column column) {
    return switch (column.typeName()) {
      case "float", "double" ->
          "floating point values have no exact equality; use bigint or decimal(18,0)";
      case "tinyint", "bit" ->
          "a boolean has two values for thousands of buckets; use another column";
      case "bigint unsigned" -> "its values go beyond 64 bits with sign; use bigint";
      case "decimal", "decimal unsigned" ->
          "only decimal(p,0) with p up to " + MAX_INT64_DIGITS + " holds integers of 64 bits alone";
      case "char" -> "char(n) ignores trailing spaces; use varchar";
      case "binary" ->
          "binary(n) fills values up with zero bytes after the key was hashed; use varbinary(n) or"
              + " uuid";
      case "varchar", "tinytext", "text", "mediumtext", "longtext" -> whyNoText(column);
      case "datetime" ->
          "the server cuts the time to this precision after the key was hashed; use datetime(6)";
      case "timestamp" ->
          "a timestamp is read in the time zone of the session; use datetime(6) in UTC";
      case "enum", "set" -> "its values are numbers that each table assigns; use varchar";
      case "time", "year" -> "it has too few values for thousands of buckets; use another column";
      default ->
          "use an integer, decimal(p,0), varchar of collation utf8mb4_nopad_bin, varbinary, uuid,"
              + " date or datetime(6) column";
    };
  }

  /** How each of the collations that are not exact calls different texts equal. */
  private static String whyNoText(Column column) {
    String name = column.collation().map(Collation::name).orElse("");
    return "its collation "
        + name
        + (name.endsWith("_bin")
            ? " ignores trailing spaces"
            : " takes different texts for equal, such as those that differ in case only")
        + "; write "
        + column.type()
        + " CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin";
  }

  /**
   * @param sortedBytesMax of a text or byte string, by which the server orders; longer ones come
   *     back in no order that is known
   */
  static Ordering ordering(Type type, Optional<Collation> collation, long sortedBytesMax) {
    return switch (type.name.replace(" unsigned", "")) {
      case "tinyint",
          "smallint",
          "mediumint",
          "int",
          "bigint",
          "decimal",
          "double",
          "date",
          "datetime",
          "timestamp" ->
          Ordering.NATURAL;
      case "binary", "varbinary", "tinyblob", "blob", "mediumblob", "longblob" ->
          type.bytesMax <= sortedBytesMax ? Ordering.NATURAL : Ordering.EQUALITY_ONLY;
      case "varchar", "tinytext", "text", "mediumtext", "longtext" ->
          collation
              .map(Collation::ordering)
              .map(o -> o == Ordering.CODE_POINT && type.bytesMax > sortedBytesMax ? equality() : o)
              .orElse(Ordering.UNKNOWN);
      // Stored with its groups in another order.
      case "uuid" -> Ordering.EQUALITY_ONLY;
      // A float as text, which is how it comes, has six of its digits.
      default -> Ordering.UNKNOWN;
    };
  }

  private static Ordering equality() {
    return Ordering.EQUALITY_ONLY;
  }

  static boolean isVolatile(String expression) {
    return CALL.matcher(QUOTED.matcher(expression).replaceAll("''")).find();
  }
}
