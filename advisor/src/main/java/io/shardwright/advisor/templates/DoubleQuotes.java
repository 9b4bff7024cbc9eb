package io.shardwright.advisor.templates;

import io.shardwright.sql.TokenText;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * What texts in double quotes are in a statement of unknown dialect, told from where they stand: a
 * value behind a comparison or in a list of values, a name where only names are.
 *
 * @param values tokens
 */
record DoubleQuotes(TokenText tokens, List<Integer> values, boolean hasNames) {
  private static final List<String> BEFORE_VALUES =
      List.of("LIKE", "ILIKE", "RLIKE", "REGEXP", "BETWEEN", "ESCAPE");
  private static final List<String> BEFORE_NAMES =
      List.of("FROM", "JOIN", "INTO", "UPDATE", "TABLE", "ONLY");
  private static final List<String> BEHIND_NAMES = List.of("IN", "IS", "LIKE", "ILIKE", "BETWEEN");
  private static final List<String> COMPARISONS = List.of("=", "<", ">", "<>", "!=", "<=", ">=");

  /** What parentheses hold. */
  private enum Inside {
    OTHER,
    VALUES,
    /** As many more as there are rows. */
    ROW
  }

  static DoubleQuotes of(TokenText tokens) {
    List<Integer> values = new ArrayList<>();
    boolean names = false;
    Deque<Inside> open = new ArrayDeque<>(List.of(Inside.OTHER));
    Inside closed = Inside.OTHER;
    for (int i = 0; i < tokens.size(); i++) {
      if (tokens.isSymbol(i, "(")) {
        open.push(inside(tokens, i, open.element(), closed));
      } else if (tokens.isSymbol(i, ")")) {
        closed = open.pop();
      } else if (isDoubleQuoted(tokens, i)) {
        boolean listed = tokens.isSymbol(i - 1, "(") || tokens.isSymbol(i - 1, ",");
        if (isName(tokens, i)) {
          names = true;
        } else if (isBehindComparison(tokens, i) || (listed && open.element() != Inside.OTHER)) {
          values.add(i);
        } else {
          names |= isCompared(tokens, i);
        }
      }
    }
    return new DoubleQuotes(tokens, values, names);
  }

  private static Inside inside(TokenText tokens, int i, Inside around, Inside closed) {
    if (tokens.is(i + 1, "SELECT") || tokens.is(i + 1, "WITH")) {
      return Inside.OTHER;
    }
    boolean next = tokens.isSymbol(i - 1, ",") && tokens.isSymbol(i - 2, ")");
    if (tokens.is(i - 1, "VALUES") || tokens.is(i - 1, "VALUE") || (next && closed == Inside.ROW)) {
      return Inside.ROW;
    }
    boolean call = tokens.isName(i - 1) && isBehindComparison(tokens, i - 1);
    boolean list = call || tokens.is(i - 1, "IN") || around != Inside.OTHER;
    return list ? Inside.VALUES : Inside.OTHER;
  }

  boolean hasValues() {
    return !values.isEmpty();
  }

  /** The statement with its values in single quotes. */
  String inSingleQuotes(String sql) {
    StringBuilder out = new StringBuilder(sql);
    for (int i = values.size() - 1; i >= 0; i--) {
      int from = tokens.start(values.get(i));
      int to = tokens.end(values.get(i));
      String text = sql.substring(from + 1, to - 1).replace("'", "''");
      out.replace(from, to, "'" + text + "'");
    }
    return out.toString();
  }

  private static boolean isDoubleQuoted(TokenText tokens, int i) {
    return tokens.kind(i) == TokenText.Kind.QUOTED && tokens.text(i).startsWith("\"");
  }

  /** No string stands there in any dialect. */
  private static boolean isName(TokenText tokens, int i) {
    return tokens.isSymbol(i - 1, ".")
        || tokens.isSymbol(i + 1, ".")
        || BEFORE_NAMES.stream().anyMatch(word -> tokens.is(i - 1, word));
  }

  /** Strings are seldom on the left. */
  private static boolean isCompared(TokenText tokens, int i) {
    return COMPARISONS.stream().anyMatch(sign -> tokens.isSymbol(i + 1, sign))
        || BEHIND_NAMES.stream().anyMatch(word -> tokens.is(i + 1, word));
  }

  private static boolean isBehindComparison(TokenText tokens, int at) {
    int i = tokens.is(at - 1, "BINARY") ? at - 1 : at;
    return COMPARISONS.stream().anyMatch(sign -> tokens.isSymbol(i - 1, sign))
        || BEFORE_VALUES.stream().anyMatch(word -> tokens.is(i - 1, word))
        || (tokens.is(i - 1, "AND") && tokens.is(i - 3, "BETWEEN"));
  }
}
