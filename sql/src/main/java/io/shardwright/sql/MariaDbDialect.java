package io.shardwright.sql;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.KeyType;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * MariaDB 11.4: names of columns, aliases and functions are compared without case, those of tables
 * as they are written; NULLs are the smallest values.
 *
 * <p>What a comparison with a route key column means: a number column equals the number that the
 * other side <i>converts to</i>, so that {@code '42abc'} equals 42, and a text column beside a
 * number is itself converted, so that 42 equals the texts {@code '42'}, {@code '042'} and {@code
 * '42abc'}. The route is known only from a number or the plain digits of one for a number column,
 * and only from a text for a text column; everything else is refused.
 */
final class MariaDbDialect extends Dialect {
  private static final Pattern INTEGER = Pattern.compile("[+-]?[0-9]{1,19}");

  private final String database;

  MariaDbDialect(String database) {
    super(Keywords.MARIADB, MariaDbFunctions.NAMES, MariaDbFunctions.VALUES, Catalogs.MARIADB);
    this.database = database;
  }

  @Override
  Lexer lexer(String sql) {
    return new MariaDbLexer(this, sql);
  }

  @Override
  void refuseUnknown(SqlTokens tokens) {
    MariaDbRefusals.check(tokens);
  }

  @Override
  boolean isQuestionOperator(SqlTokens tokens, int index) {
    return false;
  }

  @Override
  void refuseDdl(Schema schema, SqlTokens tokens) {
    MariaDbDdl.check(schema, tokens);
  }

  @Override
  boolean showsAlike(SqlTokens tokens) {
    int word = tokens.isAt(1, "FULL") ? 2 : 1;
    String what = word < tokens.size() ? tokens.get(word).keyword() : "";
    return switch (what) {
      case "TABLES", "COLUMNS", "FIELDS", "DATABASES", "SCHEMAS", "COLLATION", "CHARACTER" ->
          !names(tokens, "WHERE");
      case "CREATE" -> tokens.isAt(2, "TABLE") || tokens.isAt(2, "VIEW");
      case "VARIABLES" ->
          tokens.size() == 4
              && tokens.isAt(2, "LIKE")
              && string(tokens.get(3).text())
                  .filter(name -> catalogs().settings().contains(name))
                  .isPresent();
      default -> false;
    };
  }

  private static boolean names(SqlTokens tokens, String word) {
    for (int i = 0; i < tokens.size(); i++) {
      if (tokens.isAt(i, word)) {
        return true;
      }
    }
    return false;
  }

  @Override
  boolean isNoTable(SqlTokens.Token name) {
    return name.is("DUAL");
  }

  @Override
  String fold(String identifier) {
    return foldTable(identifier).toLowerCase(Locale.ROOT);
  }

  @Override
  String foldStored(String name) {
    return name.toLowerCase(Locale.ROOT);
  }

  @Override
  String foldTable(String identifier) {
    if (identifier.length() >= 2 && identifier.charAt(0) == '`') {
      return identifier.substring(1, identifier.length() - 1).replace("``", "`");
    }
    return identifier;
  }

  @Override
  boolean isHome(String qualifier) {
    return qualifier.equals(database);
  }

  @Override
  String quote(String name) {
    return "`" + name.replace("`", "``") + "`";
  }

  @Override
  String label(String alias) {
    return string(alias).map(Object::toString).orElseGet(() -> foldTable(alias));
  }

  @Override
  String label(SqlTokens tokens, Range expression) {
    return MariaDbLabels.of(tokens, expression);
  }

  @Override
  boolean isSameName(String label, String written) {
    return label.toLowerCase(Locale.ROOT).equals(fold(written));
  }

  @Override
  boolean isStringAlias(SqlTokens tokens, int index) {
    SqlTokens.Token token = tokens.get(index);
    return token.kind() == SqlTokens.Kind.STRING
        && string(token.text()).isPresent()
        && tokens.get(index - 1).kind() != SqlTokens.Kind.STRING;
  }

