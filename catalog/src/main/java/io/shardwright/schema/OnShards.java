package io.shardwright.schema;

import io.shardwright.config.Configuration;
import io.shardwright.config.Configuration.Shard;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;

/** The same work on every shard, several at a time. */
final class OnShards {
  /** Shards at work at once: their servers do the work, this process waits. */
  private static final int MAX_PARALLEL = 8;

  private OnShards() {}

  /** Results in the order of the configuration. The first failure ends all. */
  static <T> List<T> each(Configuration configuration, Function<Shard, T> work) {
    int threads = Math.min(MAX_PARALLEL, configuration.shards().size());
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try {
      List<Future<T>> running = new ArrayList<>();
      for (Shard shard : configuration.shards().values()) {
        running.add(executor.submit(() -> work.apply(shard)));
      }
      List<T> results = new ArrayList<>();
      for (Future<T> future : running) {
        results.add(future.get());
      }
      return results;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (CancellationException) new CancellationException("interrupted").initCause(e);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException failure
          ? failure
          : new IllegalStateException(e.getCause());
    } finally {
      executor.shutdownNow();
    }
  }
}
