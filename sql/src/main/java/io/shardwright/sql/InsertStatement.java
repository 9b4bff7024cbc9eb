package io.shardwright.sql;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.sql.Facts.Place;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * An INSERT of values taken apart by its tokens. The grammar is not asked: its cost per row would
 * be that of an expression per value, while rows are only copied.
 *
 * @param columns names in text order, folded; empty when the statement has no column list
 * @param columnsOpen index of the parenthesis that opens the column list, or -1
 * @param assignments place of the first assignment of INSERT ... SET, or -1
 * @param rows place of each row with its parentheses; none for INSERT ... SET
 * @param values of each row, the values that are a parameter or literal
 * @param defaults the values that are DEFAULT
 * @param query the SELECT of INSERT ... SELECT
 * @param ignores true when the database stores a near value instead of one that does not fit
 */
record InsertStatement(
    String table,
    List<String> columns,
    int columnsOpen,
    int assignments,
    List<Place> rows,
    List<List<Optional<Slot>>> values,
    List<Default> defaults,
    Optional<Range> query,
    boolean returning,
    boolean ignores,
    List<String> updatedOnConflict) {

  /** The word DEFAULT as a value; row and column count from 0. */
  record Default(int row, int column, Place place) {}

  static InsertStatement of(SqlTokens tokens) {
    return new Reader(tokens).read();
  }

  boolean namesColumns() {
    return columnsOpen >= 0 || assignments >= 0;
  }

  /** The columns that a SET clause assigns, folded: {@code a = 1, (b, c) = (2, 3), t.d = 4}. */
  static List<String> assignedColumns(SqlTokens tokens, Range set) {
    List<String> columns = new ArrayList<>();
    for (Range assignment : set.items(tokens)) {
      int first = assignment.from();
      int last = tokens.isSymbolAt(first, "(") ? tokens.closing(first) : first;
      while (last == first && tokens.dialect().writesJoins() && tokens.isSymbolAt(first + 1, ".")) {
        first += 2;
        last = first;
      }
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
    private final List<Default> defaults = new ArrayList<>();
    private int at;

    Reader(SqlTokens tokens) {
      this.tokens = tokens;
    }

    InsertStatement read() {
      at = 1;
      boolean ignores = readOptions();
      String table = tableName();
      if (tokens.isAt(at, "AS")) {
        at += 2;
      }
      at = tokens.dialect().behindPartitions(tokens, at);
      int open = tokens.isSymbolAt(at, "(") && !isQuery(at + 1) ? at : -1;
      List<String> columns = open < 0 ? List.of() : columnList();
      if (tokens.isAt(at, "OVERRIDING")) {
        at += 3;
      }
      if (tokens.isAt(at, "DEFAULT")) {
        throw new ShardwrightException(
            ErrorCode.ROUTE_KEY_MISSING,
            "INSERT ... DEFAULT VALUES into " + table + " has no route key; name the key's values");
      }
      List<Place> rows = new ArrayList<>();
      List<List<Optional<Slot>>> values = new ArrayList<>();
      int assignments = -1;
      int first = at;
      while (tokens.isSymbolAt(first, "(")) {
        first++;
      }
      Optional<Range> query = Optional.empty();
      if (isQuery(first)) {
        query = Optional.of(new Range(at, endOfQuery()));
        at = query.get().to();
        refuseSubqueries();
      } else if (open < 0 && tokens.isAt(at, "SET") && tokens.dialect().writesJoins()) {
        refuseSubqueries();
        assignments = tokens.get(++at).start();
        Range set = new Range(at, endOfAssignments());
        columns = assignedColumns(tokens, set);
        values.add(assignedValues(set));
        at = set.to();
      } else {
        refuseSubqueries();
        readRows(rows, values);
      }
      List<String> updated = updatedColumns();
      return new InsertStatement(
          table,
          columns,
          open,
          assignments,
          rows,
          values,
          defaults,
          query,
          hasReturning(),
          ignores,
          updated);
    }

    /** What stands between INSERT and the table; true for IGNORE. */
    private boolean readOptions() {
      boolean ignores = false;
      while (at < tokens.size()
          && tokens.dialect().keywords().writeOptions().contains(tokens.get(at).keyword())) {
        ignores |= tokens.isAt(at++, "IGNORE");
      }
      if (tokens.isAt(at, "INTO") || !tokens.dialect().writesJoins()) {
        expect("INTO");
      }
      return ignores;
    }

    private void readRows(List<Place> rows, List<List<Optional<Slot>>> values) {
      if (tokens.isAt(at, "VALUE") && tokens.dialect().writesJoins()) {
        at++;
      } else {
        expect("VALUES");
      }
      do {
        if (!tokens.isSymbolAt(at, "(")) {
          throw malformed("a row in parentheses");
        }
        int close = tokens.closing(at);
        rows.add(new Place(tokens.get(at).start(), tokens.get(close).end()));
        values.add(rowValues(rows.size() - 1, close));
        at = close + 1;
      } while (tokens.isSymbolAt(at++, ","));
      at--;
    }

    private int endOfAssignments() {
      int to = at;
      while (to < tokens.size()
          && !(tokens.get(to).depth() == 0
              && (tokens.isAt(to, "ON") || tokens.isAt(to, "RETURNING")))) {
        to++;
      }
      return to;
    }

    private List<Optional<Slot>> assignedValues(Range set) {
      List<Optional<Slot>> values = new ArrayList<>();
      for (Range assignment : set.items(tokens)) {
        int equals = assignment.from();
        while (equals < assignment.to() && !tokens.isSymbolAt(equals, "=")) {
          equals++;
        }
        values.add(
            equals + 1 < assignment.to()
                ? value(0, values.size(), new Range(equals + 1, assignment.to()))
                : Optional.empty());
      }
      return values;
    }

    private boolean isQuery(int index) {
      return tokens.isAt(index, "SELECT") || tokens.isAt(index, "WITH");
    }

    /** ON CONFLICT, ON DUPLICATE KEY or RETURNING; the ON of a join is none of them. */
    private int endOfQuery() {
      int to = at;
      while (to < tokens.size()
          && !(tokens.get(to).depth() == 0
              && (tokens.isKeyword(to, "RETURNING")
                  || (tokens.isAt(to, "ON")
                      && (tokens.isAt(to + 1, "CONFLICT") || tokens.isAt(to + 1, "DUPLICATE")))))) {
        to++;
      }
      return to;
    }

    /** In what is left to read. */
    private void refuseSubqueries() {
      for (int i = at; i < tokens.size(); i++) {
        if (tokens.isAt(i, "SELECT") || tokens.isAt(i, "TABLE")) {
          throw BlockReader.unsupported(
              "a subquery among the values of an INSERT; read the value first, then insert it,");
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
        int name = name();
        while (tokens.dialect().writesJoins() && tokens.isSymbolAt(at, ".")) {
          at++;
          name = name();
        }
        columns.add(tokens.name(name));
        if (at < close) {
          expectSymbol(",");
        }
      }
      at = close + 1;
      return columns;
    }

    /** Of the row that begins here. */
    private List<Optional<Slot>> rowValues(int row, int close) {
      List<Optional<Slot>> values = new ArrayList<>();
      for (Range value : new Range(at + 1, close).items(tokens)) {
        values.add(value(row, values.size(), value));
      }
      return values;
    }

    private Optional<Slot> value(int row, int column, Range value) {
      if (value.to() == value.from() + 1 && tokens.isAt(value.from(), "DEFAULT")) {
        defaults.add(new Default(row, column, value.place(tokens)));
      }
      return Slot.of(tokens, value);
    }

    private boolean hasReturning() {
      for (int i = at; i < tokens.size(); i++) {
        if (tokens.isAt(i, "RETURNING") && tokens.get(i).depth() == 0) {
          return true;
        }
      }
      return false;
    }

    /** Columns that ON CONFLICT DO UPDATE SET or ON DUPLICATE KEY UPDATE changes. */
    private List<String> updatedColumns() {
      String word = tokens.dialect().writesJoins() ? "UPDATE" : "SET";
      int i = at;
      while (i < tokens.size() && !(tokens.isAt(i, word) && tokens.get(i).depth() == 0)) {
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
