package io.shardwright.advisor.schema;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Types of columns as DDL and databases write them. */
public final class ColumnType {
  private static final Pattern DECIMAL =
      Pattern.compile("(?:numeric|decimal|dec|fixed)(?:\\((\\d{1,4})(?:,(-?\\d{1,4}))?\\))?.*");

  /** What a bigint holds of any sign. */
  private static final int INT64_DIGITS = 18;

  private ColumnType() {}

  /**
   * Small letters and no display width of integers but for the boolean {@code tinyint(1)}: {@code
   * bigint unsigned}, {@code numeric(12,2)}, {@code character varying(20)}, {@code enum}.
   */
  static String of(String declared) {
    String type = declared.strip().toLowerCase(Locale.ROOT);
    if (type.matches("(?s)(enum|set)\\b.*")) {
      return firstWord(type);
    }
    return type.replaceAll("\\s+", " ")
        .replaceAll(" ?([(,)]) ?", "$1")
        .replaceAll("\\)(?=\\w)", ") ")
        .replaceFirst("^pg_catalog\\.", "")
        .replaceFirst("^((?:small|medium|big)?int|integer)\\(\\d+\\)", "$1")
        .replaceFirst("^tinyint\\((?!1\\))\\d+\\)", "tinyint")
        .replaceFirst(" without time zone$", "");
  }

  /** Such as {@code character} of {@code character varying(20)}. */
  public static String firstWord(String type) {
    int end = 0;
    while (end < type.length() && type.charAt(end) != ' ' && type.charAt(end) != '(') {
      end++;
    }
    return type.substring(0, end);
  }

  /**
   * Why no route key has this type, by the rules of {@code apply} in either database; empty when it
   * can be one. Texts need a deterministic collation besides, which is not asked here.
   *
   * @param type as {@link #of} gives it
   */
  public static Optional<String> whyNoKey(String type) {
    if (DECIMAL.matcher(type).matches()) {
      return isInt64(type)
          ? Optional.empty()
          : Optional.of("only numeric(p,0) with p up to 18 holds integers of 64 bits alone");
    }
    boolean unsigned = type.endsWith(" unsigned") || type.endsWith(" zerofill");
    String bare = type.replaceAll("\\([^)]*\\)", "").replaceAll(" (unsigned|signed|zerofill)", "");
    return switch (bare) {
      case "tinyint" -> type.equals("tinyint(1)") ? BOOLEAN : Optional.empty();
      case "smallint", "mediumint", "int", "integer", "int1", "int2", "int3", "int4" ->
          Optional.empty();
      case "bigint", "int8" ->
          unsigned
              ? Optional.of("its values go beyond 64 bits with sign; use bigint")
              : Optional.empty();
      case "smallserial", "serial", "bigserial", "serial2", "serial4", "serial8" ->
          Optional.empty();
      case "text", "varchar", "character varying", "char varying", "nvarchar" -> Optional.empty();
      case "tinytext", "mediumtext", "longtext" -> Optional.empty();
      case "bytea", "varbinary", "blob", "tinyblob", "mediumblob", "longblob" -> Optional.empty();
      case "uuid", "date" -> Optional.empty();
      case "timestamp", "timestamptz", "timestamp with time zone", "datetime" -> Optional.empty();
      case "bool", "boolean", "bit" -> BOOLEAN;
      case "char", "character", "bpchar", "nchar" ->
          Optional.of("char(n) ignores trailing spaces; use varchar or text");
      case "binary" ->
          Optional.of("it fills values up with zero bytes after the key was hashed; use varbinary");
      case "float", "double", "double precision", "real", "float4", "float8" ->
          Optional.of("floating point values have no exact equality; use bigint");
      case "enum", "set" -> Optional.of("use varchar");
      case "citext" -> Optional.of("it ignores case; use text");
      default ->
          Optional.of("use an integer, numeric(p,0), varchar, text, uuid, bytea or varbinary");
    };
  }

  private static final Optional<String> BOOLEAN =
      Optional.of("a boolean has two values for thousands of buckets");

  private static boolean isInt64(String type) {
    Matcher decimal = DECIMAL.matcher(type);
    return decimal.matches()
        && decimal.group(1) != null
        && Integer.parseInt(decimal.group(1)) <= INT64_DIGITS
        && (decimal.group(2) == null || Integer.parseInt(decimal.group(2)) == 0);
  }
}
