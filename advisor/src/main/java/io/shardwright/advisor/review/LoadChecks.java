package io.shardwright.advisor.review;

import static io.shardwright.advisor.review.Observation.count;
import static io.shardwright.advisor.review.Observation.error;
import static io.shardwright.advisor.review.Observation.good;
import static io.shardwright.advisor.review.Observation.missing;
import static io.shardwright.advisor.review.Observation.warning;

import io.shardwright.advisor.review.DatabaseFacts.GroupHeat;
import io.shardwright.advisor.review.DatabaseFacts.Rows;
import io.shardwright.config.Configuration.Shard;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.BucketMap;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiFunction;

/** How much there is where: rows and traffic. */
final class LoadChecks {
  /** Fewer rows for each shard say nothing: chance alone makes a shard fuller. */
  private static final long ROWS_PER_SHARD_MIN = 1_000;

  private static final double EVEN = 1.1;
  private static final double UNEVEN = 1.5;
  private static final double RATIO_WARNING = 2;
  private static final double RATIO_ERROR = 10;

  /** Of a shard's mean, of one bucket. */
  private static final double GIANT = 0.5;

  private static final double SCATTERED_WARNING = 0.05;
  private static final double SCATTERED_ERROR = 0.25;

  /** What a machine holds with ease. */
  private static final long ONE_MACHINE_BYTES = 500L << 30;

  private LoadChecks() {}

  private static Map<Shard, Long> rowsByShard(Facts facts, BucketMap map, Rows rows) {
    Map<Shard, Long> byShard = new LinkedHashMap<>();
    for (Shard shard : facts.configuration().shards().values()) {
      if (shard.weight() > 0) {
        long sum =
            map.bucketsOf(shard.id()).stream()
                .map(BucketId::value)
                .filter(bucket -> bucket < rows.byBucket().size())
                .mapToLong(bucket -> rows.byBucket().get(bucket))
                .sum();
        byShard.put(shard, sum);
      }
    }
    return byShard;
  }

  private interface RowsCheck {
    Observation of(String group, Map<Shard, Long> rows, Rows all);
  }

  private static List<Observation> perGroup(Facts facts, RowsCheck check) {
    return facts.ofDatabases(
        databases -> {
          List<Observation> all = new ArrayList<>();
          for (String group : facts.configuration().groups().keySet()) {
            Rows rows = databases.rows().get(group);
            BucketMap map = databases.maps().get(group);
            if (rows == null || map == null) {
              all.add(
                  missing(
                      "the rows of group " + group + " were not counted",
                      "run the review without --no-count when all shards run"));
              continue;
            }
            Map<Shard, Long> byShard = rowsByShard(facts, map, rows);
            long sum = byShard.values().stream().mapToLong(Long::longValue).sum();
            all.add(
                sum < ROWS_PER_SHARD_MIN * byShard.size()
                    ? missing(
                        "group %s has %s on %s: too few to judge"
                            .formatted(group, count(sum, "row"), count(byShard.size(), "shard")),
                        "repeat it with real data")
                    : check.of(group, byShard, rows));
          }
          return all;
        });
  }

  /** In relation to the weights of the shards. */
  static List<Observation> evenRows(Facts facts) {
    return perGroup(
        facts,
        (group, rows, all) -> {
          double sum = rows.values().stream().mapToLong(Long::longValue).sum();
          double weights = rows.keySet().stream().mapToInt(Shard::weight).sum();
          double most =
              rows.entrySet().stream()
                  .mapToDouble(e -> e.getValue() / (sum * e.getKey().weight() / weights))
                  .max()
                  .orElse(1);
          String text =
              String.format(
                  Locale.ROOT,
                  "group %s: %,.0f rows, fullest shard %.2f times its share",
                  group,
                  sum,
                  most);
          String action = "shardwright rebalance --plan shows which buckets to move";
          if (most > UNEVEN) {
            return error(text, action);
          }
          return most > EVEN ? warning(text, action) : good(text);
        });
  }

  static List<Observation> rowsRatio(Facts facts) {
    return perGroup(
        facts,
        (group, rows, all) -> {
          double most = 0;
          double least = Double.MAX_VALUE;
          for (Map.Entry<Shard, Long> entry : rows.entrySet()) {
            double share = (double) entry.getValue() / entry.getKey().weight();
            most = Math.max(most, share);
            least = Math.min(least, share);
          }
          double ratio = most / Math.max(1, least);
          String text =
              String.format(
                  Locale.ROOT, "group %s: fullest shard %.1f times the emptiest", group, ratio);
          String action = "shardwright simulate spreads real keys; advise compares candidates";
          if (ratio >= RATIO_ERROR) {
            return error(text, action);
          }
          return ratio >= RATIO_WARNING ? warning(text, action) : good(text);
        });
  }

