package io.shardwright.sql;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.sql.Facts.Place;
import java.util.ArrayList;
import java.util.List;
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

  /** The columns that a SET clause assigns, folded: {@code a = 1, (b, c) = (2, 3)}. */
  static List<String> assignedColumns(SqlTokens tokens, Range set) {
    List<String> columns = new ArrayList<>();
    for (Range assignment : set.items(tokens)) {
      int first = assignment.from();
      int last = tokens.isSymbolAt(first, "(") ? tokens.closing(first) : first;
      for (int i = first; i <= last && i < assignment.to(); i++) {
        if (tokens.get(i).isName()) {
          columns.add(tokens.name(i));
        }
      }
    }
    return columns;
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
      int name = name();
      if (tokens.isSymbolAt(at, ".")) {
        String qualifier = tokens.tableName(name);
        at++;
        name = name();
        if (!tokens.dialect().isHome(qualifier)) {
          throw FromReader.unknownTable(qualifier + "." + tokens.get(name).text());
        }
      }
      return tokens.tableName(name);
    }

    private int name() {
      if (at >= tokens.size() || !tokens.get(at).isName()) {
        throw malformed("a name");
      }
      return at++;
    }

    private List<String> columnList() {
      int close = tokens.closing(at);
      List<String> columns = new ArrayList<>();
      at++;
      while (at < close) {
        columns.add(tokens.name(name()));
        if (at < close) {
          expectSymbol(",");
        }
      }
      at = close + 1;
      return columns;
    }

    private List<Optional<Slot>> rowValues(int open, int close) {
      List<Optional<Slot>> values = new ArrayList<>();
      for (Range value : new Range(open + 1, close).items(tokens)) {
        values.add(Slot.of(tokens, value));
      }
      return values;
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
      int i = at;
      while (i < tokens.size() && !(tokens.isAt(i, "SET") && tokens.get(i).depth() == 0)) {
        i++;
      }
      int to = i + 1;
      while (to < tokens.size() && !isEndOfSet(to)) {
        to++;
      }
      return i >= tokens.size() ? List.of() : assignedColumns(tokens, new Range(i + 1, to));
    }

    private boolean isEndOfSet(int index) {
      return tokens.get(index).depth() == 0
          && (tokens.isAt(index, "WHERE") || tokens.isAt(index, "RETURNING"));
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
