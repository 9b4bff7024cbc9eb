package io.shardwright.cli.loadtest;

import io.shardwright.cli.loadtest.LoadTestReport.Percentiles;
import io.shardwright.cli.loadtest.LoadTestReport.Requests;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** The requests of one kind within a scenario. Thread-safe. */
final class Series {
  private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(5);

  private final String name;
  private final boolean answersExpected;
  private final Histogram answered = new Histogram(LONGEST_NANOS, 3);
  private final Histogram failed = new Histogram(LONGEST_NANOS, 3);
  private final Map<String, Long> codes = new TreeMap<>();
  private long partial;

  /**
   * @param answersExpected false: errors alone are right, too
   */
  Series(String name, boolean answersExpected) {
    this.name = name;
    this.answersExpected = answersExpected;
  }

  /**
   * @param time from the moment for which it was planned
   */
  synchronized void ended(Duration time, Outcome outcome) {
    Histogram nanos = outcome.isAnswer() ? answered : failed;
    nanos.recordValue(Math.min(LONGEST_NANOS, Math.max(1, time.toNanos())));
    if (outcome.code().equals(Outcome.PARTIAL)) {
      partial++;
    }
    if (!outcome.isAnswer()) {
      codes.merge(outcome.code(), 1L, Long::sum);
    }
  }

  /** Answers and errors apart: an error that comes at once says nothing about answers. */
  synchronized List<Requests> report(double seconds) {
    List<Requests> reports = new ArrayList<>();
    boolean both = answered.getTotalCount() > 0 && failed.getTotalCount() > 0;
    if (answered.getTotalCount() > 0) {
      reports.add(requests(name, answered, partial, Map.of(), seconds));
    }
    if (failed.getTotalCount() > 0) {
      reports.add(requests(both ? name + ": errors" : name, failed, 0, codes, seconds));
    }
    return reports;
  }

  private static Requests requests(
      String name, Histogram nanos, long partial, Map<String, Long> codes, double seconds) {
    return new Requests(
        name,
        nanos.getTotalCount(),
        nanos.getTotalCount() / seconds,
        new Percentiles(
            millis(nanos.getValueAtPercentile(50)),
            millis(nanos.getValueAtPercentile(95)),
            millis(nanos.getValueAtPercentile(99)),
            millis(nanos.getMaxValue())),
        partial,
        codes);
  }

  /** Whether it lacks the answers that it should have. */
  synchronized boolean isUnanswered() {
    return answersExpected && failed.getTotalCount() > 0 && answered.getTotalCount() == 0;
  }

  /** In the middle, of the answers; in milliseconds. */
  synchronized double middle() {
    return millis(answered.getValueAtPercentile(50));
  }

  String name() {
    return name;
  }

  private static double millis(long nanos) {
    return Math.round(nanos / 1e3) / 1e3;
  }
}
