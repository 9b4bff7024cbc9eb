package io.shardwright.testkit;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;

/** Stands still until it is stepped, forwards or back. Thread-safe. */
public final class TestingClock implements InstantSource {
  private final AtomicReference<Instant> now;

  public TestingClock(Instant start) {
    now = new AtomicReference<>(start);
  }

  @Override
  public Instant instant() {
    return now.get();
  }

  /**
   * @param step may be negative: the clock goes back
   * @return the new time
   */
  public Instant step(Duration step) {
    return now.updateAndGet(instant -> instant.plus(step));
  }

  public void set(Instant instant) {
    now.set(instant);
  }
}
