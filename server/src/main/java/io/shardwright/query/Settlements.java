package io.shardwright.query;

import io.shardwright.config.Configuration;
import io.shardwright.driver.ShardwrightDataSource;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.query.PagePlan.Shown;
import io.shardwright.query.SettlementPlan.Content;
import io.shardwright.query.SettlementPlan.Page;
import io.shardwright.query.SettlementStore.Stored;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;

/**
 * Makes and reads settlements. A number is made once, by a job that goes on when the request that
 * began it has run out of time; who asks for the same meanwhile waits for that job. Thread-safe.
 */
final class Settlements implements AutoCloseable {
  /** Each waits most of its time, and then has a connection of each shard. */
  private static final int JOBS_MAX = 8;

  private static final int QUEUE_MAX = 64;

  /** So that one caller leaves room for others. */
  private static final int JOBS_OF_CALLER_MAX = 3;

  /** For a request that was told to ask again. */
  private static final Duration KEPT = Duration.ofMinutes(1);

  private static final Duration CLOSE_MAX = Duration.ofSeconds(5);

  private final SettlementStore store;
  private final SettlementJob.Tools tools;
  private final LongSupplier nanos;
  private final ThreadPoolExecutor threads;

  /** Those that run, and those whose end nobody has been told. Guarded by this. */
  private final Map<String, SettlementJob> jobs = new HashMap<>();

  Settlements(
      ShardwrightDataSource source,
      Configuration configuration,
      GatewayDirectory directory,
      InstantSource clock,
      LongSupplier nanos) {
    this.store = new SettlementStore(directory);
    this.nanos = nanos;
    this.tools =
        new SettlementJob.Tools(source, configuration, store, clock, nanos, new CountDownLatch(1));
    this.threads =
        new ThreadPoolExecutor(
            JOBS_MAX,
            JOBS_MAX,
            1,
            TimeUnit.MINUTES,
            new ArrayBlockingQueue<>(QUEUE_MAX),
            task -> {
              Thread thread = new Thread(task, "shardwright-settlement");
              thread.setDaemon(true);
              return thread;
            });
    threads.allowCoreThreadTimeOut(true);
  }

  /** Before a number is begun: whether it may be. */
  interface Permission {
    void check() throws SQLException;
  }

  /**
   * The number that a request chooses, which is made if need be.
   *
   * @param caller name of who asks
   * @param endNanos when the time of the request is up
   * @throws SettlementWaitsException SW811 when it is not made by then
   * @throws ShardwrightException SW812 when there is no such number, or the level is refused
   */
  long number(
      Content plan, SettlementChoice choice, String caller, long endNanos, Permission permission)
      throws SQLException {
    if (choice.number().isPresent() && !choice.rerun()) {
      return choice.number().getAsLong();
    }
    boolean permitted = false;
    while (true) {
      SettlementJob job;
      synchronized (this) {
        jobs.values().removeIf(Settlements::isOver);
        OptionalLong latest = store.latest(plan.id());
        OptionalLong there = there(choice, latest);
        if (there.isPresent()) {
          return there.getAsLong();
        }
        long next = latest.orElse(0) + 1;
        requireNext(choice, next);
        job = jobs.get(plan.id());
        if (job == null && permitted) {
          job = begin(plan, next, caller);
        }
      }
      if (job != null) {
        return await(job, plan.id(), endNanos);
      }
      // Asks shards, which others need not wait for.
      permission.check();
      permitted = true;
    }
  }

  /** A job that gave up says nothing of now. */
  private static boolean isOver(SettlementJob job) {
    return job.age().compareTo(KEPT) > 0 || job.gaveUp();
  }

  private static OptionalLong there(SettlementChoice choice, OptionalLong latest) {
    if (!choice.rerun()) {
      return latest;
    }
    return choice.number().isPresent() && choice.number().getAsLong() <= latest.orElse(0)
        ? choice.number()
        : OptionalLong.empty();
  }

  private static void requireNext(SettlementChoice choice, long next) {
    if (choice.number().orElse(next) != next) {
      throw new ShardwrightException(
          ErrorCode.SETTLEMENT_REFUSED,
          "number "
              + choice.number().getAsLong()
              + " cannot be made: the next is "
              + next
              + "; write that, or leave settlement.number out");
    }
  }

