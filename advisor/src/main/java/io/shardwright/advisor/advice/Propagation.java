package io.shardwright.advisor.advice;

import java.util.List;

/**
 * Whether those who write know the key.
 *
 * @param writes templates that write to the tables
 * @param carrying those of them whose statement has the key
 * @param without fingerprints of the others
 * @param entries entry points, messages and callbacks that people declared
 * @param entriesWithout names of those that do not carry all columns of the key
 */
public record Propagation(
    int writes, int carrying, List<String> without, int entries, List<String> entriesWithout) {
  public Propagation {
    without = List.copyOf(without);
    entriesWithout = List.copyOf(entriesWithout);
  }
}
