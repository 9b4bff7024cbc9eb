package io.shardwright.bench;

import io.shardwright.catalog.CatalogMoves.Stage;
import io.shardwright.catalog.CatalogMoves.StageTimes;
import io.shardwright.catalog.Move;
import io.shardwright.catalog.MoveState;
import io.shardwright.driver.Shardwright;
import io.shardwright.driver.ShardwrightDataSource;
import io.shardwright.migration.Moves;
import io.shardwright.routing.BucketSet;
import io.shardwright.routing.ShardId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/** How fast do rows move, and how long can a bucket not be written? */
final class MoveRates {
  private static final ShardId S0 = new ShardId("s0");
  private static final ShardId S1 = new ShardId("s1");
  private static final int WRITERS = 4;
  private static final int WRITES_A_SECOND = 1_000;
  private static final int SMALL_ROWS = 20_000;

  private final MoveShards shards;

  MoveRates(MoveShards shards) {
    this.shards = shards;
  }

  /** Rows a second. */
  record Rates(double copied, double byHand, double caughtUp) {}

  /**
   * @param writes a second, of all writers
   * @param stages the longest time of each
   */
  record Pauses(List<Duration> pauses, double writes, Map<Stage, Duration> stages) {
    Duration quantile(int percent) {
      return pauses.get(Math.max(0, (pauses.size() * percent + 99) / 100 - 1));
    }
  }

  /**
   * The rows of s0 are copied to s1 as a move does it, and one statement after the other by hand;
   * then all are changed and the move is rolled back.
   */
  Rates rates(int rows) throws SQLException {
    shards.fill("orders", 0, rows);
    shards.fill("bare", 0, rows);
    double byHand = rows / seconds(() -> copyByHand());
    try (Moves moves = new Moves(shards.configuration(), "bench")) {
      Move move = ended(moves, create(moves, S1, true), MoveState.SWITCHED);
      try (Connection connection = shards.connect(1)) {
        MoveShards.execute(connection, "UPDATE orders SET amount = amount + 1");
      }
      moves.rollBack(move.id());
      Move back = ended(moves, move, MoveState.ROLLED_BACK);
      Map<Stage, StageTimes> times = new EnumMap<>(Stage.class);
      moves.stages(back.id()).forEach(stage -> times.put(stage.stage(), stage));
      return new Rates(rate(times, Stage.COPY), byHand, rate(times, Stage.CATCH_UP));
    }
  }

  private static double rate(Map<Stage, StageTimes> times, Stage stage) throws SQLException {
    StageTimes found = times.get(stage);
    if (found == null) {
      throw new SQLException("no time of " + stage + " was recorded");
    }
    return found.rows() * 1e9 / found.total().toNanos();
  }

  /** Buckets go to s1 and back while rows of all of them are written through the driver. */
  Pauses pauses(int moved) throws SQLException, InterruptedException {
    shards.fill("orders", 10_000_000, SMALL_ROWS);
    List<Duration> pauses = new ArrayList<>();
    Map<Stage, Duration> stages = new EnumMap<>(Stage.class);
    AtomicReference<SQLException> failure = new AtomicReference<>();
    AtomicLong writes = new AtomicLong();
    long start = System.nanoTime();
    try (ShardwrightDataSource database = Shardwright.open(shards.configuration());
        Moves moves = new Moves(shards.configuration(), "bench")) {
      List<Thread> writers = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        long first = 20_000_000L + i * 1_000_000L;
        writers.add(new Thread(() -> write(database, first, writes, failure), "bench-writer-" + i));
      }
      writers.forEach(Thread::start);
      try {
        for (int i = 0; i < moved; i++) {
          Move move = create(moves, i % 2 == 0 ? S1 : S0, false);
          move = ended(moves, move, MoveState.SWITCHED);
          pauses.addAll(move.pauses());
          for (StageTimes stage : moves.stages(move.id())) {
            stages.merge(stage.stage(), stage.most(), (a, b) -> a.compareTo(b) > 0 ? a : b);
          }
          moves.cleanUp(move.id());
          Move unused = ended(moves, move, MoveState.DONE);
        }
      } finally {
        failure.compareAndSet(null, new SQLException("done"));
        for (Thread writer : writers) {
          writer.join();
        }
      }
    }
    if (!"done".equals(failure.get().getMessage())) {
      throw failure.get();
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    return new Pauses(pauses.stream().sorted().toList(), writes.get() / seconds, stages);
  }

  private static void write(
      ShardwrightDataSource database,
      long first,
      AtomicLong writes,
      AtomicReference<SQLException> failure) {
    long every = TimeUnit.SECONDS.toNanos(WRITERS) / WRITES_A_SECOND;
    long due = System.nanoTime();
    try (Connection connection = database.getConnection();
        PreparedStatement insert =
            connection.prepareStatement(
                "INSERT INTO orders (buyer_id, order_id, amount, note) VALUES (?, ?, 7, 'note')")) {
      for (long number = first; failure.get() == null; number++) {
        due = Math.max(due + every, System.nanoTime() - every);
        while (due - System.nanoTime() > 0) {
          LockSupport.parkNanos(due - System.nanoTime());
        }
        insert.setLong(1, number);
        insert.setLong(2, number);
        insert.executeUpdate();
        writes.incrementAndGet();
      }
    } catch (SQLException e) {
      failure.compareAndSet(null, e);
    }
  }

  private Move create(Moves moves, ShardId target, boolean rollback) {
    Move.Options options = new Move.Options(0, rollback, Move.Options.DEFAULT.window());
    BucketSet half = BucketSet.parse("0-" + (MoveShards.BUCKETS / 2 - 1));
    return moves.create("orders", half, target, options).get(0);
  }

  private static Move ended(Moves moves, Move move, MoveState state) throws SQLException {
    Move after = moves.run(move.id(), at -> {});
    if (after.state() != state) {
      throw new SQLException(after + " is " + after.state() + ": " + after.note());
    }
    return after;
  }

  private interface Work {
    void run() throws SQLException;
  }

  private static double seconds(Work work) throws SQLException {
    long start = System.nanoTime();
    work.run();
    return (System.nanoTime() - start) / 1e9;
  }

  /** COPY piped from server to server; on MariaDB a streamed SELECT into INSERTs of many rows. */
  private void copyByHand() throws SQLException {
    try (Connection source = shards.connect(0);
        Connection target = shards.connect(1)) {
      switch (shards.product()) {
        case POSTGRESQL -> PipedCopy.run(source, target, "bare");
        case MARIADB -> insertStreamed(source, target);
      }
    }
  }

  private static void insertStreamed(Connection source, Connection target) throws SQLException {
    source.setAutoCommit(false);
    target.setAutoCommit(false);
    try (Statement read = source.createStatement();
        PreparedStatement insert =
            target.prepareStatement("INSERT INTO bare VALUES (?, ?, ?, ?, ?)")) {
      read.setFetchSize(1_000);
      int rows = 0;
      try (ResultSet row = read.executeQuery("SELECT * FROM bare")) {
        while (row.next()) {
          for (int i = 1; i <= 5; i++) {
            insert.setString(i, row.getString(i));
          }
          insert.addBatch();
          if (++rows % 1_000 == 0) {
            insert.executeBatch();
          }
        }
      }
      insert.executeBatch();
    }
    target.commit();
  }
}
