package io.shardwright.cli.loadtest;

import io.shardwright.cli.loadtest.LoadTestReport.Connections;
import io.shardwright.cli.loadtest.LoadTestReport.Measured;
import io.shardwright.cli.loadtest.LoadTestReport.Moment;
import io.shardwright.cli.loadtest.LoadTestReport.Note;
import io.shardwright.cli.loadtest.LoadTestReport.Spread;
import io.shardwright.routing.ShardId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** What one scenario comes to. Thread-safe. */
final class Measurement {
  static final int MOMENTS = 40;
  private static final int WRONG_MAX = 5;
  private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(5);

  private final Scenario scenario;
  private final Duration planned;
  private final Map<String, Series> series = new LinkedHashMap<>();
  private final Map<String, Long> rows = new LinkedHashMap<>();
  private final List<Slot> slots = new ArrayList<>();
  private final List<String> wrong = new ArrayList<>();
  private final List<Note> notes = new ArrayList<>();
  private long wrongCount;
  private long compared;
  private long fanOutSum;
  private long fanOutCount;
  private int fanOutMax;
  private Connections connections = new Connections(0, 0);

  private static final class Slot {
    private final Histogram nanos = new Histogram(LONGEST_NANOS, 2);
    private long answered;
    private long errors;
  }

  /**
   * @param planned how long its traffic shall last
   */
  Measurement(Scenario scenario, Duration planned, List<ShardId> shards) {
    this.scenario = scenario;
    this.planned = planned;
    shards.forEach(shard -> rows.put(shard.name(), 0L));
    for (int i = 0; i < MOMENTS; i++) {
      slots.add(new Slot());
    }
  }

  Scenario scenario() {
    return scenario;
  }

  Duration planned() {
    return planned;
  }

  /** Requests whose answers are expected, unless they fail. */
  synchronized Series series(String name) {
    return series.computeIfAbsent(name, unused -> new Series(name, true));
  }

  /** Requests that may all be refused. */
  synchronized Series refusable(String name) {
    return series.computeIfAbsent(name, unused -> new Series(name, false));
  }

  /**
   * @param sinceStart when the request was planned
   */
  void ended(Series of, Duration sinceStart, Duration time, Outcome outcome) {
    of.ended(time, outcome);
    add(outcome);
    int slot = (int) (sinceStart.toNanos() * MOMENTS / planned.toNanos());
    synchronized (this) {
      Slot at = slots.get(Math.min(MOMENTS - 1, Math.max(0, slot)));
      at.nanos.recordValue(Math.min(LONGEST_NANOS, Math.max(1, time.toNanos())));
      if (outcome.isAnswer()) {
        at.answered++;
      } else {
        at.errors++;
      }
    }
  }

  /** What is no request of a series: a walk, a sum at the end. */
  synchronized void add(Outcome outcome) {
    outcome.rows().forEach((shard, count) -> rows.merge(shard.name(), (long) count, Long::sum));
    if (!outcome.shards().isEmpty()) {
      fanOutSum += outcome.shards().size();
      fanOutCount++;
      fanOutMax = Math.max(fanOutMax, outcome.shards().size());
    }
    if (outcome.compared()) {
      compared++;
    }
    outcome.wrong().ifPresent(this::wrong);
  }

  synchronized void wrong(String what) {
    wrongCount++;
    if (wrong.size() < WRONG_MAX) {
      wrong.add(what);
    }
  }

  synchronized void note(String name, double value, String unit) {
    notes.add(new Note(name, LoadTestReport.round(value), unit));
  }

  synchronized void held(Map<ShardId, Integer> active) {
    int all = active.values().stream().mapToInt(Integer::intValue).sum();
    int one = active.values().stream().mapToInt(Integer::intValue).max().orElse(0);
    connections =
        new Connections(
            Math.max(all, connections.most()), Math.max(one, connections.mostOfOneShard()));
  }

  /**
   * @param took the traffic, until the last answer
   * @param statements by shard
   * @param rowsSent by the shards
   */
  synchronized Measured report(Duration took, Map<String, Long> statements, long rowsSent) {
    double seconds = Math.max(0.001, took.toNanos() / 1e9);
    for (Series one : series.values()) {
      if (one.isUnanswered()) {
        wrong("none of the requests '" + one.name() + "' was answered");
      }
    }
    if (compared == 0 && fanOutCount > 0) {
      wrong("no answer came that could be compared");
    }
    List<Moment> timeline = new ArrayList<>();
    double length = planned.toNanos() / 1e9 / MOMENTS;
    for (int i = 0; i < MOMENTS; i++) {
      Slot slot = slots.get(i);
      timeline.add(
          new Moment(
              LoadTestReport.round(i * length),
              slot.answered,
              slot.errors,
              LoadTestReport.round(slot.nanos.getValueAtPercentile(50) / 1e6),
              LoadTestReport.round(slot.nanos.getMaxValue() / 1e6)));
    }
    return new Measured(
        scenario,
        LoadTestReport.round(seconds),
        series.values().stream().flatMap(one -> one.report(seconds).stream()).toList(),
        new Spread(
            fanOutCount == 0 ? 0 : LoadTestReport.round((double) fanOutSum / fanOutCount),
            fanOutMax),
        statements,
        new LinkedHashMap<>(rows),
        rowsSent,
        connections,
        compared,
        List.copyOf(wrong),
        wrongCount,
        List.copyOf(notes),
        timeline);
  }
}