  static List<Observation> giants(Facts facts) {
    return perGroup(
        facts,
        (group, rows, all) -> {
          double mean = rows.values().stream().mapToLong(Long::longValue).average().orElse(0);
          int hashed = facts.configuration().groups().get(group).buckets();
          int giant = 0;
          for (int bucket = 0; bucket < Math.min(hashed, all.byBucket().size()); bucket++) {
            giant = all.byBucket().get(bucket) > all.byBucket().get(giant) ? bucket : giant;
          }
          String text =
              String.format(
                  Locale.ROOT,
                  "group %s: fullest bucket %d has %,d rows, %.2f of a shard",
                  group,
                  giant,
                  all.byBucket().get(giant),
                  all.byBucket().get(giant) / mean);
          return rows.size() > 1 && all.byBucket().get(giant) > GIANT * mean
              ? warning(text, "give its giant buckets of its own: groups." + group + ".directory")
              : good(text);
        });
  }

  static List<Observation> size(Facts facts) {
    return facts.ofDatabases(
        databases -> {
          if (databases.rows().size() < facts.configuration().groups().size()) {
            return List.of(
                missing(
                    "the size of the groups was not read",
                    "declare the figures that ask for shards: rows, bytes, writes, growth"));
          }
          long bytes = databases.rows().values().stream().mapToLong(Rows::bytes).sum();
          int shards = facts.configuration().shards().size();
          String text =
              "%s on %s, %s each"
                  .formatted(size(bytes), count(shards, "shard"), size(bytes / shards));
          return List.of(
              bytes >= ONE_MACHINE_BYTES || shards == 1
                  ? good(text)
                  : missing(
                      text + ": one machine would hold it",
                      "declare what one machine cannot do: writes, growth, maintenance"));
        });
  }

  private static String size(long bytes) {
    return bytes < 1L << 30
        ? String.format(Locale.ROOT, "%.1f MiB", bytes / (double) (1 << 20))
        : String.format(Locale.ROOT, "%.1f GiB", bytes / (double) (1 << 30));
  }

  private static List<Observation> perHeat(
      Facts facts, BiFunction<String, GroupHeat, Observation> check) {
    return facts.ofDatabases(
        databases -> {
          if (databases.heat().isEmpty() || databases.heat().get().measured().isZero()) {
            return List.of(
                missing(
                    "no traffic of buckets was recorded in the last 24 hours",
                    "let applications run with heat: {interval: 60s}"));
          }
          List<Observation> all = new ArrayList<>();
          for (String group : facts.configuration().groups().keySet()) {
            GroupHeat heat = databases.heat().get().groups().get(group);
            boolean any = heat != null && heat.keyed() + heat.scattered() > 0;
            all.add(
                any
                    ? check.apply(group, heat)
                    : missing(
                        "group " + group + " had no traffic", "repeat it when there is traffic"));
          }
          return all;
        });
  }

  static List<Observation> evenTraffic(Facts facts) {
    int shards = facts.configuration().shards().size();
    return perHeat(
        facts,
        (group, heat) -> {
          String text =
              String.format(
                  Locale.ROOT,
                  "group %s: busiest shard %.2f times the mean, busiest bucket %d %.1f%%",
                  group,
                  heat.skew(),
                  heat.hottestBucket(),
                  heat.hottestShare() * 100);
          boolean hot = shards > 1 && heat.hottestShare() * shards > GIANT;
          String action =
              hot
                  ? "give the key buckets of its own, or cache what it reads"
                  : "shardwright rebalance --plan --by time";
          return heat.skew() > UNEVEN || hot ? warning(text, action) : good(text);
        });
  }

  static List<Observation> scatteredTraffic(Facts facts) {
    return perHeat(
        facts,
        (group, heat) -> {
          double share = heat.scattered() / (double) (heat.keyed() + heat.scattered());
          String text =
              String.format(
                  Locale.ROOT,
                  "group %s: %.1f%% of the statements that shards got have no key",
                  group,
                  share * 100);
          String action = "give the logs of the applications: --logs FILE names the statements";
          if (share > SCATTERED_ERROR) {
            return error(text, action);
          }
          return share > SCATTERED_WARNING ? warning(text, action) : good(text);
        });
  }
}
