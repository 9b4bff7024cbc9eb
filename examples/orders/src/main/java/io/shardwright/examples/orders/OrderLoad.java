package io.shardwright.examples.orders;

import java.math.BigDecimal;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/**
 * Loads invoices through {@link OrderService}, one transaction per order. A buyer's orders all go
 * through the same worker, so each buyer's come in the order of the files and a refund finds the
 * order that it refers to. Repeating a load adds nothing.
 */
public final class OrderLoad {
  /** More workers than cores: they mostly wait for a shard. */
  private static final int WORKERS = 4;

  /** Orders read ahead per worker. */
  private static final int QUEUE_ORDERS_MAX = 200;

  private static final long PROGRESS_EVERY = 1_000;
  private static final long OFFER_SECONDS = 1;

  private final OrderService service;
  private final AtomicLong created = new AtomicLong();
  private final AtomicLong done = new AtomicLong();

  public OrderLoad(OrderService service) {
    this.service = service;
  }

  /**
   * What the source holds, counted while it was read.
   *
   * @param amount exact, in pounds
   * @param amountCent the sum of the orders' rounded amounts
   * @param created orders that did not exist before
   */
  public record Loaded(
      long invoices, long lines, BigDecimal amount, long amountCent, long refunds, long created) {}

  /**
   * @param invoicesMax how many to load, the first ones
   * @param progress called now and then with the number of orders written
   * @throws SQLException the first error of a worker; the others stop
   */
  public Loaded load(RetailData data, int invoicesMax, LongConsumer progress)
      throws SQLException, InterruptedException {
    List<BlockingQueue<NewOrder>> queues = new ArrayList<>();
    List<Future<Void>> workers = new ArrayList<>();
    ExecutorService threads = Executors.newFixedThreadPool(WORKERS);
    Source source = new Source(queues, workers);
    try {
      for (int i = 0; i < WORKERS; i++) {
        BlockingQueue<NewOrder> queue = new ArrayBlockingQueue<>(QUEUE_ORDERS_MAX);
        queues.add(queue);
        workers.add(threads.submit(() -> write(queue, source, progress)));
      }
      data.forEach(invoicesMax, source::accept);
      source.finished = true;
      for (Future<Void> worker : workers) {
        worker.get();
      }
      return source.loaded(created.get());
    } catch (WorkerEndedException | ExecutionException e) {
      throw failure(workers, e);
    } finally {
      threads.shutdownNow();
      threads.awaitTermination(OFFER_SECONDS, TimeUnit.SECONDS);
    }
  }

  private static SQLException failure(List<Future<Void>> workers, Exception noticed)
      throws InterruptedException {
    for (Future<Void> worker : workers) {
      try {
        if (worker.isDone()) {
          worker.get();
        }
      } catch (ExecutionException e) {
        if (e.getCause() instanceof SQLException cause) {
          return cause;
        }
        return new SQLException("a worker of the load failed: " + e.getCause(), e.getCause());
      }
    }
    return new SQLException("the load failed", noticed);
  }

  private static final class WorkerEndedException extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private Void write(BlockingQueue<NewOrder> queue, Source source, LongConsumer progress)
      throws SQLException, InterruptedException {
    while (true) {
      boolean last = source.finished;
      NewOrder order = queue.poll(last ? 0 : 20, TimeUnit.MILLISECONDS);
      if (order == null) {
        if (last) {
          return null;
        }
        continue;
      }
      if (service.create(order).created()) {
        created.incrementAndGet();
      }
      long count = done.incrementAndGet();
      if (count % PROGRESS_EVERY == 0) {
        progress.accept(count);
      }
    }
  }

  /** The reading side: counts, maps and hands out. Used by the reading thread. */
  private static final class Source {
    private final RetailOrders orders = new RetailOrders();
    private final List<BlockingQueue<NewOrder>> queues;
    private final List<Future<Void>> workers;
    volatile boolean finished;
    private long invoices;
    private long lines;
    private BigDecimal amount = BigDecimal.ZERO;
    private long amountCent;
    private long refunds;

    Source(List<BlockingQueue<NewOrder>> queues, List<Future<Void>> workers) {
      this.queues = queues;
      this.workers = workers;
    }

    void accept(Invoice invoice) {
      invoices++;
      lines += invoice.lines().size();
      amount = amount.add(invoice.amount());
      amountCent += NewOrder.cents(invoice.amount());
      NewOrder order = orders.order(invoice);
      if (order.refund().isPresent()) {
        refunds++;
      }
      int worker = Math.floorMod(Long.hashCode(order.buyer().buyerId() * 31), queues.size());
      try {
        while (!queues.get(worker).offer(order, OFFER_SECONDS, TimeUnit.SECONDS)) {
          if (workers.get(worker).isDone()) {
            throw new WorkerEndedException();
          }
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("the load was interrupted", e);
      }
    }

    Loaded loaded(long created) {
      return new Loaded(invoices, lines, amount, amountCent, refunds, created);
    }
  }
}
