package io.shardwright.catalog;

import java.time.Duration;
import java.time.InstantSource;
import java.util.UUID;
import java.util.function.LongSupplier;

/**
 * A driver process's promise not to work by an older state of the catalog than it acknowledged
 * ({@link Catalog#renew}). Whoever changes the state waits until each live lease has acknowledged,
 * or has lapsed ({@link Catalog#awaitSeen}). So a process whose lease is not live may not rely on
 * what it knows: it answers no statement by a lookup index, and writes only what the guards on the
 * shards let pass. Thread-safe.
 *
 * <p>It lasts from the moment at which its renewal was sent, by the monotonic clock and by the wall
 * clock, since the former can stand still in a suspended machine. The catalog counts from the
 * arrival, by its own clock, and waits {@link #MARGIN} longer for clocks that run at other speeds.
 */
public final class DriverLease {
  /** Renewed each second: many renewals may fail before it lapses. */
  public static final Duration LENGTH = Duration.ofSeconds(10);

  static final Duration MARGIN = Duration.ofSeconds(2);

  private final UUID id = UUID.randomUUID();
  private final InstantSource clock;
  private final LongSupplier nanoTime;
  private volatile Moment sent;

  /** A moment on both clocks. */
  record Moment(long millis, long nanos) {}

  /** Of this process; not live until it is renewed. */
  public DriverLease() {
    this(InstantSource.system(), System::nanoTime);
  }

  /** The same by other clocks. */
  public DriverLease(InstantSource clock, LongSupplier nanoTime) {
    this.clock = clock;
    this.nanoTime = nanoTime;
  }

  /** By which those who wait for this process name it. */
  public UUID id() {
    return id;
  }

  /** Costs two clock readings and no memory: it is on the path of every statement. */
  public boolean isLive() {
    Moment start = sent;
    return start != null
        && nanoTime.getAsLong() - start.nanos < LENGTH.toNanos()
        && clock.millis() - start.millis < LENGTH.toMillis();
  }

  Moment now() {
    return new Moment(clock.millis(), nanoTime.getAsLong());
  }

  void extend(Moment renewalSent) {
    sent = renewalSent;
  }

  void end() {
    sent = null;
  }
}
