package io.shardwright.bench.compare;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/**
 * Gives one side its turn. Processor time and allocation are those of all Java threads of the
 * process: a scatter's work is on other threads than the caller's.
 */
final class Runner {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final Setup setup;
  private final AtomicLong newIds;
  private final AtomicLong seeds = new AtomicLong();

  /**
   * What the threads of a turn do.
   *
   * @param nanos after which no further operation begins; there is one at least
   * @param seed of the first thread's chance; 0: another one each time
   */
  record Plan(long nanos, long operationsMax, int threads, int perSecond, long seed) {}

  /** What one thread did. */
  private static final class Share {
    private final Histogram latencies = Slot.histogram();
    private final long thread = Thread.currentThread().getId();
    private long operations;
    private long rows;
    private long ownNanos;
    private long cpuNanos;
    private long bytes;
  }

  Runner(Setup setup) {
    this.setup = setup;
    this.newIds = new AtomicLong(setup.newIds());
  }

  Slot run(Workload.Operation operation, Opponent opponent, Plan plan)
      throws SQLException, InterruptedException {
    boolean ownThreads = plan.threads() > 1 || plan.perSecond() > 0;
    Map<Long, long[]> before = usage();
    long start = System.nanoTime();
    List<Share> shares =
        ownThreads
            ? shares(operation, opponent, plan)
            : List.of(share(operation, opponent, plan, start, 0));
    long wall = System.nanoTime() - start;
    long[] others = usageSince(before, ownThreads ? shares : List.of());
    Histogram latencies = Slot.histogram();
    Share sum = new Share();
    for (Share share : shares) {
      latencies.add(share.latencies);
      sum.operations += share.operations;
      sum.rows += share.rows;
      sum.ownNanos += share.ownNanos;
      sum.cpuNanos += share.cpuNanos;
      sum.bytes += share.bytes;
    }
    return new Slot(
        sum.operations,
        sum.rows,
        wall,
        sum.ownNanos,
        sum.cpuNanos + others[0],
        sum.bytes + others[1],
        0,
        0,
        0,
        latencies);
  }

  private List<Share> shares(Workload.Operation operation, Opponent opponent, Plan plan)
      throws SQLException, InterruptedException {
    ExecutorService pool = Executors.newFixedThreadPool(plan.threads());
    try {
      CountDownLatch ready = new CountDownLatch(plan.threads());
      List<Future<Share>> futures = new ArrayList<>();
      for (int thread = 0; thread < plan.threads(); thread++) {
        int number = thread;
        futures.add(
            pool.submit(
                () -> {
                  ready.countDown();
                  ready.await();
                  return share(operation, opponent, plan, System.nanoTime(), number);
                }));
      }
      List<Share> shares = new ArrayList<>();
      for (Future<Share> future : futures) {
        shares.add(future.get());
      }
      return shares;
    } catch (ExecutionException e) {
      throw new SQLException("a thread failed: " + e.getCause(), e);
    } finally {
      pool.shutdownNow();
    }
  }

  private Share share(
      Workload.Operation operation, Opponent opponent, Plan plan, long start, int thread)
      throws SQLException {
    boolean ownThread = plan.threads() > 1 || plan.perSecond() > 0;
    Share share = new Share();
    Turn turn = new Turn(setup, seed(plan, thread), newIds);
    long cpu = THREADS.getCurrentThreadCpuTime();
    long bytes = THREADS.getCurrentThreadAllocatedBytes();
    long every =
        plan.perSecond() == 0 ? 0 : TimeUnit.SECONDS.toNanos(plan.threads()) / plan.perSecond();
    long due = start + every * thread / plan.threads();
    do {
      long nanos;
      if (every > 0) {
        while (due - System.nanoTime() > 0) {
          LockSupport.parkNanos(due - System.nanoTime());
        }
        opponent.run(operation, turn);
        // A call that began late, because the one before was slow, is as late as its caller saw it.
        nanos = System.nanoTime() - due;
        due += every;
      } else {
        nanos = opponent.run(operation, turn);
      }
      share.latencies.recordValue(Math.min(nanos, Slot.NANOS_MAX));
      share.ownNanos += nanos;
      share.operations++;
    } while (share.operations < plan.operationsMax() && System.nanoTime() - start < plan.nanos());
    if (ownThread) {
      share.cpuNanos = THREADS.getCurrentThreadCpuTime() - cpu;
      share.bytes = THREADS.getCurrentThreadAllocatedBytes() - bytes;
    }
    share.rows = turn.rows();
    return share;
  }

  private long seed(Plan plan, int thread) {
    return plan.seed() == 0 ? seeds.incrementAndGet() : plan.seed() + thread;
  }

  /** Processor nanoseconds and bytes by thread. */
  private static Map<Long, long[]> usage() {
    long[] ids = THREADS.getAllThreadIds();
    long[] bytes = THREADS.getThreadAllocatedBytes(ids);
    long[] nanos = THREADS.getThreadCpuTime(ids);
    Map<Long, long[]> usage = new HashMap<>();
    for (int i = 0; i < ids.length; i++) {
      usage.put(ids[i], new long[] {nanos[i], bytes[i]});
    }
    return usage;
  }

  /**
   * @param counted threads that have counted for themselves
   */
  private static long[] usageSince(Map<Long, long[]> before, List<Share> counted) {
    long[] sum = new long[2];
    Map<Long, long[]> after = usage();
    counted.forEach(share -> after.remove(share.thread));
    after.forEach(
        (thread, now) -> {
          long[] then = before.getOrDefault(thread, new long[2]);
          sum[0] += Math.max(0, now[0] - then[0]);
          sum[1] += Math.max(0, now[1] - then[1]);
        });
    return sum;
  }
}
