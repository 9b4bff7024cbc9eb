package io.shardwright.cli;

import java.util.concurrent.TimeUnit;

/**
 * What a long command is doing, on standard error: one line that is rewritten where a person
 * watches, else a line per step and now and then one within it. Thread-safe.
 */
final class Progress {
  /** Between lines of one step, where lines cannot be rewritten. */
  private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final Console console;
  private String last = "";
  private long lastNanos;

  Progress(Console console) {
    this.console = console;
  }

  /**
   * @param step texts that agree up to the colon are about one step
   */
  synchronized void step(String step) {
    if (console.interactive()) {
      String padding = " ".repeat(Math.max(0, last.length() - step.length()));
      console.err().print("\r" + step + padding);
      console.err().flush();
      last = step;
      return;
    }
    boolean same = name(step).equals(name(last));
    if (!same || System.nanoTime() - lastNanos > QUIET_NANOS) {
      console.err().println(step);
      last = step;
      lastNanos = System.nanoTime();
    }
  }

  /** Leaves a clean line. */
  synchronized void end() {
    if (console.interactive()) {
      console.err().print("\r" + " ".repeat(last.length()) + "\r");
      console.err().flush();
    }
    last = "";
  }

  private static String name(String step) {
    int colon = step.indexOf(':');
    return colon < 0 ? step : step.substring(0, colon);
  }
}
