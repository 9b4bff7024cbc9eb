package io.shardwright.sql;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.KeyType;
import io.shardwright.sql.Facts.Place;
import io.shardwright.sql.SqlTokens.Token;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * An INSERT ... VALUES taken apart by its tokens. The grammar is not asked: its cost per row would
 * be that of an expression per value, while rows are only copied.
 *
 * @param columns names in text order, folded; empty when the statement has no column list
 * @param columnsOpen index of the parenthesis that opens the column list, or -1
 * @param rows place of each row with its parentheses
 * @param values of each row, the values that are a parameter or literal
 */
record InsertStatement(
    String table,
    List<String> columns,
    int columnsOpen,
    List<Place> rows,
    List<List<Optional<Slot>>> values,
    boolean returning,
    List<String> updatedOnConflict) {

  static InsertStatement of(SqlTokens tokens) {
    return new Reader(tokens).read();
  }

  private static final class Reader {
    private final SqlTokens tokens;
    private int at;

    Reader(SqlTokens tokens) {
      this.tokens = tokens;
    }

    InsertStatement read() {
      refuseSubqueries();
      at = 1;
      expect("INTO");
      String table = tableName();
      if (tokens.isAt(at, "AS")) {
        at += 2;
      }
      int open = tokens.isSymbolAt(at, "(") ? at : -1;
      List<String> columns = open < 0 ? List.of() : columnList();
      if (tokens.isAt(at, "OVERRIDING")) {
        at += 3;
      }
      if (tokens.isAt(at, "DEFAULT")) {
        throw new ShardwrightException(
            ErrorCode.ROUTE_KEY_MISSING,
            "INSERT ... DEFAULT VALUES into " + table + " has no route key; name the key's values");
      }
      expect("VALUES");
      List<Place> rows = new ArrayList<>();
      List<List<Optional<Slot>>> values = new ArrayList<>();
      do {
        if (!tokens.isSymbolAt(at, "(")) {
          throw malformed("a row in parentheses");
        }
        int close = tokens.closing(at);
        rows.add(new Place(tokens.get(at).start(), tokens.get(close).end()));
        values.add(rowValues(at, close));
        at = close + 1;
      } while (tokens.isSymbolAt(at++, ","));
      at--;
      List<String> updated = updatedColumns();
      return new InsertStatement(table, columns, open, rows, values, hasReturning(), updated);
    }

    private void refuseSubqueries() {
      for (int i = 0; i < tokens.size(); i++) {
        if (tokens.isAt(i, "SELECT") || tokens.isAt(i, "TABLE")) {
          throw BlockReader.unsupported(
              "INSERT with a query; read the rows first, then insert them,");
        }
      }
    }

    private String tableName() {
      Token name = name();
      if (tokens.isSymbolAt(at, ".")) {
        String schema = Schema.fold(name.text());
        at++;
        name = name();
        if (!schema.equals("public")) {
          throw BlockReader.unknownTable(schema + "." + name.text());
        }
      }
      return Schema.fold(name.text());
    }

    private Token name() {
      if (at >= tokens.size() || !tokens.get(at).isName()) {
        throw malformed("a name");
      }
      return tokens.get(at++);
    }

    private List<String> columnList() {
      int close = tokens.closing(at);
      List<String> columns = new ArrayList<>();
      at++;
      while (at < close) {
        columns.add(Schema.fold(name().text()));
        if (at < close) {
          expectSymbol(",");
        }
      }
      at = close + 1;
      return columns;
    }

    private List<Optional<Slot>> rowValues(int open, int close) {
      List<Optional<Slot>> values = new ArrayList<>();
      int inside = tokens.get(open).depth() + 1;
      int from = open + 1;
      for (int i = open + 1; i <= close; i++) {
        boolean comma = tokens.get(i).depth() == inside && tokens.get(i).isSymbol(",");
        if (comma || i == close) {
          values.add(slot(from, i));
          from = i + 1;
        }
      }
      return values;
    }

    /** The value in tokens [from, to), when it is a parameter or literal, perhaps with a cast. */
    private Optional<Slot> slot(int from, int to) {
      Optional<KeyType> cast = Optional.empty();
      int end = to;
      if (end - from == 3 && tokens.isSymbolAt(from + 1, "::")) {
        cast = castType(tokens.get(from + 2).text());
        if (cast.isEmpty()) {
          return Optional.empty();
        }
        end = from + 1;
      }
      if (end - from == 2 && tokens.isSymbolAt(from, "-")) {
        return number(tokens.get(from + 1))
            .map(n -> new Slot.Literal(n.negate(), Optional.empty()));
      }
      if (end - from != 1) {
        return Optional.empty();
      }
      Token token = tokens.get(from);
      Optional<KeyType> type = cast;
      return switch (token.kind()) {
        case PARAMETER -> Optional.of(new Slot.Parameter(tokens.parameterAt(token.start()), type));
        case NUMBER -> number(token).map(n -> new Slot.Literal(n, type));
        case STRING ->
            token.text().startsWith("'")
                ? Optional.of(new Slot.Literal(unquote(token.text()), type))
                : Optional.empty();
        case WORD ->
            token.is("NULL") ? Optional.of(new Slot.Literal(null, type)) : Optional.empty();
        case QUOTED, SYMBOL -> Optional.empty();
      };
    }

    private static Optional<BigDecimal> number(Token token) {
      try {
        return Optional.of(new BigDecimal(token.text()));
      } catch (NumberFormatException e) {
        return Optional.empty();
      }
    }

    private static String unquote(String literal) {
      return literal.substring(1, literal.length() - 1).replace("''", "'");
    }

    private static Optional<KeyType> castType(String type) {
      return switch (type.toLowerCase(Locale.ROOT)) {
        case "bigint", "int8", "integer", "int", "int4", "smallint", "int2" ->
            Optional.of(KeyType.INTEGER);
        case "text", "varchar" -> Optional.of(KeyType.TEXT);
        case "uuid" -> Optional.of(KeyType.UUID);
        default -> Optional.empty();
      };
    }

    private boolean hasReturning() {
      for (int i = at; i < tokens.size(); i++) {
        if (tokens.isAt(i, "RETURNING") && tokens.get(i).depth() == 0) {
          return true;
        }
      }
      return false;
    }

    /** Columns that ON CONFLICT DO UPDATE sets. */
    private List<String> updatedColumns() {
      List<String> updated = new ArrayList<>();
      int i = at;
      while (i < tokens.size() && !(tokens.isAt(i, "SET") && tokens.get(i).depth() == 0)) {
        i++;
      }
      boolean startOfItem = true;
      for (i++; i < tokens.size(); i++) {
        Token token = tokens.get(i);
        if (token.depth() == 0 && (token.is("WHERE") || token.is("RETURNING"))) {
          break;
        }
        if (startOfItem && token.isSymbol("(")) {
          int close = tokens.closing(i);
          for (int inner = i + 1; inner < close; inner++) {
            if (tokens.get(inner).isName()) {
              updated.add(Schema.fold(tokens.get(inner).text()));
            }
          }
          i = close;
        } else if (startOfItem && token.isName()) {
          updated.add(Schema.fold(token.text()));
        }
        startOfItem = token.depth() == 0 && token.isSymbol(",");
      }
      return updated;
    }

    private void expect(String word) {
      if (!tokens.isAt(at, word)) {
        throw malformed(word);
      }
      at++;
    }

    private void expectSymbol(String symbol) {
      if (!tokens.isSymbolAt(at, symbol)) {
        throw malformed("'" + symbol + "'");
      }
      at++;
    }

    private ShardwrightException malformed(String expected) {
      String found = at < tokens.size() ? "'" + tokens.get(at).text() + "'" : "its end";
      return new ShardwrightException(
          ErrorCode.STATEMENT_UNPARSABLE,
          "the INSERT has " + found + " where " + expected + " was expected");
    }
  }
}
