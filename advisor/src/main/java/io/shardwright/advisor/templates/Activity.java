package io.shardwright.advisor.templates;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * When the executions of a template came and how long each took. Digests, which tell neither, have
 * none of it.
 *
 * @param latency of records with a time of their own; empty without any
 * @param longestLock the longest wait for locks of one record
 * @param peakPerSecond executions in the busiest second of one file; 0 without times
 * @param peakConcurrency seconds of work in each second of the busiest minute: how many ran at a
 *     time; an execution counts for a minute at most. 0 when times or durations are missing
 * @param byHour executions by hour of the day, UTC: 24 numbers, or none
 * @param busyByHour milliseconds of work by hour of the day, UTC: 24 numbers, or none
 */
public record Activity(
    Optional<Latency> latency,
    Duration longestLock,
    long peakPerSecond,
    double peakConcurrency,
    List<Long> byHour,
    List<Long> busyByHour) {
  public static final int HOURS = 24;

  public Activity {
    byHour = List.copyOf(byHour);
    busyByHour = List.copyOf(busyByHour);
  }

  /** Percentiles, to 1% of their value. */
  public record Latency(Duration p50, Duration p95, Duration p99, Duration max) {}
}
