package io.shardwright.migration;

import io.shardwright.catalog.BucketHeat;
import io.shardwright.catalog.CatalogHeat;
import io.shardwright.config.Configuration;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.migration.RebalancePlan.Sizes;
import io.shardwright.routing.BucketMap;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;

/**
 * What a group's buckets have, of which shards shall have their shares.
 *
 * @param rows by bucket number
 * @param time nanoseconds at shards
 */
public record Balance(List<Long> rows, Sizes bytes, Sizes reads, Sizes writes, Sizes time) {
  public Balance {
    rows = List.copyOf(rows);
  }

  /** What is evened out. */
  public enum By {
    BYTES("bytes"),
    READS("reads"),
    WRITES("writes"),
    /** At the shard. */
    TIME("time"),
    /**
     * Bytes, and time at the shard as far as it was recorded. A bucket counts half by what it has
     * and half as one of V: new rows come to all buckets alike.
     */
    BYTES_AND_TRAFFIC("bytes+traffic");

    private final String written;

    By(String written) {
      this.written = written;
    }

    /** As commands write it. */
    @Override
    public String toString() {
      return written;
    }

    /**
     * @throws ShardwrightException SW603 when it is none
     */
    public static By of(String text) {
      for (By by : values()) {
        if (by.written.equals(text.toLowerCase(Locale.ROOT))) {
          return by;
        }
      }
      throw new ShardwrightException(
          ErrorCode.COMMAND_INVALID,
          "--by is " + text + "; give one of " + Arrays.toString(values()));
    }
  }

  /** The traffic on record; nothing without a catalog, or when apply has not made its table yet. */
  public static CatalogHeat.Recorded traffic(Configuration configuration, Duration since) {
    try {
      return configuration.catalog().isEmpty()
          ? new CatalogHeat.Recorded(Duration.ZERO, List.of())
          : new CatalogHeat(configuration.catalog().get()).since(since);
    } catch (ShardwrightException e) {
      if (e.code() != ErrorCode.NOT_APPLIED) {
        throw e;
      }
      return new CatalogHeat.Recorded(Duration.ZERO, List.of());
    }
  }

  /**
   * Counts the rows of the group on its shards.
   *
   * @throws ShardwrightException SW401 when a shard cannot be counted
   */
  public static Balance read(
      Configuration configuration, BucketMap map, CatalogHeat.Recorded traffic) {
    BucketSizes sizes = BucketSizes.read(configuration, map);
    return new Balance(
        sizes.rows(),
        new Sizes("bytes", sizes.bytes()),
        traffic(map, traffic, "reads", BucketHeat::reads),
        traffic(map, traffic, "writes", BucketHeat::writes),
        traffic(map, traffic, "time", BucketHeat::nanos));
  }

  static Sizes traffic(
      BucketMap map, CatalogHeat.Recorded traffic, String name, ToLongFunction<BucketHeat> of) {
    long[] byBucket = new long[map.buckets()];
    for (BucketHeat heat : traffic.buckets()) {
      if (heat.group().equals(map.group())
          && !heat.isScattered()
          && heat.bucket() < byBucket.length) {
        byBucket[heat.bucket()] = of.applyAsLong(heat);
      }
    }
    return new Sizes(name, Arrays.stream(byBucket).boxed().toList());
  }

  /** Never empty. */
  public List<Sizes> measures(By by) {
    return switch (by) {
      case BYTES -> List.of(bytes);
      case READS -> List.of(reads);
      case WRITES -> List.of(writes);
      case TIME -> List.of(time);
      case BYTES_AND_TRAFFIC -> {
        List<Sizes> both = new ArrayList<>(List.of(withNewRows(bytes)));
        if (time.byBucket().stream().anyMatch(nanos -> nanos > 0)) {
          both.add(time);
        }
        yield List.copyOf(both);
      }
    };
  }

  /** The same total again, of each bucket the same. */
  private static Sizes withNewRows(Sizes sizes) {
    long total = sizes.byBucket().stream().mapToLong(Long::longValue).sum();
    long mean = Math.max(1, total / sizes.byBucket().size());
    return new Sizes(sizes.name(), sizes.byBucket().stream().map(size -> size + mean).toList());
  }
}
