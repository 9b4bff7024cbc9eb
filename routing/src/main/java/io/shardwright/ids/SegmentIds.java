package io.shardwright.ids;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Small dense numbers from blocks that a source hands out, each block once.
 *
 * <p>Two buffers: when half of a block is used, the next one is fetched in the background, so that
 * nobody waits for the source unless it is slower than half a block lasts. A process that ends
 * loses the rest of its blocks and no more. Numbers ascend within a process, and not over
 * processes.
 *
 * <p>Thread-safe. A number costs one compare-and-set and no allocation.
 */
public final class SegmentIds {
  private final BlockSource source;
  private final Executor background;
  private final Duration waitMax;

  private volatile Cursor cursor = new Cursor(new Block(1, 0));

  /** Fetched or being fetched, to follow the cursor; null when not asked for; guarded by this. */
  private CompletableFuture<Block> following;

  /** Where blocks come from: for each call one that was never handed out before. */
  @FunctionalInterface
  public interface BlockSource {
    /**
     * May block.
     *
     * @throws ShardwrightException when there is none
     */
    Block take();
  }

  /** Numbers from first to last, both included; none when last is first - 1. */
  public record Block(long first, long last) {
    public Block {
      if (first < 0 || last < first - 1 || last == Long.MAX_VALUE) {
        throw new IllegalArgumentException("no block: " + first + " to " + last);
      }
    }

    public long size() {
      return last - first + 1;
    }
  }

  private static final class Cursor {
    final AtomicLong next;
    final long last;
    final long half;
    final AtomicBoolean asked = new AtomicBoolean();

    Cursor(Block block) {
      next = new AtomicLong(block.first());
      last = block.last();
      half = block.first() + block.size() / 2;
    }

    /** The first of up to {@code count} numbers; beyond {@code last} when none is left. */
    long take(int count) {
      while (true) {
        long first = next.get();
        if (first > last || next.compareAndSet(first, first + Math.min(count, last - first + 1))) {
          return first;
        }
      }
    }
  }

  /**
   * @param background runs fetches; one at a time
   * @param waitMax how long a caller waits for a block
   */
  public SegmentIds(BlockSource source, Executor background, Duration waitMax) {
    this.source = source;
    this.background = background;
    this.waitMax = waitMax;
  }

  /**
   * @throws ShardwrightException SW306 when no block came in time, or what the source threw
   */
  public long next() {
    while (true) {
      Cursor from = cursor;
      long id = from.take(1);
      if (id <= from.last) {
        fetchEarly(from, id);
        return id;
      }
      advance(from);
    }
  }

  /**
   * A range of up to {@code count} numbers that are nobody else's; at the end of a block it is
   * shorter: ask again for the rest.
   *
   * @param count at least 1
   * @throws ShardwrightException as {@link #next}
   */
  public Block next(int count) {
    if (count < 1) {
      throw new IllegalArgumentException("count " + count + " is below 1");
    }
    while (true) {
      Cursor from = cursor;
      long first = from.take(count);
      if (first <= from.last) {
        long last = first + Math.min(count, from.last - first + 1) - 1;
        fetchEarly(from, last);
        return new Block(first, last);
      }
      advance(from);
    }
  }

  private void fetchEarly(Cursor from, long id) {
    if (id >= from.half && !from.asked.get() && from.asked.compareAndSet(false, true)) {
      fetch(from);
    }
  }

  private synchronized void fetch(Cursor from) {
    if (cursor == from && following == null) {
      following = CompletableFuture.supplyAsync(source::take, background);
    }
  }

  /** Null when another thread has gone on already. */
  private synchronized CompletableFuture<Block> following(Cursor from) {
    fetch(from);
    return cursor == from ? following : null;
  }

  /** A fetch that failed early is repeated here, when its block is needed. */
  private void advance(Cursor from) {
    CompletableFuture<Block> fetch = following(from);
    if (fetch != null && fetch.isCompletedExceptionally()) {
      forget(fetch);
      fetch = following(from);
    }
    if (fetch != null) {
      goOn(from, fetch, await(fetch));
    }
  }

  private Block await(CompletableFuture<Block> fetch) {
    try {
      return fetch.get(waitMax.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw new ShardwrightException(
          ErrorCode.ID_CAPACITY_EXHAUSTED,
          "the next block of numbers did not come within "
              + waitMax.toMillis()
              + " ms; take larger blocks or look at the catalog",
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ShardwrightException(
          ErrorCode.ID_CAPACITY_EXHAUSTED, "interrupted while waiting for a block of numbers", e);
    } catch (ExecutionException e) {
      forget(fetch);
      throw e.getCause() instanceof ShardwrightException known
          ? new ShardwrightException(known.code(), known.detail(), known)
          : new CompletionException(e.getCause());
    }
  }

  private synchronized void goOn(Cursor from, CompletableFuture<Block> fetch, Block block) {
    if (cursor == from && following == fetch) {
      following = null;
      cursor = new Cursor(block);
    }
  }

  private synchronized void forget(CompletableFuture<Block> fetch) {
    if (following == fetch) {
      following = null;
    }
  }
}
