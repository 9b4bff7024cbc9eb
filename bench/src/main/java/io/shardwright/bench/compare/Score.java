package io.shardwright.bench.compare;

import java.util.List;
import java.util.function.ToDoubleFunction;
import org.HdrHistogram.Histogram;

/**
 * What one side did of one workload.
 *
 * @param turns in the order of the rounds; empty: it refused
 * @param counts of what was sent per operation; null: not counted
 * @param refusal why it has no turns; otherwise empty
 */
record Score(Side side, List<Slot> turns, Counts counts, String refusal) {

  /** Per operation. */
  record Counts(double statements, double roundTrips, double connections) {}

  Score {
    turns = List.copyOf(turns);
  }

  boolean isRefused() {
    return turns.isEmpty();
  }

  double[] each(ToDoubleFunction<Slot> figure) {
    return turns.stream().mapToDouble(figure).toArray();
  }

  /** Of an operation, in microseconds. */
  Spread micros() {
    return Spread.of(each(Score::micros));
  }

  static double micros(Slot turn) {
    return turn.ownNanos() / 1e3 / turn.operations();
  }

  Spread perSecond() {
    return Spread.of(each(turn -> turn.operations() * 1e9 / turn.wallNanos()));
  }

  Spread rowsPerSecond() {
    return Spread.of(each(turn -> turn.rows() * 1e9 / turn.ownNanos()));
  }

  /** Processor time of an operation, in microseconds. */
  Spread cpuMicros() {
    return Spread.of(each(turn -> turn.cpuNanos() / 1e3 / turn.operations()));
  }

  /** Allocated by an operation. */
  Spread bytes() {
    return Spread.of(each(turn -> (double) turn.bytes() / turn.operations()));
  }

  /** In microseconds, over all turns. */
  double latency(double percentile) {
    Histogram all = Slot.histogram();
    turns.forEach(turn -> all.add(turn.latencies()));
    return all.getValueAtPercentile(percentile) / 1e3;
  }

  /** Times of the other side's figure, turn by turn: both had the same moments. */
  Spread timesOf(Score other, ToDoubleFunction<Slot> figure) {
    double[] own = each(figure);
    double[] others = other.each(figure);
    double[] times = new double[Math.min(own.length, others.length)];
    for (int i = 0; i < times.length; i++) {
      times[i] = own[i] / others[i];
    }
    return Spread.of(times);
  }
}
