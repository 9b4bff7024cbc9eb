package io.shardwright.examples.orders;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What the demo did and found. Plain values, so that it can be written as JSON as it is.
 *
 * @param lookups measured on databases beside the demo's own
 * @param growth the second act; null when it was left out
 * @param rowsPerShard by table, then by shard
 * @param kept how to go on with kept servers; empty when they were stopped
 */
public record DemoReport(
    Environment environment,
    Load load,
    List<Path> paths,
    Refusal refusal,
    List<Lookup> lookups,
    Growth growth,
    Map<String, Map<String, Long>> rowsPerShard,
    List<Check> checks,
    Timings millis,
    List<String> kept) {

  /**
   * @param durable false: the servers do not wait for the disk, commits are faster than in real
   *     life
   */
  public record Environment(
      int shards, long mapVersion, String java, String system, int cores, boolean durable) {}

  public record Load(
      long orders,
      long lines,
      long refunds,
      BigDecimal amount,
      long millis,
      long ordersPerSecond) {}

  /**
   * One way to the data.
   *
   * @param calls measured calls, after a warm-up
   * @param statements sent by the application, of all measured calls
   * @param shardsMin fewest shards that one statement touched
   * @param shardsMax most
   * @param rows read or written, of all measured calls
   * @param reason why these shards, of the first statement
   */
  public record Path(
      String name,
      long calls,
      long statements,
      int shardsMin,
      int shardsMax,
      long rows,
      long p50Micros,
      long p99Micros,
      String reason) {}

  /**
   * A way to an order by its number alone.
   *
   * @param statements sent for one call, those to the index included
   * @param shardsMax connections that its statement held at once
   */
  public record Lookup(
      int shards, String way, double statements, int shardsMax, long p50Micros, long p99Micros) {}

  /**
   * Shards that were added under traffic.
   *
   * @param rows copied
   * @param millis from the plan until the last bucket had its new owner
   * @param batches of buckets that changed their owner together
   * @param attempts to close a batch, failed ones included
   * @param pauseMaxMicros the longest time in which a batch could not be written
   * @param before requests in the time before anything was changed
   * @param during requests from then until after the last bucket had its new owner
   * @param verifiedBuckets whose rows were compared on both sides afterwards
   */
  public record Growth(
      List<String> added,
      int moves,
      int buckets,
      long rows,
      long millis,
      int batches,
      long attempts,
      long pauseP50Micros,
      long pauseMaxMicros,
      Requests before,
      Requests during,
      int verifiedBuckets) {}

  /**
   * What an application saw.
   *
   * @param writes of the requests
   * @param maxMicros the longest, from when it was due to its end
   */
  public record Requests(long count, long writes, long p50Micros, long p99Micros, long maxMicros) {}

  public record Refusal(String sql, String code, String message, int shardsTouched) {}

  public record Check(String name, String expected, String actual, boolean ok) {}

  public record Timings(
      long startServers,
      long createSchema,
      long load,
      long paths,
      long growth,
      long checks,
      long total) {}

  public boolean ok() {
    return checks.stream().allMatch(Check::ok);
  }

  /** For people. */
  public List<String> lines() {
    List<String> out = new ArrayList<>();
    out.add(
        format(
            "%d orders, %d lines, %d refunds, %s GBP loaded in %.1f s (%d orders/s)",
            load.orders,
            load.lines,
            load.refunds,
            load.amount,
            load.millis / 1_000.0,
            load.ordersPerSecond));
    out.add(
        format(
            "%d shards, bucket map version %d, %s, %s, %d cores%s",
            environment.shards,
            environment.mapVersion,
            environment.java,
            environment.system,
            environment.cores,
            environment.durable ? "" : ", servers without fsync"));
    out.add("");
    addPaths(out);
    out.add("");
    out.add("refused, " + refusal.shardsTouched + " shards touched: " + refusal.sql);
    out.add("  " + refusal.message);
    out.add("");
    addLookups(out);
    out.add("");
    if (growth != null) {
      addGrowth(out, growth);
    }
    addDistribution(out);
    out.add("");
    for (Check check : checks) {
      out.add(
          format(
              "%-4s %s: %s%s",
              check.ok ? "ok" : "FAIL",
              check.name,
              check.actual,
              check.ok ? "" : ", expected " + check.expected));
    }
    if (!kept.isEmpty()) {
      out.add("");
      out.addAll(kept);
    }
    return out;
  }

  private void addPaths(List<String> out) {
    out.add(
        format(
            "%-42s %7s %7s %9s %9s %9s",
            "access path", "calls", "shards", "rows", "p50 us", "p99 us"));
    for (Path path : paths) {
      String shards =
          path.shardsMin == path.shardsMax
              ? Integer.toString(path.shardsMax)
              : path.shardsMin + "-" + path.shardsMax;
      out.add(
          format(
              "%-42s %7d %7s %9d %9d %9d",
              path.name, path.calls, shards, path.rows, path.p50Micros, path.p99Micros));
    }
  }

  private void addLookups(List<String> out) {
    out.add(
        format(
            "%-33s %7s %11s %12s %9s %9s",
            "an order by its number, through",
            "shards",
            "statements",
            "connections",
            "p50 us",
            "p99 us"));
    for (Lookup lookup : lookups) {
      out.add(
          format(
              "%-33s %7d %11.1f %12d %9d %9d",
              lookup.way,
              lookup.shards,
              lookup.statements,
              lookup.shardsMax,
              lookup.p50Micros,
              lookup.p99Micros));
    }
  }

  private static void addGrowth(List<String> out, Growth growth) {
    out.add(
        format(
            "shards %s added under traffic: %d buckets and %d rows moved in %.1f s",
            String.join(", ", growth.added), growth.buckets, growth.rows, growth.millis / 1e3));
    out.add(
        format(
            "  %d cutovers in %d attempts; no write to a batch for %.1f ms (p50), %.1f ms at most",
            growth.batches,
            growth.attempts,
            growth.pauseP50Micros / 1e3,
            growth.pauseMaxMicros / 1e3));
    out.add(
        format(
            "  %-29s %9s %9s %9s %9s %11s",
            "requests", "count", "writes", "p50 us", "p99 us", "longest ms"));
    addRequests(out, "before", growth.before);
    addRequests(out, "while buckets moved", growth.during);
    out.add("");
  }

  private static void addRequests(List<String> out, String when, Requests requests) {
    out.add(
        format(
            "  %-29s %9d %9d %9d %9d %11.1f",
            when,
            requests.count,
            requests.writes,
            requests.p50Micros,
            requests.p99Micros,
            requests.maxMicros / 1e3));
  }

  private void addDistribution(List<String> out) {
    List<String> shards = new ArrayList<>(rowsPerShard.values().iterator().next().keySet());
    StringBuilder header = new StringBuilder(format("%-24s", "rows per shard"));
    shards.forEach(shard -> header.append(format(" %9s", shard)));
    out.add(header + format(" %9s", "max/mean"));
    rowsPerShard.forEach(
        (table, rows) -> {
          StringBuilder line = new StringBuilder(format("%-24s", table));
          shards.forEach(shard -> line.append(format(" %9d", rows.get(shard))));
          double mean = rows.values().stream().mapToLong(Long::longValue).average().orElse(0);
          long max = rows.values().stream().mapToLong(Long::longValue).max().orElse(0);
          out.add(line + format(" %9.2f", mean == 0 ? 1 : max / mean));
        });
  }

  private static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }
}
