package io.shardwright.migration;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.catalog.Move;
import io.shardwright.catalog.Move.Options;
import io.shardwright.catalog.Move.Wish;
import io.shardwright.catalog.MoveState;
import io.shardwright.config.Configuration;
import io.shardwright.driver.Shardwright;
import io.shardwright.driver.ShardwrightDataSource;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.BucketSet;
import io.shardwright.routing.ShardId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Buckets move forth and back, are cancelled and rolled back, while applications write and read
 * through the driver, and all that may break breaks: workers die at a step or are killed at any
 * time, connections are cut, at a cutover, too, a shard is stopped or killed and comes back, the
 * catalog cannot be reached. Every write that was acknowledged is there, every read sees each row
 * once. Without broken connections nobody gets an error but 40001; with them, that they broke.
 *
 * <p>{@code -Dshardwright.torture=N} makes N moves of each kind, {@code -Dshardwright.seed=S}
 * chooses them. The trace of a failure tells what was done; which statements meet it is for the
 * machine to choose.
 */
// Long because: moves and faults of one run stand beside each other.
abstract class MoveTortureContract extends MoveFixture {
  private static final int MOVES = Integer.getInteger("shardwright.torture", 3);
  private static final long SEED = Long.getLong("shardwright.seed", 20_261_130L);

  /** Longer than a driver's lease: in a long run the catalog is away as long as that, too. */
  private static final long LAPSE_NANOS = 14_000_000_000L;

  private static final Set<ErrorCode> OF_BROKEN_CONNECTIONS =
      Set.of(
          ErrorCode.SHARD_UNAVAILABLE, ErrorCode.CATALOG_UNAVAILABLE, ErrorCode.CATALOG_CONFLICT);

  @TempDir Path directory;

  private final Queue<String> trace = new ConcurrentLinkedQueue<>();
  private MoveServer.Own own;
  private TortureWays ofApplications;
  private TortureWays ofWorkers;
  private TortureLoad load;

  private static final class Death extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /** What happens at a step of a worker, or at any time. */
  private enum Fault {
    DEATH,
    CUT_SOURCE,
    CUT_TARGET,
    CUT_CATALOG,
    CUT_APPLICATIONS,
    CUT_ALL,
    RESTART,
    CRASH,
    LOSE_CATALOG
  }

  @Override
  String newDatabase(String name) {
    if (!name.equals(S0.name())) {
      return super.newDatabase(name);
    }
    own = server().startOwn();
    return own.createDatabase().apply("moves");
  }

  @AfterEach
  void closeServer() {
    own.close().run();
  }

  /** Writers must not be faster than the copy. */
  @Override
  int chunkRows() {
    return 500;
  }

  @Test
  void moves_underLoad_loseAndDoubleNothing() throws Exception {
    torture(
        TortureLoad.Errors.CONFLICTS,
        (move, random) -> {
          int deaths = random.nextInt(3);
          List<Fault> faults = new ArrayList<>();
          for (int i = 0; i < deaths; i++) {
            faults.add(Fault.DEATH);
          }
          runHere(move, random, faults);
        });
  }

  @Test
  void moves_whileAllBreaks_loseAndDoubleNothing() throws Exception {
    torture(
        TortureLoad.Errors.CONNECTIONS,
        (move, random) -> {
          int count = 1 + random.nextInt(3);
          List<Fault> faults = new ArrayList<>();
          for (int i = 0; i < count; i++) {
            faults.add(Fault.values()[random.nextInt(Fault.values().length)]);
          }
          if (random.nextBoolean()) {
            runHere(move, random, faults);
          } else {
            runInProcesses(move, random, faults);
          }
        });
  }

  private interface Runner {
    /** Until the move has ended or waits for the operator. */
    void run(Move move, Random random) throws Exception;
  }

  private void torture(TortureLoad.Errors allowed, Runner runner) throws Exception {
    load = new TortureLoad(SEED, allowed);
    boolean done = false;
    try (TortureWays one = new TortureWays(configuration, yaml);
        TortureWays other = new TortureWays(configuration, yaml)) {
      ofApplications = one;
      ofWorkers = other;
      try (ShardwrightDataSource first = Shardwright.open(one.configuration());
          ShardwrightDataSource second = Shardwright.open(one.configuration())) {
        load.start(first, second);
        try {
          for (int i = 0; i < MOVES && !load.isOver(); i++) {
            moveSome(new Random(SEED * 31 + i), runner);
          }
        } finally {
          load.stop();
        }
      }
      List<String> orders = new ArrayList<>();
      List<String> items = new ArrayList<>();
      for (ShardId shard : SHARDS) {
        orders.addAll(rows(shard, "SELECT order_id, amount, note FROM orders"));
        items.addAll(rows(shard, "SELECT order_id, amount FROM items"));
      }
      load.assertStored(orders, items);
      assertClean();
      done = true;
    } finally {
      System.out.println("torture: seed " + SEED + ", " + load);
      if (!done) {
        trace.forEach(System.out::println);
      }
    }
  }

  private void moveSome(Random random, Runner runner) throws Exception {
    List<ShardId> shards = new ArrayList<>(SHARDS);
    Collections.shuffle(shards, random);
    List<BucketId> some = new ArrayList<>();
    for (BucketId bucket : map().bucketsOf(shards.get(0))) {
      if (random.nextInt(3) == 0) {
        some.add(bucket);
      }
    }
    if (some.isEmpty()) {
      return;
    }
    Options options =
        new Options(random.nextBoolean() ? 200 : 0, /* rollback= */ true, Optional.empty());
    Move move = moves.create("orders", BucketSet.of(some), shards.get(1), options).get(0);
    int end = random.nextInt(4);
    trace.add(move + (end == 0 ? ", to be cancelled" : end == 1 ? ", to be rolled back" : ""));
    if (end == 0) {
      moves.wish(move.id(), Wish.CANCEL);
    }
    runner.run(move, random);
    if (find(move).state() == MoveState.SWITCHED) {
      moves.wish(move.id(), end == 1 ? Wish.ROLL_BACK : Wish.CLEAN_UP);
      runner.run(move, random);
    }
    trace.add("  is " + find(move).state());
    assertThat(load.isOver() || find(move).state().hasEnded()).as("%s", move).isTrue();
  }

