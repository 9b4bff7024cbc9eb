package io.shardwright.advisor.advice;

import io.shardwright.sql.TokenText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Where one statement gives values to columns: by {@code =}, by IN, in the rows of an INSERT.
 * Values are texts without quotes; NULL and expressions are none. Aliases are not resolved: a
 * column is known by its name.
 */
public final class Literals {
  /** More values of one list than these are not looked at. */
  static final int VALUES_MAX = 1_000;

  /**
   * One value.
   *
   * @param row of an INSERT, from 0; -1 in a condition
   * @param start of the literal in the text, without its sign
   * @param literal as it is written
   * @param parameter number from 0 of the parameter that stands there; -1 for a literal
   */
  public record Place(
      String column, int row, boolean negative, int start, String literal, int parameter) {
    int end() {
      return start + literal.length();
    }

    /** Empty for NULL and what is not told. */
    public Optional<String> value(List<Optional<String>> parameters) {
      if (parameter >= 0) {
        return parameter < parameters.size() ? parameters.get(parameter) : Optional.empty();
      }
      return Literals.value(literal, negative);
    }
  }

  /** What a number or a string means; empty for a string of another form. */
  static Optional<String> value(String literal, boolean negative) {
    char first = literal.charAt(0);
    boolean number = (first >= '0' && first <= '9') || first == '.';
    return number ? Optional.of(negative ? "-" + literal : literal) : unquoted(literal);
  }

  private final TokenText tokens;
  private final int[] ordinals;
  private final List<Place> found = new ArrayList<>();

  private Literals(TokenText tokens) {
    this.tokens = tokens;
    this.ordinals = new int[tokens.size()];
    int marks = 0;
    for (int i = 0; i < tokens.size(); i++) {
      ordinals[i] = marks;
      if (isMark(i)) {
        marks++;
      }
    }
  }

  /** In the order of the text. */
  public static List<Place> of(TokenText tokens) {
    Literals literals = new Literals(tokens);
    literals.read();
    return literals.found;
  }

  private void read() {
    int from = 0;
    if (tokens.is(0, "INSERT") || tokens.is(0, "REPLACE")) {
      from = insert();
    }
    boolean sets = false;
    for (int i = from; i < tokens.size(); i++) {
      if (tokens.is(i, "SET") || (tokens.is(i, "KEY") && tokens.is(i + 1, "UPDATE"))) {
        sets = true;
      } else if (tokens.is(i, "WHERE")) {
        sets = false;
      } else if (!sets && tokens.isName(i)) {
        condition(i);
      }
    }
  }

  private void condition(int i) {
    boolean compares = tokens.isSymbol(i + 1, "=") && !tokens.isSymbol(i + 2, "=");
    if (compares) {
      value(i + 2, i, -1);
    } else if (tokens.is(i + 1, "IN") && tokens.isSymbol(i + 2, "(")) {
      int close = tokens.closing(i + 2);
      for (int at = i + 3; at < close && at < i + 2 * VALUES_MAX; at++) {
        if (!tokens.isSymbol(at, ",")) {
          value(at, i, -1);
        }
      }
    }
  }

  /**
   * @return the index behind the rows
   */
  private int insert() {
    int open = 0;
    while (open < tokens.size() && !tokens.isSymbol(open, "(")) {
      if (tokens.is(open, "SELECT") || tokens.is(open, "VALUES")) {
        return open;
      }
      open++;
    }
    if (open == tokens.size()) {
      return open;
    }
    List<String> columns = new ArrayList<>();
    int close = tokens.closing(open);
    for (int i = open + 1; i < close; i++) {
      if (tokens.isName(i)) {
        columns.add(tokens.name(i));
      }
    }
    int at = close + 1;
    if (!tokens.is(at, "VALUES") && !tokens.is(at, "VALUE")) {
      return at;
    }
    at++;
    for (int row = 0; tokens.isSymbol(at, "("); row++) {
      int end = tokens.closing(at);
      if (row < VALUES_MAX) {
        row(columns, at, end, row);
      }
      at = tokens.isSymbol(end + 1, ",") ? end + 2 : end + 1;
    }
    return at;
  }

  private void row(List<String> columns, int open, int close, int row) {
    int column = 0;
    int start = open + 1;
    for (int i = open + 1; i <= close; i++) {
      boolean ends =
          i == close || (tokens.isSymbol(i, ",") && tokens.depth(i) == tokens.depth(open) + 1);
      if (ends) {
        if (column < columns.size() && start < i) {
          value(start, columns.get(column), row);
        }
        column++;
        start = i + 1;
      }
    }
  }

  private boolean isMark(int i) {
    return tokens.kind(i) == TokenText.Kind.PARAMETER
        || (tokens.isSymbol(i, "$")
            && i + 1 < tokens.size()
            && tokens.kind(i + 1) == TokenText.Kind.NUMBER);
  }

  private void value(int i, int name, int row) {
    if (isValue(i)) {
      value(i, tokens.name(name), row);
    }
  }

  private void value(int i, String column, int row) {
    if (!isValue(i)) {
      return;
    }
    if (isMark(i)) {
      found.add(new Place(column, row, false, 0, "", parameter(i)));
    } else {
      boolean negative = tokens.isSymbol(i, "-");
      int literal = negative ? i + 1 : i;
      found.add(new Place(column, row, negative, tokens.start(literal), tokens.text(literal), -1));
    }
  }

  private boolean isValue(int i) {
    return i < tokens.size()
        && (tokens.kind(i) == TokenText.Kind.STRING
            || tokens.kind(i) == TokenText.Kind.NUMBER
            || isMark(i)
            || (tokens.isSymbol(i, "-")
                && i + 1 < tokens.size()
                && tokens.kind(i + 1) == TokenText.Kind.NUMBER));
  }

  private int parameter(int i) {
    String text = tokens.text(i);
    String digits = tokens.isSymbol(i, "$") ? tokens.text(i + 1) : text.substring(1);
    boolean numbered = text.startsWith("$") && digits.matches("[0-9]{1,5}");
    if (!numbered) {
      return ordinals[i];
    }
    int number = Integer.parseInt(digits);
    // $0 is none: a number that no list has.
    return number == 0 ? Integer.MAX_VALUE : number - 1;
  }

  private static Optional<String> unquoted(String text) {
    int first = 0;
    while (first < text.length() && text.charAt(first) != '\'' && text.charAt(first) != '"') {
      first++;
    }
    if (first >= text.length() - 1) {
      return Optional.empty();
    }
    String quote = text.substring(first, first + 1);
    return Optional.of(text.substring(first + 1, text.length() - 1).replace(quote + quote, quote));
  }
}
