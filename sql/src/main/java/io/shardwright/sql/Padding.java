package io.shardwright.sql;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * How long the lists of {@code ?} are that shards are sent, whose last value fills them up.
 *
 * <p>Problem: the keys of a statement fall on shards as they hash, so nearly each execution would
 * give a shard a list of another length, hence another text, which databases and their drivers
 * parse and plan anew and whose statistics grow without end. Idea: few lengths. A value that is in
 * an IN list twice changes nothing.
 */
final class Padding {
  /** Up to here each length is its own. */
  private static final int EXACT_MAX = 8;

  /**
   * Beyond it a text of its own costs little beside the values, of which databases take so many.
   */
  private static final int PADDED_MAX = 1024;

  /** Steps from one power of two to the next: at most a quarter is added. */
  private static final int STEPS = 4;

  private Padding() {}

  /** The values, filled up to the length of the list; not empty. */
  static <T> List<T> filled(List<T> values) {
    int more = of(values.size()) - values.size();
    if (more == 0) {
      return values;
    }
    List<T> filled = new ArrayList<>(values.size() + more);
    filled.addAll(values);
    filled.addAll(Collections.nCopies(more, values.get(values.size() - 1)));
    return filled;
  }

  /** The length for so many values, 1 and more. */
  static int of(int values) {
    if (values <= EXACT_MAX || values > PADDED_MAX) {
      return values;
    }
    int step = Integer.highestOneBit(values - 1) / STEPS;
    return (values + step - 1) / step * step;
  }
}