  @Override
  boolean isJoinUsing(SqlTokens tokens, int index) {
    return tokens.isSymbolAt(index + 1, "(");
  }

  @Override
  boolean joinsWithoutCondition() {
    return true;
  }

  @Override
  boolean namesColumnsByText() {
    return true;
  }

  @Override
  boolean countsReturnedRows() {
    return false;
  }

  @Override
  boolean roundsQuotients() {
    return true;
  }

  @Override
  boolean writesJoins() {
    return true;
  }

  @Override
  boolean nullsFirst(boolean descending) {
    return !descending;
  }

  @Override
  boolean nullIsNoLimit() {
    return false;
  }

  @Override
  boolean multipliesLists() {
    return true;
  }

  @Override
  LastStepForm lastStep() {
    return LastStepForm.JSON;
  }

  @Override
  boolean picksFromGroups() {
    return true;
  }

  /** A number with an exponent is a double. */
  @Override
  Optional<Object> number(String text) {
    Optional<Object> decimal = decimal(text);
    boolean exponent = text.indexOf('e') >= 0 || text.indexOf('E') >= 0;
    return exponent ? decimal.map(d -> Double.parseDouble(text)) : decimal;
  }

  @Override
  Optional<Object> string(String text) {
    char quote = text.charAt(0);
    if (quote != '\'' && quote != '"') {
      return Optional.empty();
    }
    StringBuilder value = new StringBuilder();
    for (int i = 1; i < text.length() - 1; i++) {
      char c = text.charAt(i);
      if (c == '\\') {
        i++;
        value.append(escaped(text.charAt(i)));
      } else {
        value.append(c);
        i += c == quote ? 1 : 0;
      }
    }
    return Optional.of(value.toString());
  }

  private static String escaped(char c) {
    return switch (c) {
      case '0' -> "\0";
      case 'b' -> "\b";
      case 'n' -> "\n";
      case 'r' -> "\r";
      case 't' -> "\t";
      case 'Z' -> "\u001a";
      case '%' -> "\\%";
      case '_' -> "\\_";
      default -> String.valueOf(c);
    };
  }

  @Override
  Optional<Object> constant(String word) {
    return switch (word) {
      case "TRUE" -> Optional.of(1L);
      case "FALSE" -> Optional.of(0L);
      default -> Optional.empty();
    };
  }

  /** The collation of a cast to text is the connection's, so that it pins nothing. */
  @Override
  Optional<KeyType> castType(String type) {
    return switch (type) {
      case "signed" -> Optional.of(KeyType.INTEGER);
      case "uuid" -> Optional.of(KeyType.UUID);
      default -> Optional.empty();
    };
  }

  /** A column in a cast is compared with a text by number, as double, and not by its own type. */
  @Override
  boolean keepsValues(KeyType column, String type) {
    return false;
  }

  @Override
  boolean comparesNulls() {
    return true;
  }

  @Override
  Object compared(KeyType column, Object value) {
    Object plain = stored(column, value);
    boolean asNumber = column == KeyType.TEXT && (plain instanceof Number);
    if (asNumber) {
      throw new ShardwrightException(
          ErrorCode.ROUTE_KEY_VALUE_INVALID,
          "a number is compared with a route key column of text, which MariaDB does by number, so"
              + " that '7' and '07' are equal; pass a string");
    }
    return plain;
  }

  @Override
  Object stored(KeyType column, Object value) {
    if (value instanceof Boolean bool) {
      return bool ? 1L : 0L;
    }
    if (column == KeyType.INTEGER
        && value instanceof CharSequence text
        && !INTEGER.matcher(text).matches()) {
      throw new ShardwrightException(
          ErrorCode.ROUTE_KEY_VALUE_INVALID,
          "a text that is no plain whole number stands for the value of an integer route key column;"
              + " MariaDB would take what it begins with; pass a number");
    }
    return value;
  }
}
