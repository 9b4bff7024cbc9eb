package io.shardwright.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.lookup.Reconciliation.Progress;
import io.shardwright.lookup.Reconciliation.Report;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Several threads of a process write rows of few values at random, and the process dies before one
 * of its messages to the shards, one after the other; meanwhile others look values up. {@code
 * -Dshardwright.chaos=N} deaths, {@code -Dshardwright.seed=N}.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class LookupIndexChaosContract {
  private static final int DEATHS = Integer.getInteger("shardwright.chaos", 12);
  private static final long SEED = Long.getLong("shardwright.seed", 20_260_101);
  private static final String NAME = "samples.by_v";
  private static final String LIST = "samples.by_i8";
  private static final Progress QUIET = (done, all, report) -> {};
  private static final String INSERT = "INSERT INTO samples (k, id, v, i8) VALUES (?, ?, ?, ?)";
  private static final int WRITERS = 3;
  private static final int READERS = 2;
  private static final int VALUES = 12;
  private static final int KEYS = 6;

  /** Rows that nobody touches. */
  private static final int STEADY = 20;

  private final TestingDatabase database;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final AtomicInteger ids = new AtomicInteger(1_000);
  private TestingShards shards;
  private ShardwrightDataSource observer;

  LookupIndexChaosContract(TestingDatabase database) {
    this.database = database;
  }

  @BeforeAll
  void open() throws SQLException {
    shards =
        TestingShards.withIndexes(
            database,
            3,
            "{max: 8, timeout: 250ms}",
            "{by_v: {columns: [v], unique: true}, by_i8: {columns: [i8, id], unique: false}}");
    shards.source().lookupIndexes().create(NAME, 0, QUIET);
    shards.source().lookupIndexes().create(LIST, 0, QUIET);
    observer = shards.openDirect();
    try (Connection connection = observer.getConnection()) {
      for (int i = 0; i < STEADY; i++) {
        TestingShards.update(connection, INSERT, i, i, "steady-" + i, -1L);
      }
    }
  }

  @AfterAll
  void close() throws InterruptedException {
    threads.shutdown();
    assertThat(threads.awaitTermination(2, TimeUnit.MINUTES)).isTrue();
    observer.close();
    shards.close();
  }

  @Test
  void whoeverDiesWhenever_lookUpsAreRight_andNoValueIsHeldTwice() throws Exception {
    AtomicBoolean over = new AtomicBoolean();
    List<Future<Integer>> readers = new ArrayList<>();
    for (int i = 0; i < READERS; i++) {
      Random random = new Random(SEED + 1_000 + i);
      readers.add(threads.submit(() -> read(random, over)));
    }
    Random random = new Random(SEED);
    int done = 0;
    try {
      for (int death = 0; death < DEATHS; death++) {
        done += untilDeath(random);
        check("seed " + SEED + ", death " + (death + 1));
      }
    } finally {
      over.set(true);
    }
    int lookUps = 0;
    for (Future<Integer> reader : readers) {
      lookUps += reader.get();
    }
    assertThat(done).as("writes that were committed").isGreaterThan(DEATHS);
    assertThat(lookUps).as("look-ups").isGreaterThan(DEATHS);
  }

  /** How many writes of the process succeeded. */
  private int untilDeath(Random random) throws InterruptedException, ExecutionException {
    TestingShards.OtherProcess process = shards.new OtherProcess();
    AtomicInteger left = new AtomicInteger(20 + random.nextInt(400));
    AtomicBoolean dead = new AtomicBoolean();
    process.beforeMessage(
        () -> {
          if (left.decrementAndGet() <= 0) {
            dead.set(true);
            process.die();
          }
        });
    List<Future<Integer>> writers = new ArrayList<>();
    for (int i = 0; i < WRITERS; i++) {
      Random own = new Random(random.nextLong());
      writers.add(threads.submit(() -> write(process.source(), own, dead)));
    }
    int done = 0;
    for (Future<Integer> writer : writers) {
      done += writer.get();
    }
    threads.execute(process::bury);
    return done;
  }

  private int write(ShardwrightDataSource source, Random random, AtomicBoolean dead) {
    int done = 0;
    while (!dead.get()) {
      try (Connection connection = source.getConnection()) {
        writeOnce(connection, random);
        done++;
      } catch (SQLException e) {
        // A value that is taken, rivals who wait for each other, or death: what is stored counts.
      }
    }
    return done;
  }

  private void writeOnce(Connection connection, Random random) throws SQLException {
    String value = value(random);
    long key = 100L + random.nextInt(KEYS);
    switch (random.nextInt(7)) {
      case 0, 1 -> insert(connection, key, value, random);
      case 2 ->
          TestingShards.update(
              connection, "UPDATE samples SET v = ? WHERE v = ?", value(random), value);
      case 3 -> TestingShards.update(connection, "DELETE FROM samples WHERE v = ?", value);
      case 4 ->
          TestingShards.update(
              connection,
              "UPDATE samples SET i8 = ?, v = ? WHERE k = ? AND v = ?",
              (long) random.nextInt(3),
              value(random),
              key,
              value);
      case 5 -> {
        connection.setAutoCommit(false);
        insert(connection, key, value, random);
        Savepoint savepoint = connection.setSavepoint();
        insert(connection, key, value(random), random);
        if (random.nextBoolean()) {
          connection.rollback(savepoint);
        }
        TestingShards.update(
            connection,
            "UPDATE samples SET v = ? WHERE k = ? AND v = ?",
            value(random),
            key,
            value);
        connection.commit();
      }
      default -> {
        connection.setAutoCommit(false);
        TestingShards.update(connection, "DELETE FROM samples WHERE k = ? AND v = ?", key, value);
        insert(connection, key, value, random);
        if (random.nextInt(3) == 0) {
          connection.rollback();
        } else {
          connection.commit();
        }
      }
    }
  }

  private void insert(Connection connection, long key, String value, Random random)
      throws SQLException {
    TestingShards.update(
        connection, INSERT, key, ids.incrementAndGet(), value, (long) random.nextInt(3));
  }

  private static String value(Random random) {
    return "v" + random.nextInt(VALUES);
  }

  /** Until it is over; how many look-ups there were. */
  private int read(Random random, AtomicBoolean over) throws SQLException {
    int lookUps = 0;
    try (Connection connection = observer.getConnection()) {
      while (!over.get()) {
        int steady = random.nextInt(STEADY);
        assertThat(byValue(connection, "steady-" + steady)).containsExactly("" + steady);
        assertThat(byValue(connection, value(random))).hasSizeLessThan(2);
        lookUps += 2;
      }
    }
    return lookUps;
  }

  private static List<String> byValue(Connection connection, String value) throws SQLException {
    return TestingShards.rows(connection, "SELECT id FROM samples WHERE v = ?", value);
  }

  private void check(String when) throws SQLException {
    List<String> rows;
    try (Connection connection = observer.getConnection()) {
      rows =
          TestingShards.rows(
              connection, "SELECT /* shardwright: scatter=allow */ v, id, i8 FROM samples");
      Set<String> values = new HashSet<>();
      for (String row : rows) {
        String[] columns = row.split("\\|", -1);
        assertThat(values.add(columns[0])).as("%s: %s twice", when, columns[0]).isTrue();
        assertThat(byValue(connection, columns[0])).as(when).containsExactly(columns[1]);
      }
    }
    for (String index : List.of(NAME, LIST)) {
      Report found = observer.lookupIndexes().verify(index, true, 0, QUIET);
      assertThat(found.missing()).as("%s: rows without entry in %s", when, index).isZero();
      assertThat(found.conflicts() + found.busy()).as(when).isZero();
      Report swept = observer.lookupIndexes().verify(index, false, 0, QUIET);
      assertThat(swept.extra()).as("%s: %s", when, index).isZero();
      assertThat(swept.candidates()).as("%s: %s", when, index).isEqualTo(rows.size());
    }
  }
}
