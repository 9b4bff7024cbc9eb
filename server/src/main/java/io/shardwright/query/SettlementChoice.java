package io.shardwright.query;

import java.util.OptionalLong;

/**
 * Which number of a settlement is asked for.
 *
 * @param number empty: the last, or the next if {@code rerun}
 * @param rerun whether the next number is made; with {@code number}: unless it is there already
 * @param differenceFrom the first of the rows that differ from the number before to be listed, from
 *     0
 */
public record SettlementChoice(OptionalLong number, boolean rerun, long differenceFrom) {
  /** The last number; the first one is made if there is none. */
  public static final SettlementChoice LAST = new SettlementChoice(OptionalLong.empty(), false, 0);
}
