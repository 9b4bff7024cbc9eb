package io.shardwright.config;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a lookup index promises, and how it is kept. */
public sealed interface IndexKind {

  /** How many of the first of its columns decide the bucket of an entry. */
  int shardBy(int columns);

  /** No two rows have the same values. Kept by the driver before each commit. */
  record Unique(Optional<Cache> cache) implements IndexKind {
    public Unique() {
      this(Optional.empty());
    }

    @Override
    public int shardBy(int columns) {
      return columns;
    }
  }

  /**
   * A value may have many rows. Kept behind the commits, from what triggers on the shards tell.
   *
   * @param shardBy how many of the first columns; 1 to all
   * @param spread empty: all entries of a value are in one bucket
   * @param covering further columns whose values the entries hold, in file order
   */
  record Listing(
      int shardBy, Optional<Spread> spread, Map<String, Covering> covering, Freshness freshness)
      implements IndexKind {
    public Listing {
      covering = Collections.unmodifiableMap(new LinkedHashMap<>(covering));
    }

    @Override
    public int shardBy(int columns) {
      return shardBy;
    }
  }

  /**
   * Places of unique values that a process keeps.
   *
   * @param size values at most
   * @param expire how long a place is kept
   * @param refresh after this time a place that is used is asked for again, beside its use
   * @param misses how long it is believed that a value has no row; zero: not at all
   * @param redis whether processes share places there
   */
  record Cache(int size, Duration expire, Duration refresh, Duration misses, boolean redis) {
    static final int SIZE = 100_000;
    static final Duration EXPIRE = Duration.ofMinutes(10);

    static Duration refreshOf(Duration expire) {
      return expire.multipliedBy(8).dividedBy(10).plusMillis(1);
    }
  }

  /**
   * How the entries of values with very many rows are spread.
   *
   * @param buckets of each such value; 2 or more
   * @param values those of the shard_by columns, as texts; none: they are counted when the index is
   *     created
   */
  record Spread(int buckets, List<List<String>> values) {
    /** So many values can be on record in the catalog. */
    public static final int VALUES_MAX = 64;

    /** A page of such a value is merged from as many. */
    public static final int BUCKETS_MAX = 64;

    public Spread {
      values = values.stream().map(List::copyOf).toList();
    }
  }

  /** What a statement may do with the value of a covering column. */
  enum Covering {
    /** Show it, though the row may have another one by now. */
    STALE_OK("stale-ok"),
    /** Choose rows by it, and then read it from the row. */
    CHECK("check");

    private final String written;

    Covering(String written) {
      this.written = written;
    }

    /** In the file and in the catalog. */
    public String written() {
      return written;
    }

    public static Optional<Covering> ofWritten(String written) {
      for (Covering covering : values()) {
        if (covering.written.equals(written)) {
          return Optional.of(covering);
        }
      }
      return Optional.empty();
    }
  }

  /** What statements find unless they say otherwise. */
  enum Freshness {
    /** What has reached the index. */
    LAGGING("lagging"),
    /** All that was committed before the statement began. */
    OWN_WRITES("own-writes");

    private final String written;

    Freshness(String written) {
      this.written = written;
    }

    public String written() {
      return written;
    }

    public static Optional<Freshness> ofWritten(String written) {
      for (Freshness freshness : values()) {
        if (freshness.written.equals(written)) {
          return Optional.of(freshness);
        }
      }
      return Optional.empty();
    }
  }
}
