package io.shardwright.driver;

import io.shardwright.catalog.CatalogHeat;
import io.shardwright.config.Configuration;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/** Records what was counted, by a thread of its own: nobody waits for the catalog. Thread-safe. */
final class HeatRecorder implements AutoCloseable {
  private final HeatCounters counters;
  private final CatalogHeat catalog;
  private final long intervalMillis;
  private final ScheduledExecutorService executor;

  HeatRecorder(HeatCounters counters, Configuration configuration, ThreadFactory threads) {
    this.counters = counters;
    this.catalog = new CatalogHeat(configuration.catalog().orElseThrow());
    this.intervalMillis = configuration.heat().interval().toMillis();
    this.executor = Executors.newSingleThreadScheduledExecutor(threads);
  }

  void start() {
    Future<?> unused =
        executor.scheduleWithFixedDelay(
            this::record, intervalMillis, intervalMillis, TimeUnit.MILLISECONDS);
  }

  void record() {
    counters.record(catalog);
  }

  /** Records the rest; waits as long as the catalog's login takes to give up. */
  @Override
  public void close() {
    executor.shutdownNow();
    record();
  }
}
