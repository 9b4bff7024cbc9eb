package io.shardwright.cli.loadtest;

import java.util.List;
import java.util.Optional;

/** A way in which traffic is bad for a sharded database. */
public enum Scenario {
  MISSING_KEY(1, "missing-key", "queries that do not fix the route key, beside some that do"),
  CROSS_SHARD_SORT(2, "cross-shard-sort", "orders of everybody, by time and by amount"),
  SLOW_SHARD(3, "slow-shard", "one shard answers 500 ms late, queries have 200 ms"),
  SHARD_DOWN(4, "shard-down", "one shard refuses connections, then comes back"),
  DEEP_PAGING(5, "deep-paging", "pages far behind the first one, by cursor and by OFFSET"),
  HOT_BUYER(6, "hot-buyer", "one buyer has 30% of reads and writes"),
  MONTH_BOUNDARY(
      7, "month-boundary", "ranges around the turn of a month, and five times the traffic"),
  BURST(8, "burst", "many requests in the same moment, more than are admitted"),
  HEAD_KEYS(9, "head-keys", "the ten buyers with most traffic get twenty times of it");

  private final int number;
  private final String word;
  private final String description;

  Scenario(int number, String word, String description) {
    this.number = number;
    this.word = word;
    this.description = description;
  }

  /** Tells its rows and its chance from those of others; never changed. */
  int number() {
    return number;
  }

  /** As it is written on the command line. */
  public String word() {
    return word;
  }

  public String description() {
    return description;
  }

  /** Whether it puts a proxy in front of a shard. */
  boolean needsProxy() {
    return this == SLOW_SHARD || this == SHARD_DOWN;
  }

  public static Optional<Scenario> of(String word) {
    return List.of(values()).stream().filter(scenario -> scenario.word.equals(word)).findFirst();
  }
}