  private Move find(Move move) {
    return moves.find(move.id());
  }

  private boolean rests(Move move) {
    Move now = find(move);
    return now.state().hasEnded()
        || (now.state() == MoveState.SWITCHED && now.wish() == Wish.RUN && now.worker().isEmpty());
  }

  // In this process: faults meet a step

  private void runHere(Move move, Random random, List<Fault> faults) {
    Configuration through = ofWorkers.configuration();
    for (Fault fault : faults) {
      int at = 1 + random.nextInt(40);
      int[] steps = new int[1];
      runOnce(
          through,
          move,
          step -> {
            if (++steps[0] == at) {
              trace.add("  " + fault + " at step " + at + ", " + step);
              happen(fault, move);
            }
          });
    }
    load.await(
        move + " to rest",
        () -> {
          if (!rests(move)) {
            runOnce(through, move, Steps.NONE);
          }
          return rests(move);
        });
    load.awaitProgress();
  }

  private void runOnce(Configuration through, Move move, Steps steps) {
    try (MoveWorker worker = new MoveWorker(through, "worker", steps, chunkRows())) {
      worker.run(move.id());
    } catch (Death e) {
      // Another worker goes on.
    } catch (ShardwrightException e) {
      trace.add("  " + e.getMessage());
      assertThat(e.code()).as("%s", e).isIn(OF_BROKEN_CONNECTIONS);
    }
  }

  private void happen(Fault fault, Move move) {
    switch (fault) {
      case DEATH -> throw new Death();
      case CUT_SOURCE -> ofWorkers.cut(List.of(move.source()));
      case CUT_TARGET -> ofWorkers.cut(List.of(move.target()));
      case CUT_CATALOG -> ofWorkers.cutCatalog();
      case CUT_APPLICATIONS -> ofApplications.cut(SHARDS);
      case CUT_ALL -> {
        ofWorkers.cut(SHARDS);
        ofWorkers.cutCatalog();
        ofApplications.cut(SHARDS);
        ofApplications.cutCatalog();
      }
      case RESTART -> {
        own.stop().run();
        own.start().run();
      }
      case CRASH -> {
        own.crash().run();
        own.start().run();
      }
      case LOSE_CATALOG -> loseCatalog();
    }
  }

  /** Moves stop, everything else goes on: all but buckets that are closed just then. */
  private void loseCatalog() {
    long until = System.nanoTime() + (MOVES > 10 ? LAPSE_NANOS : 0);
    ofApplications.loseCatalog();
    ofWorkers.loseCatalog();
    try {
      int before = load.turns();
      load.await(
          "statements without a catalog", () -> load.turns() > before + 20 || isSomeClosed());
      load.await("the lapse of leases", () -> System.nanoTime() >= until);
    } finally {
      ofApplications.findCatalog();
      ofWorkers.findCatalog();
    }
  }

  private boolean isSomeClosed() {
    try {
      boolean closed = false;
      for (ShardId shard : SHARDS) {
        closed |=
            !rows(shard, "SELECT bucket FROM shardwright_bucket WHERE state = 'closed'").isEmpty();
      }
      return closed;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  // In processes of their own: faults come at any time

  private void runInProcesses(Move move, Random random, List<Fault> faults) throws IOException {
    Path file = Files.writeString(directory.resolve("workers.yaml"), ofWorkers.yaml());
    List<WorkerProcess> all = new ArrayList<>();
    try {
      all.add(new WorkerProcess("first", file));
      all.add(new WorkerProcess("second", file));
      load.await("a worker", () -> find(move).worker().isPresent() || rests(move));
      for (Fault fault : faults) {
        boolean atCutover = random.nextBoolean();
        load.awaitTurns(random.nextInt(60));
        if (atCutover) {
          load.await("a cutover", () -> isSomeClosed() || rests(move));
        }
        trace.add("  " + fault + (atCutover ? " at the cutover" : ""));
        if (fault == Fault.DEATH) {
          killHolder(move, all);
          all.add(new WorkerProcess("worker " + all.size(), file));
        } else {
          happen(fault, move);
        }
      }
      load.await(move + " to rest", () -> rests(move));
      load.awaitProgress();
      all.forEach(this::assertExpected);
    } finally {
      all.forEach(WorkerProcess::close);
    }
  }

  /** Another one has its move within seconds. */
  private void killHolder(Move move, List<WorkerProcess> workers) {
    Move now = find(move);
    String holder = now.worker().orElse("");
    workers.stream().filter(worker -> worker.name().equals(holder)).forEach(WorkerProcess::close);
    long killed = System.nanoTime();
    load.await("take-over", () -> rests(move) || find(move).epoch() > now.epoch());
    trace.add("  taken over in " + (System.nanoTime() - killed) / 1_000_000 + " ms");
  }

  private void assertExpected(WorkerProcess worker) {
    for (String failure : worker.failures()) {
      trace.add("  " + worker.name() + ": " + failure);
      assertThat(OF_BROKEN_CONNECTIONS).anyMatch(code -> failure.startsWith(code.code()));
    }
  }
}
