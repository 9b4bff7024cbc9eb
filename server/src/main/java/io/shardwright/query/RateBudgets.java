package io.shardwright.query;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * How often each shape of query may go to all shards. A bucket of tokens for each: it holds those
 * of {@link #BURST} and is filled at the rate of the file. Thread-safe.
 */
final class RateBudgets {
  /** Shapes that are counted apart; the one that was asked longest ago is forgotten. */
  private static final int SHAPES_MAX = 1_000;

  private static final Duration BURST = Duration.ofSeconds(10);
  private static final double NANOS = 1e9;

  /** In which questions are counted for the advice. */
  private static final Duration WINDOW = Duration.ofSeconds(10);

  private final int perSecond;
  private final LongSupplier nanos;
  private final Map<String, Shape> shapes =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Shape> eldest) {
          return size() > SHAPES_MAX;
        }
      };

  private final class Shape {
    private double tokens = perSecond * (double) BURST.toSeconds();
    private long filledNanos = nanos.getAsLong();
    private long windowNanos = filledNanos;
    private int asked;
    private int askedBefore;
  }

  /**
   * @param refusedFor when it may be asked again; null: it may be asked now
   * @param inWindow how often it was asked in the last ten seconds or so
   */
  record Decision(Duration refusedFor, int inWindow) {
    /** Whether something else than all shards should answer it. */
    boolean isFrequent() {
      return inWindow >= WINDOW.toSeconds();
    }
  }

  RateBudgets(int perSecond, LongSupplier nanos) {
    this.perSecond = perSecond;
    this.nanos = nanos;
  }

  synchronized Decision ask(String text) {
    Shape shape = shapes.computeIfAbsent(text, unused -> new Shape());
    long now = nanos.getAsLong();
    double most = perSecond * (double) BURST.toSeconds();
    shape.tokens = Math.min(most, shape.tokens + (now - shape.filledNanos) / NANOS * perSecond);
    shape.filledNanos = now;
    while (now - shape.windowNanos >= WINDOW.toNanos()) {
      boolean next = now - shape.windowNanos < 2 * WINDOW.toNanos();
      shape.askedBefore = next ? shape.asked : 0;
      shape.asked = 0;
      shape.windowNanos = next ? shape.windowNanos + WINDOW.toNanos() : now;
    }
    if (shape.tokens < 1) {
      return new Decision(
          Duration.ofNanos((long) ((1 - shape.tokens) / perSecond * NANOS) + 1), shape.asked);
    }
    shape.tokens--;
    shape.asked++;
    return new Decision(null, Math.max(shape.asked, shape.askedBefore));
  }
}
