package io.shardwright.cli;

import io.shardwright.advisor.logs.LogReading;
import java.time.Duration;
import java.util.Locale;

/**
 * How far the reading of files is, on a line that is rewritten; nothing where nobody watches. One
 * thread at a time.
 */
final class ReadingBar implements LogReading.Progress {
  private static final long REDRAW_NANOS = Duration.ofMillis(200).toNanos();
  private static final int CELLS = 20;

  private final Console console;
  private final Progress progress;
  private final long bytesTotal;
  private final int readings;
  private int reading;
  private long startNanos;
  private long drawnNanos;

  /**
   * @param readings how often all files are read
   */
  ReadingBar(Console console, Progress progress, long bytesTotal, int readings) {
    this.console = console;
    this.progress = progress;
    this.bytesTotal = bytesTotal;
    this.readings = readings;
  }

  /** Before each reading of all files. */
  void begin() {
    reading++;
    startNanos = System.nanoTime();
    drawnNanos = startNanos;
  }

  @Override
  public void at(long bytes, long statements) {
    if (!console.interactive()) {
      return;
    }
    long now = System.nanoTime();
    if (now - drawnNanos >= REDRAW_NANOS) {
      drawnNanos = now;
      progress.step(text(bytes, statements, Duration.ofNanos(now - startNanos)));
    }
  }

  /**
   * Such as {@code reading 1 of 2: [#####...] 25% of 1.0 GB, 812,000 statements, 61 MB/s, 0:12}.
   */
  String text(long bytes, long statements, Duration elapsed) {
    double part = bytesTotal == 0 ? 1 : Math.min(1, (double) bytes / bytesTotal);
    double seconds = Math.max(0.001, elapsed.toNanos() / 1e9);
    double rate = bytes / seconds;
    long left = rate == 0 ? 0 : Math.round(Math.max(0, bytesTotal - bytes) / rate);
    int full = (int) (part * CELLS);
    return String.format(
        Locale.ROOT,
        "reading %d of %d: [%s%s] %.0f%% of %s, %,d statements, %s/s, %d:%02d left",
        reading,
        readings,
        "#".repeat(full),
        ".".repeat(CELLS - full),
        Math.floor(part * 100),
        size((double) bytesTotal),
        statements,
        size(rate),
        left / 60,
        left % 60);
  }

  private static String size(double bytes) {
    return bytes >= 1e9
        ? String.format(Locale.ROOT, "%.1f GB", bytes / 1e9)
        : bytes >= 1e6
            ? String.format(Locale.ROOT, "%.0f MB", bytes / 1e6)
            : String.format(Locale.ROOT, "%.0f KB", bytes / 1e3);
  }
}
