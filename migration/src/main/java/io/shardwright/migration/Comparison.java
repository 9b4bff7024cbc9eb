package io.shardwright.migration;

import io.shardwright.routing.BucketId;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * What came of comparing the two sides of a move.
 *
 * @param differences the first ones, as many as were asked for; {@link Verified#differences} counts
 *     all
 * @param broken invariants, with the side, the number of rows and the first of them
 */
public record Comparison(Verified verified, List<Difference> differences, List<String> broken) {
  private static final int TOLD_MAX = 10;

  public Comparison {
    differences = List.copyOf(differences);
    broken = List.copyOf(broken);
  }

  /** What is wrong with a row at the target. */
  public enum Kind {
    MISSING,
    EXTRA,
    DIFFERENT
  }

  /**
   * A row; its values are not in here.
   *
   * @param key of the row without the bucket, e.g. {@code buyer_id=7, order_id=12}
   * @param columns that differ, of a row that is on both sides
   */
  public record Difference(
      String table, BucketId bucket, String key, Kind kind, List<String> columns) {
    public Difference {
      columns = List.copyOf(columns);
    }

    @Override
    public String toString() {
      return "table "
          + table
          + ", bucket "
          + bucket
          + ", row "
          + key
          + ": "
          + kind.name().toLowerCase(Locale.ROOT)
          + (columns.isEmpty() ? "" : " in " + String.join(", ", columns));
    }
  }

  public boolean isEqual() {
    return verified.differences() == 0;
  }

  /** Equal, and no invariant is broken. */
  public boolean isGood() {
    return isEqual() && broken.isEmpty();
  }

  /** The first differences, for people. */
  public String told() {
    long more = verified.differences() - Math.min(TOLD_MAX, differences.size());
    return differences.stream()
            .limit(TOLD_MAX)
            .map(Difference::toString)
            .collect(Collectors.joining("; "))
        + (more > 0 ? "; and in " + more + " more" : "");
  }
}
