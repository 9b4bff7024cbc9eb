package io.shardwright.examples.orders;

import io.shardwright.examples.orders.OrderQueries.Cursor;
import io.shardwright.examples.orders.OrderQueries.Summary;
import io.shardwright.examples.orders.OrderService.OrderKey;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/**
 * An application that goes on while the shards change: at a steady rate it creates orders, reads
 * one by its id (an order that it was told is stored must be found), a buyer's list, and an hour of
 * all buyers. A request's time counts from when it was due, so one that waits behind another is as
 * slow as its user sees it.
 */
final class OrderTraffic {
  private static final int THREADS = 4;
  private static final long EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final long SEED = 2011;
  private static final int PAGE = 20;
  private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final OrderService service;
  private final OrderQueries queries;
  private final List<Summary> samples;
  private final List<Thread> threads = new ArrayList<>();
  private final AtomicInteger numbers = new AtomicInteger();
  private final List<String> errors = new CopyOnWriteArrayList<>();
  private volatile boolean stopped;

  /** Orders that were acknowledged; guarded by this. */
  private final List<OrderKey> created = new ArrayList<>();

  /** Since the last {@link #take}; guarded by this. */
  private Histogram nanos = new Histogram(LONGEST_NANOS, 3);

  private long writes;

  OrderTraffic(OrderService service, OrderQueries queries) throws SQLException {
    this.service = service;
    this.queries = queries;
    this.samples = AccessPaths.samples(queries);
    for (int i = 0; i < THREADS; i++) {
      Random random = new Random(SEED + i);
      threads.add(new Thread(() -> run(random), "order-traffic-" + i));
    }
    threads.forEach(Thread::start);
  }

  private void run(Random random) {
    long due = System.nanoTime();
    while (!stopped) {
      due += EVERY_NANOS;
      while (due - System.nanoTime() > 0) {
        LockSupport.parkNanos(due - System.nanoTime());
      }
      boolean wrote = false;
      try {
        wrote = request(random);
      } catch (SQLException | RuntimeException e) {
        errors.add(e.toString());
      }
      ended(System.nanoTime() - due, wrote);
    }
  }

  private synchronized void ended(long took, boolean wrote) {
    nanos.recordValue(Math.min(took, LONGEST_NANOS));
    if (wrote) {
      writes++;
    }
    notifyAll();
  }

  /** Whether it wrote. */
  private boolean request(Random random) throws SQLException {
    Summary sample = samples.get(random.nextInt(samples.size()));
    int kind = random.nextInt(10);
    if (kind < 4) {
      int number = numbers.incrementAndGet();
      OrderKey key =
          service.create(AccessPaths.order(sample, "traffic-" + number, number % 5)).key();
      synchronized (this) {
        created.add(key);
      }
      return true;
    }
    if (kind < 7) {
      long id = known(random, sample).orderId();
      if (queries.byId(id).isEmpty()) {
        errors.add("order " + id + " was stored and is not found");
      }
    } else if (kind < 9) {
      Optional<Cursor> first = Optional.empty();
      OrderKey key = sample.key();
      if (queries.ofBuyer(key.tenantId(), key.buyerId(), first, PAGE).isEmpty()) {
        errors.add("a buyer's orders were stored and are not found: " + sample.key().orderId());
      }
    } else {
      Instant from = sample.createdAt().truncatedTo(ChronoUnit.HOURS);
      var unused =
          queries.placedBetween(from, from.plus(1, ChronoUnit.HOURS), Optional.empty(), PAGE);
    }
    return false;
  }

  private synchronized OrderKey known(Random random, Summary sample) {
    return created.isEmpty() || random.nextBoolean()
        ? sample.key()
        : created.get(random.nextInt(created.size()));
  }

  /** Waits until so many requests have ended since the last {@link #take}. */
  synchronized void awaitRequests(long count) throws InterruptedException {
    while (nanos.getTotalCount() < count) {
      wait();
    }
  }

  /** Of the time since the last call, or since the start. */
  synchronized DemoReport.Requests take() {
    DemoReport.Requests taken = seen();
    nanos = new Histogram(LONGEST_NANOS, 3);
    writes = 0;
    return taken;
  }

  /** The same, without beginning anew. */
  synchronized DemoReport.Requests seen() {
    return new DemoReport.Requests(
        nanos.getTotalCount(),
        writes,
        TimeUnit.NANOSECONDS.toMicros(nanos.getValueAtPercentile(50)),
        TimeUnit.NANOSECONDS.toMicros(nanos.getValueAtPercentile(99)),
        TimeUnit.NANOSECONDS.toMicros(nanos.getMaxValue()));
  }

  /** One text each. */
  List<String> errors() {
    return List.copyOf(errors);
  }

  /** Of all orders that were acknowledged. */
  synchronized long created() {
    return created.size();
  }

  /** Lets every request end. */
  void stop() throws InterruptedException {
    stopped = true;
    for (Thread thread : threads) {
      thread.join();
    }
  }
}
