package io.shardwright.server;

import io.shardwright.routing.ShardId;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** What became of queries, in Prometheus' text format. Counters start with the process. */
final class Metrics {
  private static final double NANOS = 1e9;

  private final Map<String, LongAdder> outcomes = new ConcurrentHashMap<>();
  private final LongAdder nanos = new LongAdder();
  private final LongAdder answers = new LongAdder();
  private final LongAdder rows = new LongAdder();
  private final LongAdder retries = new LongAdder();

  /**
   * @param outcome complete, partial, or the code of an error
   */
  void ended(String outcome) {
    outcomes.computeIfAbsent(outcome, unused -> new LongAdder()).increment();
  }

  void answered(int rowCount, int retryCount, Duration elapsed) {
    answers.increment();
    nanos.add(elapsed.toNanos());
    rows.add(rowCount);
    retries.add(retryCount);
  }

  /**
   * @param running queries that run or wait
   * @param exports that run or wait
   * @param jobs queries that are asked again until they are complete
   * @param resting shards that are not asked for a while
   */
  String text(int running, int exports, int jobs, Map<ShardId, String> resting) {
    StringBuilder text = new StringBuilder();
    type(text, "shardwright_queries_total", "counter");
    new TreeMap<>(outcomes)
        .forEach(
            (outcome, count) ->
                line(
                    text,
                    "shardwright_queries_total{outcome=\"" + outcome + "\"}",
                    String.valueOf(count.sum())));
    type(text, "shardwright_query_seconds", "summary");
    line(text, "shardwright_query_seconds_sum", String.valueOf(nanos.sum() / NANOS));
    line(text, "shardwright_query_seconds_count", String.valueOf(answers.sum()));
    type(text, "shardwright_query_rows_total", "counter");
    line(text, "shardwright_query_rows_total", String.valueOf(rows.sum()));
    type(text, "shardwright_query_retries_total", "counter");
    line(text, "shardwright_query_retries_total", String.valueOf(retries.sum()));
    type(text, "shardwright_queries_running", "gauge");
    line(text, "shardwright_queries_running", String.valueOf(running));
    type(text, "shardwright_exports_unfinished", "gauge");
    line(text, "shardwright_exports_unfinished", String.valueOf(exports));
    type(text, "shardwright_async_queries_unfinished", "gauge");
    line(text, "shardwright_async_queries_unfinished", String.valueOf(jobs));
    type(text, "shardwright_shard_resting", "gauge");
    for (ShardId shard : resting.keySet()) {
      line(text, "shardwright_shard_resting{shard=\"" + shard.name() + "\"}", "1");
    }
    return text.toString();
  }

  private static void type(StringBuilder text, String name, String type) {
    text.append("# TYPE ").append(name).append(' ').append(type).append('\n');
  }

  private static void line(StringBuilder text, String name, String value) {
    text.append(name).append(' ').append(value).append('\n');
  }
}
