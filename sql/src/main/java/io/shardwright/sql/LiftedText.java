package io.shardwright.sql;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.sql.SqlTokens.Kind;
import io.shardwright.sql.SqlTokens.Token;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.List;

/**
 * A statement with its literals taken out, so that texts that differ in them have one plan.
 *
 * <p>Problem: a program that writes values into its texts never sends one twice, and planning each
 * costs ten times the rest of the way. Idea: where a literal stands for a value and nothing else
 * (compared with something, in an IN list, in the one row of VALUES, as LIMIT or OFFSET), {@code ?}
 * in its place has the same plan. That plan is asked for the shards with the literals as
 * parameters, and in the text for the shard each {@code ?} becomes the literal again, as it was
 * written. Any other literal stays part of the text, and texts that differ in it have different
 * plans.
 *
 * <p>Immutable.
 */
public final class LiftedText {
  /** With more of them texts seldom have equal shapes. */
  private static final int LITERALS_MAX = 128;

  private static final int TOKENS_MAX = 1_000;
  private static final int DECIMAL = 10;

  /** So many digits always fit a long. */
  private static final int LONG_DIGITS = 18;

  private static final List<String> COMPARISONS = List.of("=", "<", ">", "<=", ">=", "<>");
  private static final List<String> AFTER =
      List.of(
          "AND",
          "OR",
          "ORDER",
          "GROUP",
          "HAVING",
          "LIMIT",
          "OFFSET",
          "WHERE",
          "RETURNING",
          "FOR",
          "ON");

  private final SqlTokens tokens;
  private final int[] literals;
  private final String shape;

  private LiftedText(SqlTokens tokens, int[] literals) {
    this.tokens = tokens;
    this.literals = literals;
    this.shape = shape(tokens, literals);
  }

  /** Null for a text that has to be planned as it is. */
  static LiftedText of(SqlTokens tokens) {
    if (!tokens.parameters().isEmpty() || tokens.size() > TOKENS_MAX) {
      return null;
    }
    int[] found = new int[8];
    int count = 0;
    for (int i = 1; i < tokens.size(); i++) {
      if (tokens.isSymbolAt(i, "??") || isSecondRow(tokens, i)) {
        return null;
      }
      if (isLiteral(tokens, i) && isValue(tokens, i)) {
        if (count == LITERALS_MAX) {
          return null;
        }
        found = count == found.length ? Arrays.copyOf(found, 2 * count) : found;
        found[count++] = i;
      }
    }
    return count == 0 ? null : new LiftedText(tokens, Arrays.copyOf(found, count));
  }

  private static boolean isLiteral(SqlTokens tokens, int index) {
    Token token = tokens.get(index);
    return token.kind() == Kind.NUMBER
        || (token.kind() == Kind.STRING && tokens.sql().charAt(token.start()) == '\'');
  }

  /** Many rows: the text is long, and the next one has another number of them. */
  private static boolean isSecondRow(SqlTokens tokens, int index) {
    return tokens.isSymbolAt(index, "(")
        && tokens.isSymbolAt(index - 1, ",")
        && tokens.isSymbolAt(index - 2, ")");
  }

  private static boolean isValue(SqlTokens tokens, int index) {
    return isBefore(tokens, index - 1) && isAfter(tokens, index + 1);
  }

  private static boolean isBefore(SqlTokens tokens, int index) {
    Token token = tokens.get(index);
    if (token.kind() == Kind.SYMBOL) {
      return switch (tokens.sql().charAt(token.start())) {
        case '=', '<', '>' -> isComparison(tokens, index);
        case '(', ',' -> isInList(tokens, index);
        default -> false;
      };
    }
    return token.is("LIMIT") || token.is("OFFSET");
  }

  /**
   * No longer operator than {@code =}, {@code <}, {@code >}, {@code <=}, {@code >=}, {@code <>}.
   */
  private static boolean isComparison(SqlTokens tokens, int last) {
    int first = last;
    while (first > 0 && isOperator(tokens, first - 1) && adjacent(tokens, first - 1)) {
      first--;
    }
    int start = tokens.get(first).start();
    int length = tokens.get(last).end() - start;
    for (int i = 0; i < COMPARISONS.size(); i++) {
      String comparison = COMPARISONS.get(i);
      if (comparison.length() == length && tokens.sql().startsWith(comparison, start)) {
        return first > 0;
      }
    }
    return false;
  }

  private static boolean isOperator(SqlTokens tokens, int index) {
    Token token = tokens.get(index);
    return token.kind() == Kind.SYMBOL
        && !token.isSymbol("(")
        && !token.isSymbol(")")
        && !token.isSymbol(",")
        && !token.isSymbol(".");
  }

  private static boolean adjacent(SqlTokens tokens, int index) {
    return tokens.get(index).end() == tokens.get(index + 1).start();
  }

  /** An item of {@code IN (...)} or of the row behind VALUES. */
  private static boolean isInList(SqlTokens tokens, int before) {
    int depth = tokens.get(before + 1).depth();
    int at = before;
    while (at >= 0 && tokens.get(at).depth() >= depth) {
      at--;
    }
    return at > 0
        && tokens.isSymbolAt(at, "(")
        && (tokens.isAt(at - 1, "IN")
            || tokens.isAt(at - 1, "VALUES")
            || tokens.isAt(at - 1, "VALUE"));
  }

  private static boolean isAfter(SqlTokens tokens, int index) {
    if (index == tokens.size()) {
      return true;
    }
    Token token = tokens.get(index);
    if (token.kind() == Kind.SYMBOL) {
      return token.isSymbol(")") || token.isSymbol(",");
    }
    // No set of words: this is on the path of every statement and must not cut out texts.
    for (int i = 0; i < AFTER.size(); i++) {
      if (token.is(AFTER.get(i))) {
        return true;
      }
    }
    return false;
  }

  private static String shape(SqlTokens tokens, int[] literals) {
    String sql = tokens.sql();
    StringBuilder shape = new StringBuilder(sql.length());
    int at = 0;
    for (int literal : literals) {
      Token token = tokens.get(literal);
      shape.append(sql, at, token.start()).append('?');
      at = token.end();
    }
    return shape.append(sql, at, sql.length()).toString();
  }

  public String sql() {
    return tokens.sql();
  }

  /** The text with a {@code ?} for each literal that was taken out. */
  public String shape() {
    return shape;
  }

  /** The literals as parameters; each is read when it is asked for, few are. */
  List<Object> values() {
    return new AbstractList<>() {
      @Override
      public Object get(int index) {
        int token = literals[index];
        if (isSmallNumber(tokens.get(token))) {
          return Long.parseLong(
              tokens.sql(), tokens.get(token).start(), tokens.get(token).end(), DECIMAL);
        }
        return Slot.of(tokens, new Range(token, token + 1))
            .orElseThrow(
                () ->
                    new ShardwrightException(
                        ErrorCode.STATEMENT_UNSUPPORTED, "a literal that cannot be read here"))
            .value(List.of());
      }

      @Override
      public int size() {
        return literals.length;
      }
    };
  }

  private boolean isSmallNumber(Token token) {
    if (token.kind() != Kind.NUMBER || token.end() - token.start() > LONG_DIGITS) {
      return false;
    }
    for (int i = token.start(); i < token.end(); i++) {
      if (tokens.sql().charAt(i) < '0' || tokens.sql().charAt(i) > '9') {
        return false;
      }
    }
    return true;
  }

  void appendLiteral(StringBuilder out, int number) {
    Token token = tokens.get(literals[number]);
    out.append(tokens.sql(), token.start(), token.end());
  }
}
