package io.shardwright.bench.compare;

import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;

/** What one thread needs while it has its turn: chance, new ids, a count of rows. */
final class Turn {
  private final Database database;
  private final Scale scale;
  private final SplittableRandom random;
  private final AtomicLong newIds;
  private long rows;

  /**
   * @param newIds of this side; nobody else inserts them
   */
  Turn(Setup setup, long seed, AtomicLong newIds) {
    this.database = setup.database();
    this.scale = setup.scale();
    this.random = new SplittableRandom(seed);
    this.newIds = newIds;
  }

  Database database() {
    return database;
  }

  Scale scale() {
    return scale;
  }

  SplittableRandom random() {
    return random;
  }

  /** Number of a row that was loaded. */
  int row() {
    return random.nextInt(scale.rows());
  }

  long buyerOfRow(int row) {
    return 1L + row % scale.buyers();
  }

  long buyer() {
    return 1L + random.nextInt(scale.buyers());
  }

  /** Different ones, ascending by chance. */
  long[] buyers(int count) {
    long first = random.nextInt(scale.buyers());
    long[] buyers = new long[count];
    for (int i = 0; i < count; i++) {
      buyers[i] = 1 + (first + i) % scale.buyers();
    }
    return buyers;
  }

  long newId() {
    return newIds.getAndIncrement();
  }

  void countRows(long read, long expected) {
    if (expected >= 0 && read != expected) {
      throw new IllegalStateException(read + " rows instead of " + expected);
    }
    rows += read;
  }

  long rows() {
    return rows;
  }
}