  private SettlementJob begin(Content plan, long number, String caller) {
    long own =
        jobs.values().stream()
            .filter(other -> !other.made().isDone() && other.caller().equals(caller))
            .count();
    if (own >= JOBS_OF_CALLER_MAX) {
      throw RefusedForNowException.overload(
          "the settlement is not begun: "
              + own
              + " others of "
              + caller
              + " are being made; ask again when one of them is there");
    }
    SettlementJob job = new SettlementJob(plan, number, caller, tools);
    try {
      threads.execute(job);
    } catch (RejectedExecutionException e) {
      throw RefusedForNowException.overload(
          "the settlement is not begun: "
              + JOBS_MAX
              + " others are being made and "
              + QUEUE_MAX
              + " wait; ask again later");
    }
    jobs.put(plan.id(), job);
    return job;
  }

  private long await(SettlementJob job, String id, long endNanos) throws SQLException {
    job.asked();
    boolean told = false;
    try {
      long left = Math.max(1, endNanos - nanos.getAsLong());
      long number = job.made().get(left, TimeUnit.NANOSECONDS);
      told = true;
      return number;
    } catch (TimeoutException e) {
      throw job.waits();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw job.waits();
    } catch (ExecutionException e) {
      told = true;
      if (e.getCause() instanceof SQLException sql) {
        throw sql;
      }
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw new IllegalStateException("a settlement was not made", e.getCause());
    } finally {
      if (told) {
        synchronized (this) {
          jobs.remove(id, job);
        }
      }
    }
  }

  /** Some rows of a number. */
  record Read(List<List<Object>> rows, long end, boolean more, Settlement.View view) {}

  /**
   * @param page which number, and how many of its rows were given before
   * @param differenceFrom of the difference's rows the first to be listed, if it is the first page
   * @throws ShardwrightException SW812 when there is no such number or column, SW813 when a file of
   *     it was changed
   */
  Read read(SettlementPlan plan, Page page, long differenceFrom) {
    Stored stored = store.read(plan.content().id(), page.number());
    Settlement settlement = stored.settlement();
    int[] places = places(settlement, plan.shown());
    long left = Math.max(0, settlement.rows() - page.position());
    int count = (int) Math.min(plan.limit(), left);
    List<List<Object>> rows = new ArrayList<>();
    try {
      List<List<Object>> kept =
          stored.rows().read(plan.descending() ? left - count : page.position(), count);
      for (List<Object> values : kept) {
        rows.add(row(plan.shown(), places, values));
      }
    } catch (IOException e) {
      throw GatewayDirectory.unusable(java.nio.file.Path.of(settlement.id()), e);
    }
    if (plan.descending()) {
      Collections.reverse(rows);
    }
    return new Read(
        rows, page.position() + count, left > count, view(plan, stored, page, differenceFrom));
  }

  private Settlement.View view(SettlementPlan plan, Stored stored, Page page, long from) {
    Settlement settlement = stored.settlement();
    List<Shown> columns = new ArrayList<>(plan.shown());
    plan.identity().stream()
        .filter(column -> settlement.columns().contains(column.name()))
        .forEach(columns::add);
    List<Settlement.Changed> changes = new ArrayList<>();
    if (page.position() == 0 && settlement.difference().isPresent()) {
      int[] places = places(settlement, columns);
      for (Settlement.Changed change : store.changes(stored, from, plan.limit())) {
        changes.add(
            new Settlement.Changed(
                change.change(),
                change.before() == null ? null : row(columns, places, change.before()),
                change.after() == null ? null : row(columns, places, change.after())));
      }
    }
    List<String> sums =
        plan.shown().stream()
            .filter(column -> !column.masked() && settlement.sums().containsKey(column.name()))
            .map(Shown::name)
            .toList();
    return new Settlement.View(
        settlement,
        sums,
        columns.stream().map(Shown::name).toList(),
        from,
        changes,
        plan.seesAll());
  }

  private static int[] places(Settlement settlement, List<Shown> columns) {
    int[] places = new int[columns.size()];
    for (int i = 0; i < places.length; i++) {
      places[i] = settlement.columns().indexOf(columns.get(i).name());
      if (places[i] < 0) {
        throw new ShardwrightException(
            ErrorCode.SETTLEMENT_REFUSED,
            "number "
                + settlement.number()
                + " was made when column "
                + columns.get(i).name()
                + " was not in query.tables."
                + settlement.table()
                + ".select; leave it out, or have the next number made");
      }
    }
    return places;
  }

  private static List<Object> row(List<Shown> columns, int[] places, List<Object> values) {
    List<Object> row = new ArrayList<>(places.length);
    for (int i = 0; i < places.length; i++) {
      row.add(columns.get(i).mask(values.get(places[i])));
    }
    return row;
  }

  /** Jobs end without a number. */
  @Override
  public void close() {
    tools.closed().countDown();
    threads.shutdownNow();
    try {
      threads.awaitTermination(CLOSE_MAX.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
