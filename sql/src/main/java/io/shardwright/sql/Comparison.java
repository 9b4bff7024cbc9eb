package io.shardwright.sql;

import java.util.Optional;

/**
 * A condition as the first comparison on its outermost level and what stands on both sides of it.
 * Where more than one comparison is in it, a side holds the others, and then is neither a column
 * nor a value.
 */
record Comparison(Range left, Operator operator, Range right) {

  enum Operator {
    EQUAL,
    UNEQUAL,
    LESS,
    AT_MOST,
    MORE,
    AT_LEAST,
    NOT_DISTINCT,
    DISTINCT,
    IN,
    NOT_IN,
    BETWEEN,
    NOT_BETWEEN;

    /** What is true where this is false. */
    Operator negated() {
      return switch (this) {
        case EQUAL -> UNEQUAL;
        case UNEQUAL -> EQUAL;
        case LESS -> AT_LEAST;
        case AT_MOST -> MORE;
        case MORE -> AT_MOST;
        case AT_LEAST -> LESS;
        case NOT_DISTINCT -> DISTINCT;
        case DISTINCT -> NOT_DISTINCT;
        case IN -> NOT_IN;
        case NOT_IN -> IN;
        case BETWEEN -> NOT_BETWEEN;
        case NOT_BETWEEN -> BETWEEN;
      };
    }

    /** The same with the sides exchanged. */
    Operator mirrored() {
      return switch (this) {
        case LESS -> MORE;
        case AT_MOST -> AT_LEAST;
        case MORE -> LESS;
        case AT_LEAST -> AT_MOST;
        default -> this;
      };
    }
  }

  /** Empty when there is none, or one that is not known. */
  static Optional<Comparison> of(SqlTokens tokens, Range range) {
    int depth = range.size() == 0 ? 0 : tokens.get(range.from()).depth();
    for (int i = range.from(); i < range.to(); i++) {
      if (tokens.get(i).depth() == depth) {
        boolean not = tokens.isAt(i - 1, "NOT") && i > range.from();
        if (tokens.isAt(i, "IN")) {
          return of(range, i, 1, not, Operator.IN);
        }
        if (tokens.isAt(i, "BETWEEN")) {
          return of(range, i, 1, not, Operator.BETWEEN);
        }
        if (tokens.isAt(i, "IS")) {
          boolean negated = tokens.isAt(i + 1, "NOT");
          int word = negated ? i + 2 : i + 1;
          return tokens.isAt(word, "DISTINCT") && tokens.isAt(word + 1, "FROM")
              ? of(range, i, word + 2 - i, negated, Operator.DISTINCT)
              : Optional.empty();
        }
        if (startsComparison(tokens, i)) {
          return ofSymbols(tokens, range, i);
        }
      }
    }
    return Optional.empty();
  }

  private static Optional<Comparison> of(
      Range range, int at, int size, boolean not, Operator operator) {
    boolean before = not && operator != Operator.DISTINCT;
    return sides(
        new Range(range.from(), before ? at - 1 : at),
        not ? operator.negated() : operator,
        new Range(at + size, range.to()));
  }

  private static Optional<Comparison> sides(Range left, Operator operator, Range right) {
    return left.size() > 0 && right.size() > 0
        ? Optional.of(new Comparison(left, operator, right))
        : Optional.empty();
  }

  private static boolean startsComparison(SqlTokens tokens, int index) {
    return tokens.isSymbolAt(index, "=")
        || tokens.isSymbolAt(index, "<")
        || tokens.isSymbolAt(index, ">")
        || tokens.isSymbolAt(index, "!");
  }

  /** The operator that is written without a gap, and is no part of a longer one. */
  private static Optional<Comparison> ofSymbols(SqlTokens tokens, Range range, int first) {
    if (isOperator(tokens, first - 1) && touches(tokens, first - 1)) {
      return Optional.empty();
    }
    int behind = first + 1;
    while (isOperator(tokens, behind)
        && touches(tokens, behind - 1)
        && !tokens.isSymbolAt(behind, "-")
        && !tokens.isSymbolAt(behind, "+")) {
      behind++;
    }
    Range right = new Range(behind, Math.max(behind, range.to()));
    Range left = new Range(range.from(), first);
    return symbol(tokens.dialect(), new Range(first, behind).text(tokens))
        .flatMap(operator -> sides(left, operator, right));
  }

  private static Optional<Operator> symbol(Dialect dialect, String text) {
    return switch (text) {
      case "=" -> Optional.of(Operator.EQUAL);
      case "<>", "!=" -> Optional.of(Operator.UNEQUAL);
      case "<" -> Optional.of(Operator.LESS);
      case "<=" -> Optional.of(Operator.AT_MOST);
      case ">" -> Optional.of(Operator.MORE);
      case ">=" -> Optional.of(Operator.AT_LEAST);
      case "<=>" -> dialect.comparesNulls() ? Optional.of(Operator.NOT_DISTINCT) : Optional.empty();
      default -> Optional.empty();
    };
  }

  private static boolean touches(SqlTokens tokens, int index) {
    return tokens.get(index).end() == tokens.get(index + 1).start();
  }

  private static boolean isOperator(SqlTokens tokens, int index) {
    return index >= 0
        && index < tokens.size()
        && tokens.get(index).kind() == SqlTokens.Kind.SYMBOL
        && "<>!=@#%^&|~*/+-:`".contains(tokens.get(index).text());
  }
}
