package io.shardwright.advisor.templates;

import io.shardwright.sql.TokenText;
import java.util.ArrayList;
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

  static DoubleQuotes of(TokenText tokens) {
    List<Integer> values = new ArrayList<>();
    boolean names = false;
    int listEnd = -1;
    for (int i = 0; i < tokens.size(); i++) {
      boolean rows = tokens.is(i - 1, "VALUES") || tokens.is(i - 1, "VALUE");
      boolean list = rows || tokens.is(i - 1, "IN");
      if (list && tokens.isSymbol(i, "(")) {
        listEnd = Math.max(listEnd, rows ? behindRows(tokens, i) : tokens.closing(i));
      }
      if (!isDoubleQuoted(tokens, i)) {
        continue;
      }
      if (isName(tokens, i)) {
        names = true;
      } else if (isBehindComparison(tokens, i)
          || (i < listEnd && (tokens.isSymbol(i - 1, "(") || tokens.isSymbol(i - 1, ",")))) {
        values.add(i);
      } else {
        names |= isCompared(tokens, i);
      }
    }
    return new DoubleQuotes(tokens, values, names);
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

  private static boolean isBehindComparison(TokenText tokens, int i) {
    return COMPARISONS.stream().anyMatch(sign -> tokens.isSymbol(i - 1, sign))
        || BEFORE_VALUES.stream().anyMatch(word -> tokens.is(i - 1, word))
        || (tokens.is(i - 1, "AND") && tokens.is(i - 3, "BETWEEN"));
  }

  private static int behindRows(TokenText tokens, int open) {
    int close = tokens.closing(open);
    while (tokens.isSymbol(close + 1, ",") && tokens.isSymbol(close + 2, "(")) {
      close = tokens.closing(close + 2);
    }
    return close;
  }
}
