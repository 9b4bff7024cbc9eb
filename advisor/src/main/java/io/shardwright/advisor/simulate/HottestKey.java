package io.shardwright.advisor.simulate;

import java.util.Arrays;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Finds the key with the most rows, beside the thread that reads: keys are handed over in batches,
 * of which one is filled while the other is counted, so that the memory accesses of the count do
 * not hold up the reader. {@link #add} and {@link #finish} are for one thread.
 */
final class HottestKey implements AutoCloseable {
  private static final int KEYS_PER_BATCH = 1 << 18;

  /** Keys, as they are in the file. */
  private static final class Batch {
    private final long[] hashes = new long[KEYS_PER_BATCH];
    private final long[] rows = new long[KEYS_PER_BATCH];
    private final int[] ends = new int[KEYS_PER_BATCH];
    private byte[] bytes = new byte[KEYS_PER_BATCH * 16];
    private int size;

    void add(long hash, long more, byte[] source, int from, int to) {
      int start = size == 0 ? 0 : ends[size - 1];
      int end = start + to - from;
      if (end > bytes.length) {
        bytes = Arrays.copyOf(bytes, Math.max(end, bytes.length * 2));
      }
      System.arraycopy(source, from, bytes, start, to - from);
      hashes[size] = hash;
      rows[size] = more;
      ends[size] = end;
      size++;
    }
  }

  private final ExecutorService counter =
      Executors.newSingleThreadExecutor(
          task -> {
            Thread thread = new Thread(task, "shardwright-simulate-counts");
            thread.setDaemon(true);
            return thread;
          });
  private Batch filling = new Batch();
  private Batch counting = new Batch();
  private Future<?> running;

  // Of the counting thread; read after it has ended.
  private final KeyCounts counts = new KeyCounts();
  private final int[] order = new int[KEYS_PER_BATCH];
  private long rows;
  private String key = "";

  void add(long hash, long more, byte[] bytes, int from, int to) {
    filling.add(hash, more, bytes, from, to);
    if (filling.size == KEYS_PER_BATCH) {
      handOver();
    }
  }

  /** Before the results are asked for. */
  void finish() {
    handOver();
    await();
  }

  private void handOver() {
    await();
    Batch full = filling;
    filling = counting;
    counting = full;
    filling.size = 0;
    running = counter.submit(() -> count(full));
  }

  private void await() {
    if (running == null) {
      return;
    }
    try {
      running.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while keys were counted", e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof OutOfMemoryError error) {
        throw error;
      }
      throw new IllegalStateException("keys could not be counted", e.getCause());
    }
  }

  private void count(Batch batch) {
    KeyCounts.order(batch.hashes, batch.size, order);
    for (int n = 0; n < batch.size; n++) {
      int i = order[n];
      long ofKey = counts.add(batch.hashes[i], batch.rows[i]);
      if (ofKey > rows) {
        rows = ofKey;
        key = KeyFile.text(batch.bytes, i == 0 ? 0 : batch.ends[i - 1], batch.ends[i]);
      }
    }
  }

  int keys() {
    return counts.size();
  }

  boolean isExact() {
    return !counts.isFull();
  }

  long rows() {
    return rows;
  }

  String key() {
    return key;
  }

  @Override
  public void close() {
    counter.shutdownNow();
  }
}
