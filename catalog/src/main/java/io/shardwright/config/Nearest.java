package io.shardwright.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** The known name that was probably meant. */
final class Nearest {
  private Nearest() {}

  /** Empty when none is within a third of its letters, at least one edit. */
  static Optional<String> to(String written, Collection<String> known) {
    return known.stream()
        .filter(name -> distance(written, name) <= Math.max(1, name.length() / 3))
        .min(Comparator.comparingInt(name -> distance(written, name)));
  }

  /** Levenshtein's distance; O(a * b). */
  private static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int substituted = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(substituted, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[b.length()];
  }
}
