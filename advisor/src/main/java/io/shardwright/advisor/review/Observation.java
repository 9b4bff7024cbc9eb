package io.shardwright.advisor.review;

import java.util.List;
import java.util.stream.Collectors;

/**
 * What one check saw.
 *
 * @param text with numbers, for people
 * @param action what to do; empty with {@code GOOD}
 */
record Observation(Kind kind, String text, String action) {
  private static final int SHOWN_MAX = 3;

  /** From harmless to grave. */
  enum Kind {
    GOOD,
    /** It was not, or cannot be, seen. */
    MISSING,
    WARNING,
    ERROR
  }

  static Observation good(String text) {
    return new Observation(Kind.GOOD, text, "");
  }

  static Observation missing(String text, String action) {
    return new Observation(Kind.MISSING, text, action);
  }

  static Observation warning(String text, String action) {
    return new Observation(Kind.WARNING, text, action);
  }

  static Observation error(String text, String action) {
    return new Observation(Kind.ERROR, text, action);
  }

  /** {@code one; two; three; and 4 more}. */
  static String listed(List<?> items) {
    String shown =
        items.stream().limit(SHOWN_MAX).map(Object::toString).collect(Collectors.joining("; "));
    int more = items.size() - SHOWN_MAX;
    return more > 0 ? shown + "; and " + more + " more" : shown;
  }

  /** {@code 1 row}, {@code 2 rows}. */
  static String count(long number, String noun) {
    return number + " " + noun + (number == 1 ? "" : "s");
  }
}
