package io.shardwright.sql;

import io.shardwright.sql.SqlTokens.Token;
import java.util.ArrayList;
import java.util.List;

/**
 * The shape of a statement: its text without values, so that executions which differ in literals
 * and in the length of their lists count as one. Literals become {@code ?}, {@code ?, ?, ?} becomes
 * {@code ?, ...}, equal VALUES rows become one, comments and line ends one space.
 */
final class ShapeText {
  /** Longer shapes are cut: they are shown to people and kept for as long as the process runs. */
  static final int MAX_CHARS = 500;

  private static final String MORE = ", ...";
  private static final String CUT = " ...";

  private final SqlTokens tokens;
  private final StringBuilder out = new StringBuilder();

  /** The parentheses that are open. */
  private final List<Group> open = new ArrayList<>();

  /** What stands in one pair of parentheses, or in none. */
  private static final class Group {
    private final int start;

    /** The last item, when it was a value or a row of values; else -1. */
    private int itemStart = -1;

    private int itemEnd;

    Group(int start) {
      this.start = start;
    }
  }

  private ShapeText(SqlTokens tokens) {
    this.tokens = tokens;
  }

  static String of(SqlTokens tokens) {
    return new ShapeText(tokens).build();
  }

  private String build() {
    open.add(new Group(0));
    for (int i = 0; i < tokens.size() && out.length() <= MAX_CHARS; i++) {
      Token token = tokens.get(i);
      if (i > 0 && tokens.get(i - 1).end() < token.start()) {
        out.append(' ');
      }
      add(i);
    }
    if (out.length() > MAX_CHARS) {
      out.setLength(MAX_CHARS - CUT.length());
      out.append(CUT);
    }
    return out.toString();
  }

  private void add(int index) {
    Token token = tokens.get(index);
    int start = out.length();
    switch (token.kind()) {
      case NUMBER, STRING, PARAMETER -> {
        out.append('?');
        if (!isOperator(index - 1) && !isOperator(index + 1)) {
          item(start);
        } else {
          top().itemStart = -1;
        }
      }
      case SYMBOL -> symbol(index, start);
      case WORD, QUOTED -> {
        out.append(token.text());
        top().itemStart = -1;
      }
    }
  }

  private void symbol(int index, int start) {
    String symbol = tokens.get(index).text();
    out.append(symbol);
    switch (symbol) {
      case "(" -> open.add(new Group(start));
      case ")" -> {
        int opened = open.size() > 1 ? open.remove(open.size() - 1).start : start;
        if (!isOperator(index + 1)) {
          item(opened);
        } else {
          top().itemStart = -1;
        }
      }
      case "," -> {}
      default -> top().itemStart = -1;
    }
  }

  private boolean isOperator(int index) {
    return index >= 0
        && index < tokens.size()
        && tokens.get(index).kind() == SqlTokens.Kind.SYMBOL
        && !tokens.isSymbolAt(index, ",")
        && !tokens.isSymbolAt(index, "(")
        && !tokens.isSymbolAt(index, ")");
  }

  private Group top() {
    return open.get(open.size() - 1);
  }

  /** A value or a row has ended; when it equals the one before it, that one stands for both. */
  private void item(int start) {
    Group group = top();
    boolean listed = group.itemStart >= 0 && isComma(group.itemEnd, start);
    if (listed && equal(group.itemStart, group.itemEnd, start)) {
      out.setLength(group.itemEnd);
      if (out.lastIndexOf(MORE) != out.length() - MORE.length()) {
        out.append(MORE);
      }
      return;
    }
    group.itemStart = start;
    group.itemEnd = out.length();
  }

  /** True when a comma and nothing else is between two items, perhaps after {@link #MORE}. */
  private boolean isComma(int from, int to) {
    String between = out.substring(from, to).strip();
    return between.equals(",") || between.equals(MORE + ",");
  }

  private boolean equal(int from, int to, int start) {
    return to - from == out.length() - start
        && out.substring(from, to).contentEquals(out.subSequence(start, out.length()));
  }
}
