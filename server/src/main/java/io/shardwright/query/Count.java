package io.shardwright.query;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How many rows a query has, beside its page.
 *
 * @param kind none, exact, at-least or estimate
 * @param atLeast where counting ends; 0 for other kinds
 */
public record Count(Kind kind, int atLeast) {
  public static final Count NONE = new Count(Kind.NONE, 0);
  public static final Count EXACT = new Count(Kind.EXACT, 0);
  public static final Count ESTIMATE = new Count(Kind.ESTIMATE, 0);

  /** Rows are counted by reading them. */
  static final int AT_LEAST_MAX = 100_000;

  private static final Pattern AT_LEAST = Pattern.compile("at-least:([1-9]\\d{0,5})");

  /** What is counted. */
  public enum Kind {
    NONE,
    EXACT,
    /** No further than the number asked for. */
    AT_LEAST,
    /** Not at all: what the databases' statistics expect. */
    ESTIMATE
  }

  public Count {
    if (kind == Kind.AT_LEAST && (atLeast < 1 || atLeast > AT_LEAST_MAX)) {
      throw new IllegalArgumentException("at least " + atLeast + "; 1 to " + AT_LEAST_MAX);
    }
  }

  /** As requests write it. */
  static Optional<Count> of(String word) {
    Matcher matcher = AT_LEAST.matcher(word);
    if (matcher.matches() && Integer.parseInt(matcher.group(1)) <= AT_LEAST_MAX) {
      return Optional.of(new Count(Kind.AT_LEAST, Integer.parseInt(matcher.group(1))));
    }
    return switch (word) {
      case "none" -> Optional.of(NONE);
      case "exact" -> Optional.of(EXACT);
      case "estimate" -> Optional.of(ESTIMATE);
      default -> Optional.empty();
    };
  }
}
