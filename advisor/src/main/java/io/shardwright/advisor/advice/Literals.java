package io.shardwright.advisor.advice;

import io.shardwright.sql.TokenText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The values that one statement gives to columns: by {@code =}, by IN, in the rows of an INSERT.
 * Values are texts without quotes; NULL and expressions are none. Aliases are not resolved: a
 * column is known by its name.
 */
final class Literals {
  /** More values of one list than these are not looked at. */
  static final int VALUES_MAX = 1_000;

  /**
   * @param row of an INSERT, from 0; -1 in a condition
   */
  record Literal(String column, String value, int row) {}

  private final TokenText tokens;
  private final List<Optional<String>> parameters;
  private final int[] ordinals;
  private final List<Literal> found = new ArrayList<>();

  private Literals(TokenText tokens, List<Optional<String>> parameters) {
    this.tokens = tokens;
    this.parameters = parameters;
    this.ordinals = new int[tokens.size()];
    int marks = 0;
    for (int i = 0; i < tokens.size(); i++) {
      ordinals[i] = marks;
      if (isMark(i)) {
        marks++;
      }
    }
  }

  static List<Literal> of(TokenText tokens, List<Optional<String>> parameters) {
    Literals literals = new Literals(tokens, parameters);
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
      value(i + 2).ifPresent(v -> found.add(new Literal(tokens.name(i), v, -1)));
    } else if (tokens.is(i + 1, "IN") && tokens.isSymbol(i + 2, "(")) {
      int close = tokens.closing(i + 2);
      for (int at = i + 3; at < close && at < i + 2 * VALUES_MAX; at++) {
        if (!tokens.isSymbol(at, ",")) {
          value(at).ifPresent(v -> found.add(new Literal(tokens.name(i), v, -1)));
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
          String name = columns.get(column);
          value(start).ifPresent(v -> found.add(new Literal(name, v, row)));
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

  private Optional<String> value(int i) {
    if (i >= tokens.size()) {
      return Optional.empty();
    }
    String text = tokens.text(i);
    if (tokens.kind(i) == TokenText.Kind.STRING) {
      return unquoted(text);
    }
    if (tokens.kind(i) == TokenText.Kind.NUMBER) {
      return Optional.of(text);
    }
    if (tokens.isSymbol(i, "-")
        && i + 1 < tokens.size()
        && tokens.kind(i + 1) == TokenText.Kind.NUMBER) {
      return Optional.of("-" + tokens.text(i + 1));
    }
    if (isMark(i)) {
      int number = ordinals[i];
      String digits = tokens.isSymbol(i, "$") ? tokens.text(i + 1) : text.substring(1);
      if (text.startsWith("$") && digits.matches("[0-9]{1,5}")) {
        number = Integer.parseInt(digits) - 1;
      }
      return number >= 0 && number < parameters.size() ? parameters.get(number) : Optional.empty();
    }
    return Optional.empty();
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
