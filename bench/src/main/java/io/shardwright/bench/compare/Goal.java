package io.shardwright.bench.compare;

import static io.shardwright.bench.compare.Side.RAW;
import static io.shardwright.bench.compare.Side.SHARDINGSPHERE;
import static io.shardwright.bench.compare.Side.SHARDWRIGHT;
import static io.shardwright.bench.compare.Side.SLOWEST_SHARD;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * A target, and whether it holds.
 *
 * @param measured as text, with the other side's figure
 */
record Goal(String what, String target, String measured, boolean isMet) {

  /** Of what was measured; others are left out. */
  static List<Goal> of(List<Outcome> outcomes) {
    return outcomes.stream().flatMap(outcome -> of(outcome).stream()).toList();
  }

  private static List<Goal> of(Outcome outcome) {
    List<Goal> goals = new ArrayList<>();
    overhead(goals, outcome, "stub-point", "prepared point SELECT, stub, over raw", 3, 1_024);
    overhead(
        goals, outcome, "stub-literal", "point SELECT with literals, stub, over raw", 8, 3_072);
    inList(goals, outcome);
    twentieth(goals, outcome);
    for (String name : new String[] {"top-20-of-8", "top-20-far"}) {
      slowest(goals, outcome, name);
    }
    throughput(goals, outcome);
    streaming(goals, outcome);
    coldStart(goals, outcome);
    return goals;
  }

  private static void overhead(
      List<Goal> goals, Outcome outcome, String name, String what, double micros, double bytes) {
    outcome
        .of(name, SHARDWRIGHT)
        .ifPresent(
            own -> {
              Score raw = outcome.of(name, RAW).orElseThrow();
              double more = Spread.of(differences(own, raw, Goal::cpuMicros)).median();
              double moreBytes = Spread.of(differences(own, raw, Goal::bytes)).median();
              goals.add(
                  new Goal(
                      what,
                      "at most + "
                          + Spread.number(micros)
                          + " us of processor time, + "
                          + Spread.number(bytes)
                          + " bytes",
                      "+ " + Spread.number(more) + " us, + " + Spread.number(moreBytes) + " bytes",
                      more <= micros && moreBytes <= bytes));
            });
  }

  private static void inList(List<Goal> goals, Outcome outcome) {
    outcome
        .of("stub-in-500", SHARDWRIGHT)
        .ifPresent(
            own -> {
              Score raw = outcome.of("stub-in-500", RAW).orElseThrow();
              double more = Spread.of(differences(own, raw, Goal::cpuMicros)).median();
              double statements = own.counts().statements();
              goals.add(
                  new Goal(
                      "IN list of 500 keys, stub, over raw",
                      "at most + 40 us of processor time, a statement per shard",
                      "+ "
                          + Spread.number(more)
                          + " us, "
                          + Spread.number(statements)
                          + " statements to "
                          + Stand.SHARDS
                          + " shards",
                      more <= 40 && statements <= Stand.SHARDS));
            });
  }

  private static void twentieth(List<Goal> goals, Outcome outcome) {
    outcome
        .of("stub-point", SHARDINGSPHERE)
        .ifPresent(
            other -> {
              Score raw = outcome.of("stub-point", RAW).orElseThrow();
              Score own = outcome.of("stub-point", SHARDWRIGHT).orElseThrow();
              double ours = Spread.of(differences(own, raw, Goal::cpuMicros)).median();
              double theirs = Spread.of(differences(other, raw, Goal::cpuMicros)).median();
              goals.add(
                  new Goal(
                      "routing on the stub, processor time over raw",
                      "at most 1/20 of ShardingSphere's",
                      Spread.number(ours)
                          + " us against "
                          + Spread.number(theirs)
                          + " us: 1/"
                          + Spread.number(theirs / ours),
                      theirs / ours >= 20));
            });
  }

  private static void slowest(List<Goal> goals, Outcome outcome, String name) {
    outcome
        .of(name, SHARDWRIGHT)
        .ifPresent(
            own -> {
              Score slowest = outcome.of(name, SLOWEST_SHARD).orElseThrow();
              Score raw = outcome.of(name, RAW).orElseThrow();
              double times = own.timesOf(slowest, Score::micros).median();
              double rawTimes = raw.timesOf(slowest, Score::micros).median();
              goals.add(
                  new Goal(
                      on(outcome, outcome.of(name).orElseThrow().workload().title()),
                      "at most 1.2 times the slowest shard alone",
                      Spread.number(times) + " times; raw " + Spread.number(rawTimes) + " times",
                      times <= 1.2));
            });
  }

  private static void throughput(List<Goal> goals, Outcome outcome) {
    outcome
        .of("point-64", SHARDWRIGHT)
        .ifPresent(
            own -> {
              Score raw = outcome.of("point-64", RAW).orElseThrow();
              double share =
                  own.timesOf(raw, turn -> (double) turn.operations() / turn.wallNanos()).median();
              goals.add(
                  new Goal(
                      on(outcome, "64 threads, point SELECTs, throughput"),
                      "at least 95% of raw",
                      Spread.number(100 * share) + "%",
                      share >= 0.95));
            });
  }

  private static void streaming(List<Goal> goals, Outcome outcome) {
    outcome
        .of("stream-ordered", SHARDWRIGHT)
        .ifPresent(
            own -> {
              Score raw = outcome.of("stream-ordered", RAW).orElseThrow();
              double share = 1 / own.timesOf(raw, Score::micros).median();
              goals.add(
                  new Goal(
                      on(
                          outcome,
                          outcome.scale().rows() + " rows, streamed and merged, rows a second"),
                      "at least 80% of raw",
                      Spread.number(100 * share) + "%",
                      share >= 0.8));
            });
    String heap = outcome.heaps().get(SHARDWRIGHT);
    if (heap != null) {
      int size = LeastHeap.SIZES.indexOf(heap);
      goals.add(
          new Goal(
              "the same, heap",
              "64m is enough",
              heap + " is enough; raw " + outcome.heaps().get(RAW),
              size >= 0 && size <= LeastHeap.SIZES.indexOf("64m")));
    }
  }

  private static void coldStart(List<Goal> goals, Outcome outcome) {
    outcome
        .cold()
        .ifPresent(
            cold -> {
              Score own = cold.of(SHARDWRIGHT).orElseThrow();
              Score other = cold.of(SHARDINGSPHERE).orElseThrow();
              double share = own.timesOf(other, ColdStart::millis).median();
              goals.add(
                  new Goal(
                      "cold start, open to first row",
                      "at most 1/3 of ShardingSphere's",
                      Spread.number(Spread.of(own.each(ColdStart::millis)).median())
                          + " ms against "
                          + Spread.number(Spread.of(other.each(ColdStart::millis)).median())
                          + " ms: 1/"
                          + Spread.number(1 / share),
                      share <= 1.0 / 3));
            });
  }

  private static String on(Outcome outcome, String what) {
    return outcome.database().label() + ": " + what;
  }

  private static double[] differences(Score own, Score other, ToDoubleFunction<Slot> figure) {
    double[] differences = own.each(figure);
    double[] others = other.each(figure);
    for (int i = 0; i < differences.length; i++) {
      differences[i] -= others[i];
    }
    return differences;
  }

  private static double cpuMicros(Slot turn) {
    return turn.cpuNanos() / 1e3 / turn.operations();
  }

  private static double bytes(Slot turn) {
    return (double) turn.bytes() / turn.operations();
  }
}
