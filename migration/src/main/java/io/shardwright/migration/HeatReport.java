package io.shardwright.migration;

import io.shardwright.catalog.BucketHeat;
import io.shardwright.catalog.Catalog;
import io.shardwright.catalog.CatalogHeat;
import io.shardwright.config.Configuration;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.BucketMap;
import io.shardwright.routing.ShardId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The traffic that all driver processes recorded, by the shards that own the buckets now.
 *
 * @param measured how long; zero: nothing was recorded
 * @param groups and lookup indexes, by name
 */
public record HeatReport(Duration measured, List<Group> groups) {
  /** Below this a shard is not called too hot. */
  private static final double EVEN = 1.1;

  public HeatReport {
    groups = List.copyOf(groups);
  }

  /**
   * A bucket with traffic.
   *
   * @param share of its group's time at shards, 0 to 1
   */
  public record Bucket(BucketHeat heat, ShardId shard, double share) {}

  /**
   * One bucket whose move alone evens the time at shards out most.
   *
   * @param mostAfter the hottest of the two shards afterwards, by the mean of all shards
   */
  public record Hint(int bucket, ShardId source, ShardId target, double mostAfter) {}

  /**
   * @param buckets the hottest first, by time at the shard
   * @param shards sums of the buckets that each shard of the file owns now
   * @param scattered statements that name no bucket
   */
  public record Group(
      String name,
      List<Bucket> buckets,
      SortedMap<ShardId, BucketHeat> shards,
      BucketHeat scattered) {
    public Group {
      buckets = List.copyOf(buckets);
    }

    /** The hottest shard's time by the mean of all; 1 is even. */
    public double skew() {
      double sum = shards.values().stream().mapToLong(BucketHeat::nanos).sum();
      double most = shards.values().stream().mapToLong(BucketHeat::nanos).max().orElse(0);
      return sum == 0 ? 1 : most * shards.size() / sum;
    }

    /** Empty when it is even, or no single move makes it more so. */
    public Optional<Hint> hint() {
      Comparator<Map.Entry<ShardId, BucketHeat>> byTime =
          Comparator.comparingLong(shard -> shard.getValue().nanos());
      Map.Entry<ShardId, BucketHeat> hot = shards.entrySet().stream().max(byTime).orElseThrow();
      Map.Entry<ShardId, BucketHeat> cool = shards.entrySet().stream().min(byTime).orElseThrow();
      if (skew() < EVEN) {
        return Optional.empty();
      }
      long most = hot.getValue().nanos();
      Optional<Bucket> best = Optional.empty();
      for (Bucket bucket : buckets) {
        long after =
            Math.max(
                hot.getValue().nanos() - bucket.heat.nanos(),
                cool.getValue().nanos() + bucket.heat.nanos());
        if (bucket.shard.equals(hot.getKey()) && after < most) {
          most = after;
          best = Optional.of(bucket);
        }
      }
      double mean =
          shards.values().stream().mapToLong(BucketHeat::nanos).sum() / (double) shards.size();
      double mostAfter = most / mean;
      return best.map(
          bucket -> new Hint(bucket.heat.bucket(), hot.getKey(), cool.getKey(), mostAfter));
    }
  }

  /**
   * Reads what is on record.
   *
   * @param since up to {@link CatalogHeat#KEPT}
   * @throws ShardwrightException SW415 without a catalog; SW104 when apply has to be run
   */
  public static HeatReport read(Configuration configuration, Duration since) {
    if (configuration.catalog().isEmpty()) {
      throw new ShardwrightException(
          ErrorCode.CATALOG_READ_ONLY,
          "the traffic of buckets is recorded in the catalog, which the file does not name; add"
              + " catalog: and run shardwright apply");
    }
    Map<String, BucketMap> maps;
    try (Catalog catalog = Catalog.open(configuration)) {
      maps = catalog.load().maps();
    }
    return of(
        new CatalogHeat(configuration.catalog().get()).since(since),
        maps,
        configuration.shardIds());
  }

  static HeatReport of(
      CatalogHeat.Recorded recorded, Map<String, BucketMap> maps, List<ShardId> shards) {
    List<Group> groups = new ArrayList<>();
    for (BucketMap map : new TreeMap<>(maps).values()) {
      groups.add(group(recorded, map, shards));
    }
    return new HeatReport(recorded.measured(), groups);
  }

  private static Group group(CatalogHeat.Recorded recorded, BucketMap map, List<ShardId> shards) {
    BucketHeat none = new BucketHeat(map.group(), BucketHeat.SCATTERED, 0, 0, 0, 0);
    SortedMap<ShardId, BucketHeat> sums = new TreeMap<>();
    shards.forEach(shard -> sums.put(shard, none));
    BucketHeat scattered = none;
    List<BucketHeat> hot = new ArrayList<>();
    for (BucketHeat heat : recorded.buckets()) {
      if (!heat.group().equals(map.group())) {
        continue;
      }
      if (heat.isScattered()) {
        scattered = heat;
      } else if (heat.bucket() < map.buckets()) {
        hot.add(heat);
        sums.merge(map.shardOf(new BucketId(heat.bucket())), heat, HeatReport::plus);
      }
    }
    double all = Math.max(1, hot.stream().mapToLong(BucketHeat::nanos).sum());
    hot.sort(
        Comparator.comparingLong(BucketHeat::nanos)
            .reversed()
            .thenComparingInt(BucketHeat::bucket));
    List<Bucket> buckets =
        hot.stream()
            .map(
                heat ->
                    new Bucket(heat, map.shardOf(new BucketId(heat.bucket())), heat.nanos() / all))
            .toList();
    return new Group(map.group(), buckets, sums, scattered);
  }

  private static BucketHeat plus(BucketHeat sum, BucketHeat more) {
    return new BucketHeat(
        sum.group(),
        BucketHeat.SCATTERED,
        sum.reads() + more.reads(),
        sum.writes() + more.writes(),
        sum.rows() + more.rows(),
        sum.nanos() + more.nanos());
  }
}
