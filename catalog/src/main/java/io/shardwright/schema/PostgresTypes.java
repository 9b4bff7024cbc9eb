package io.shardwright.schema;

import io.shardwright.routing.KeyType;
import io.shardwright.schema.ShardSchema.Collation;
import io.shardwright.schema.ShardSchema.Ordering;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Which column types can be a route key: those whose equality in the database is equality of the
 * hashed bytes, and that store a value as it was sent.
 */
final class PostgresTypes {
  private static final int NO_MODIFIER = -1;

  /** The server keeps a modifier 4 above what was declared, for varchar and numeric. */
  private static final int MODIFIER_OFFSET = 4;

  private static final int MICROSECONDS = 6;
  private static final int MAX_INT64_DIGITS = 18;
  private static final Set<String> CODE_POINT_LOCALES =
      Set.of("C", "POSIX", "C.UTF-8", "C.utf8", "C.UTF8", "ucs_basic");

  /** Types whose order is not known here, and is to the server. */
  private static final Set<String> ORDERED_BESIDE =
      Set.of("text", "varchar", "bpchar", "interval", "inet", "cidr", "citext");

  private PostgresTypes() {}

  static Optional<KeyType> keyType(String typeName, int modifier, Optional<Collation> collation) {
    return switch (typeName) {
      case "int2", "int4", "int8" -> Optional.of(KeyType.INTEGER);
      case "numeric" -> isInt64(modifier) ? Optional.of(KeyType.INTEGER) : Optional.empty();
      case "text", "varchar" ->
          collation.map(Collation::deterministic).orElse(false)
              ? Optional.of(KeyType.TEXT)
              : Optional.empty();
      case "uuid" -> Optional.of(KeyType.UUID);
      case "timestamp" -> microseconds(KeyType.TIMESTAMP, modifier);
      case "timestamptz" -> microseconds(KeyType.TIMESTAMP_WITH_ZONE, modifier);
      case "date" -> Optional.of(KeyType.DATE);
      case "bytea" -> Optional.of(KeyType.BYTES);
      default -> Optional.empty();
    };
  }

  /** Types with an operator class for B-trees. */
  static boolean isOrdered(ShardSchema.Column column) {
    return column.ordering() != Ordering.UNKNOWN || ORDERED_BESIDE.contains(column.typeName());
  }

  static Ordering ordering(String typeName, Optional<Collation> collation) {
    return switch (typeName) {
      case "int2",
          "int4",
          "int8",
          "numeric",
          "float4",
          "float8",
          "bool",
          "date",
          "time",
          "timetz",
          "timestamp",
          "timestamptz",
          "uuid",
          "bytea" ->
          Ordering.NATURAL;
      case "text", "varchar" -> collation.map(Collation::ordering).orElse(Ordering.UNKNOWN);
      default -> Ordering.UNKNOWN;
    };
  }

  /** Why a column whose {@code keyType} is empty has none, and what to use. */
  static String whyNoKey(ShardSchema.Column column) {
    return switch (column.typeName()) {
      case "float4", "float8" -> "floating point values have no exact equality; use numeric(18,0)";
      case "bpchar" -> "char(n) ignores trailing spaces; use varchar or text";
      case "bool" -> "a boolean has two values for thousands of buckets; use another column";
      case "numeric" ->
          "only numeric(p,0) with p up to " + MAX_INT64_DIGITS + " holds integers of 64 bits alone";
      case "timestamp", "timestamptz" ->
          "the server rounds to this precision after the key was hashed; use precision 6";
      case "citext" -> "it ignores case; use text";
      case "text", "varchar" ->
          "its collation "
              + column.collation().map(Collation::name).orElse("")
              + " is not deterministic, so different texts are equal; use a deterministic one";
      default ->
          "use an integer, numeric(p,0), text, varchar, uuid, timestamp, date or bytea column";
    };
  }

  static OptionalInt maxLength(String typeName, int modifier) {
    return typeName.equals("varchar") && modifier != NO_MODIFIER
        ? OptionalInt.of(modifier - MODIFIER_OFFSET)
        : OptionalInt.empty();
  }

  /**
   * @param provider of pg_collation or pg_database: b builtin, c libc, i ICU
   */
  static boolean isCodePointOrder(String provider, String locale) {
    return provider.equals("b")
        || (provider.equals("c") && locale != null && CODE_POINT_LOCALES.contains(locale));
  }

  static String providerName(String provider) {
    return switch (provider) {
      case "b" -> "builtin";
      case "i" -> "icu";
      default -> "libc";
    };
  }

  private static Optional<KeyType> microseconds(KeyType type, int modifier) {
    return modifier == NO_MODIFIER || modifier == MICROSECONDS
        ? Optional.of(type)
        : Optional.empty();
  }

  private static boolean isInt64(int modifier) {
    if (modifier == NO_MODIFIER) {
      return false;
    }
    int precision = (modifier - MODIFIER_OFFSET) >> 16;
    int scale = (modifier - MODIFIER_OFFSET) & 0x7ff;
    return scale == 0 && precision <= MAX_INT64_DIGITS;
  }
}
