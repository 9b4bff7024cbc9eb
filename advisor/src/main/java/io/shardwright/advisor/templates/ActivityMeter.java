package io.shardwright.advisor.templates;

import io.shardwright.advisor.logs.LogRecord;
import io.shardwright.advisor.templates.Activity.Latency;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.PackedHistogram;

/** Measures the {@link Activity} of one template. Not thread-safe. */
final class ActivityMeter {
  private static final int DIGITS = 2;
  private static final long MINUTE_NANOS = TimeUnit.MINUTES.toNanos(1);

  /** Null until a record tells its time and duration. */
  private PackedHistogram micros;

  /** Null until a record tells its time. */
  private long[] byHour;

  private long[] busyNanosByHour;
  private Duration longestLock = Duration.ZERO;
  private long second = Long.MIN_VALUE;
  private long inSecond;
  private long peakPerSecond;
  private long minute = Long.MIN_VALUE;
  private long busyInMinute;
  private long peakBusy;

  void add(LogRecord record) {
    if (record.lockTime().isPresent() && record.lockTime().get().compareTo(longestLock) > 0) {
      longestLock = record.lockTime().get();
    }
    if (record.time().isEmpty()) {
      return;
    }
    Instant time = record.time().get();
    if (byHour == null) {
      byHour = new long[Activity.HOURS];
      busyNanosByHour = new long[Activity.HOURS];
    }
    int hour = (int) Math.floorMod(Math.floorDiv(time.getEpochSecond(), 3_600L), 24L);
    byHour[hour] += record.count();
    if (time.getEpochSecond() != second) {
      second = time.getEpochSecond();
      inSecond = 0;
    }
    inSecond += record.count();
    peakPerSecond = Math.max(peakPerSecond, inSecond);
    record.duration().ifPresent(duration -> took(time, hour, duration, record.count()));
  }

  /**
   * @param total of all executions of the record
   */
  private void took(Instant time, int hour, Duration total, long count) {
    busyNanosByHour[hour] += total.toNanos();
    long each = total.toNanos() / count;
    if (micros == null) {
      micros = new PackedHistogram(DIGITS);
    }
    micros.recordValueWithCount(Math.max(0, each / 1_000), count);
    long now = Math.floorDiv(time.getEpochSecond(), 60L);
    if (now != minute) {
      minute = now;
      busyInMinute = 0;
    }
    busyInMinute += Math.min(each, MINUTE_NANOS) * count;
    peakBusy = Math.max(peakBusy, busyInMinute);
  }

  Activity activity() {
    return new Activity(
        latency(),
        longestLock,
        peakPerSecond,
        (double) peakBusy / MINUTE_NANOS,
        byHour == null ? List.of() : Arrays.stream(byHour).boxed().toList(),
        busyNanosByHour == null
            ? List.of()
            : Arrays.stream(busyNanosByHour).map(n -> n / 1_000_000).boxed().toList());
  }

  private Optional<Latency> latency() {
    return micros == null
        ? Optional.empty()
        : Optional.of(new Latency(percentile(50), percentile(95), percentile(99), percentile(100)));
  }

  private Duration percentile(double percent) {
    return Duration.of(micros.getValueAtPercentile(percent), ChronoUnit.MICROS);
  }
}
