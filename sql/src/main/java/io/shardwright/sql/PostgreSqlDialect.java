package io.shardwright.sql;

import io.shardwright.routing.KeyType;
import java.util.Locale;
import java.util.Optional;

/** PostgreSQL 17: unquoted identifiers become lower case, NULLs are the largest values. */
final class PostgreSqlDialect extends Dialect {
  static final PostgreSqlDialect INSTANCE = new PostgreSqlDialect();

  private PostgreSqlDialect() {
    super(
        Keywords.POSTGRESQL,
        PostgreSqlFunctions.NAMES,
        PostgreSqlFunctions.VALUES,
        Catalogs.POSTGRESQL);
  }

  @Override
  Lexer lexer(String sql) {
    return new PostgreSqlLexer(this, sql);
  }

  @Override
  void refuseUnknown(SqlTokens tokens) {}

  @Override
  boolean isQuestionOperator(SqlTokens tokens, int index) {
    if (index == 0 || index + 1 == tokens.size()) {
      return false;
    }
    SqlTokens.Token before = tokens.get(index - 1);
    return before.kind() != SqlTokens.Kind.PARAMETER
        && (before.kind() != SqlTokens.Kind.SYMBOL || before.isSymbol(")") || before.isSymbol("]"))
        && !tokens.isSymbolAt(index + 1, ",")
        && !tokens.isSymbolAt(index + 1, ")");
  }

  @Override
  void refuseDdl(Schema schema, SqlTokens tokens) {}

  @Override
  boolean showsAlike(SqlTokens tokens) {
    boolean isolation =
        tokens.size() == 4
            && tokens.isAt(1, "TRANSACTION")
            && tokens.isAt(2, "ISOLATION")
            && tokens.isAt(3, "LEVEL");
    return isolation
        || (tokens.size() == 2
            && catalogs().settings().contains(tokens.name(1).toLowerCase(Locale.ROOT)));
  }

  @Override
  boolean isNoTable(SqlTokens.Token name) {
    return false;
  }

  @Override
  String fold(String identifier) {
    if (identifier.length() >= 2 && identifier.charAt(0) == '"') {
      return identifier.substring(1, identifier.length() - 1).replace("\"\"", "\"");
    }
    return identifier.toLowerCase(Locale.ROOT);
  }

  @Override
  String foldStored(String name) {
    return name;
  }

  @Override
  String foldTable(String identifier) {
    return fold(identifier);
  }

  @Override
  boolean isHome(String qualifier) {
    return qualifier.equals("public");
  }

  @Override
  String quote(String name) {
    return "\"" + name.replace("\"", "\"\"") + "\"";
  }

  @Override
  String label(String alias) {
    return fold(alias);
  }

  @Override
  String label(SqlTokens tokens, Range expression) {
    return new Labels(tokens).of(expression);
  }

  @Override
  boolean isSameName(String label, String written) {
    return label.equals(fold(written));
  }

  @Override
  boolean isStringAlias(SqlTokens tokens, int index) {
    return false;
  }

  @Override
  boolean isJoinUsing(SqlTokens tokens, int index) {
    return false;
  }

  @Override
  boolean joinsWithoutCondition() {
    return false;
  }

  @Override
  boolean namesColumnsByText() {
    return false;
  }

  @Override
  boolean countsReturnedRows() {
    return true;
  }

  @Override
  boolean roundsQuotients() {
    return false;
  }

  @Override
  boolean writesJoins() {
    return false;
  }

  @Override
  boolean nullsFirst(boolean descending) {
    return descending;
  }

  @Override
  boolean nullIsNoLimit() {
    return true;
  }

  @Override
  boolean multipliesLists() {
    return false;
  }

  @Override
  LastStepForm lastStep() {
    return LastStepForm.ARRAYS;
  }

  @Override
  boolean picksFromGroups() {
    return false;
  }

  @Override
  Optional<Object> number(String text) {
    return decimal(text);
  }

  @Override
  Optional<Object> string(String text) {
    return text.startsWith("'")
        ? Optional.of(text.substring(1, text.length() - 1).replace("''", "'"))
        : Optional.empty();
  }

  @Override
  Optional<Object> constant(String word) {
    return Optional.empty();
  }

  @Override
  Optional<KeyType> castType(String type) {
    return switch (type) {
      case "bigint", "int8", "integer", "int", "int4", "smallint", "int2" ->
          Optional.of(KeyType.INTEGER);
      case "text", "varchar" -> Optional.of(KeyType.TEXT);
      case "uuid" -> Optional.of(KeyType.UUID);
      default -> Optional.empty();
    };
  }

  /** Of numbers only those to the widest types: others are errors for some values. */
  @Override
  boolean keepsValues(KeyType column, String type) {
    return switch (type) {
      case "bigint", "int8", "numeric", "decimal" -> column == KeyType.INTEGER;
      case "text", "varchar" -> column == KeyType.TEXT;
      case "uuid" -> column == KeyType.UUID;
      default -> false;
    };
  }

  @Override
  boolean comparesNulls() {
    return false;
  }

  @Override
  Object compared(KeyType column, Object value) {
    return value;
  }

  @Override
  Object stored(KeyType column, Object value) {
    return value;
  }
}
