package io.shardwright.migration;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.catalog.Move;
import io.shardwright.catalog.Move.Wish;
import io.shardwright.catalog.MoveState;
import io.shardwright.driver.Shardwright;
import io.shardwright.driver.ShardwrightDataSource;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.BucketSet;
import io.shardwright.routing.ShardId;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Buckets move forth and back, workers die at random steps, moves are cancelled and rolled back,
 * while applications write and read through the driver. Every write that was acknowledged is there,
 * every read sees each row once, and nobody gets an error but 40001.
 *
 * <p>{@code -Dshardwright.torture=N} makes N moves, {@code -Dshardwright.seed=S} chooses them.
 */
// Long because: mover, readers and writers of one workload stand beside each other.
abstract class MoveTortureContract extends MoveFixture {
  private static final int MOVES = Integer.getInteger("shardwright.torture", 6);
  private static final int BUYERS = 40;
  private static final int WRITERS = 3;
  private static final long SEED = Long.getLong("shardwright.seed", 20_261_130L);

  @TempDir Path directory;

  private final AtomicInteger conflicts = new AtomicInteger();
  private final AtomicInteger writes = new AtomicInteger();
  private final AtomicInteger reads = new AtomicInteger();
  private volatile boolean over;

  /** What a writer knows of its buyers' orders: amount by id. */
  private static final class Orders {
    final Map<Long, Integer> amounts = new TreeMap<>();
  }

  private static final class Death extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private interface Work<T> {
    T run(Connection connection) throws SQLException;
  }

  @Test
  void moves_underLoad_loseAndDoubleNothing() throws Exception {
    Path file = directory.resolve("shardwright.yaml");
    Files.writeString(file, yaml);
    List<Orders> known = new ArrayList<>();
    for (int writer = 0; writer < WRITERS; writer++) {
      known.add(new Orders());
    }
    ExecutorService threads = Executors.newCachedThreadPool();
    try (ShardwrightDataSource first = Shardwright.open(file);
        ShardwrightDataSource second = Shardwright.open(file)) {
      long fixed = fillFixed(first);
      List<Future<?>> running = new ArrayList<>();
      for (int writer = 0; writer < WRITERS; writer++) {
        int which = writer;
        ShardwrightDataSource through = writer % 2 == 0 ? first : second;
        running.add(threads.submit(stopping(() -> write(through, which, known.get(which)))));
      }
      running.add(threads.submit(stopping(() -> read(second, fixed))));
      running.add(threads.submit(stopping(() -> read(first, fixed))));
      try {
        moveAround();
      } finally {
        over = true;
        for (Future<?> one : running) {
          one.get(60, TimeUnit.SECONDS);
        }
      }
      assertThat(known.stream().mapToInt(o -> o.amounts.size()).sum()).isPositive();
      assertStored(second, known);
    } finally {
      over = true;
      threads.shutdown();
      assertThat(threads.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
    }
    assertClean();
    System.out.println(
        "torture: seed "
            + SEED
            + ", "
            + writes
            + " writes, "
            + reads
            + " reads, "
            + conflicts
            + " conflicts");
  }

  /** A failure of one ends them all. */
  private Callable<Void> stopping(Callable<Void> work) {
    return () -> {
      try {
        return work.call();
      } finally {
        over = true;
      }
    };
  }

  /** Writers must not be faster than the copy. */
  @Override
  int chunkRows() {
    return 500;
  }

  // The mover

  private void moveAround() throws SQLException {
    Random random = new Random(SEED);
    for (int i = 0; i < MOVES && !over; i++) {
      List<BucketId> some = new ArrayList<>();
      for (int bucket = 0; bucket < BUCKETS; bucket++) {
        if (random.nextInt(4) == 0) {
          some.add(new BucketId(bucket));
        }
      }
      ShardId target = SHARDS.get(random.nextInt(SHARDS.size()));
      for (Move move : moves.create("orders", BucketSet.of(some), target, Move.Options.DEFAULT)) {
        int end = random.nextInt(4);
        int deaths = random.nextInt(3);
        through(move, random, deaths, end);
      }
    }
  }

  private void through(Move move, Random random, int deaths, int end) {
    if (end == 0) {
      moves.wish(move.id(), Wish.CANCEL);
    }
    runTo(move, random, deaths);
    if (moves.find(move.id()).state() == MoveState.SWITCHED) {
      moves.wish(move.id(), end == 1 ? Wish.ROLL_BACK : Wish.CLEAN_UP);
      runTo(move, random, random.nextInt(2));
    }
    assertThat(moves.find(move.id()).state().hasEnded()).as("%s", move).isTrue();
  }

  private void runTo(Move move, Random random, int deaths) {
    for (int death = 0; death < deaths; death++) {
      int at = 1 + random.nextInt(40);
      int[] steps = new int[1];
      try {
        run(
            move,
            step -> {
              if (++steps[0] == at) {
                throw new Death();
              }
            });
        return;
      } catch (Death e) {
        // Another worker goes on.
      }
    }
    if (!moves.find(move.id()).state().hasEnded()) {
      run(move);
    }
  }

  // Those who read

  private long fillFixed(ShardwrightDataSource source) throws SQLException {
    try (Connection connection = source.getConnection();
        PreparedStatement insert =
            connection.prepareStatement(
                "INSERT INTO orders (buyer_id, order_id, order_no, amount, note) VALUES"
                    + " (?, ?, ?, 10, 'fixed')")) {
      for (int i = 0; i < BUYERS; i++) {
        for (int j = 0; j < 3; j++) {
          insert.setLong(1, i);
          insert.setLong(2, i * 10L + j);
          insert.setString(3, "F" + i + "-" + j);
          insert.executeUpdate();
        }
      }
    }
    return BUYERS * 3L;
  }

  private Void read(ShardwrightDataSource source, long fixed) throws SQLException {
    Random random = new Random(SEED + 7);
    while (!over) {
      try (Connection connection = source.getConnection()) {
        long buyer = random.nextInt(BUYERS);
        assertThat(
                number(
                    connection,
                    "SELECT sum(amount) FROM orders WHERE buyer_id = ? AND note = 'fixed'",
                    buyer))
            .isEqualTo(30);
        assertThat(number(connection, "SELECT sum(amount) FROM orders WHERE note = 'fixed'"))
            .isEqualTo(fixed * 10);
        assertThat(number(connection, "SELECT count(*) FROM orders WHERE note = 'fixed'"))
            .isEqualTo(fixed);
        assertPages(connection, fixed);
        reads.addAndGet(4);
      } catch (SQLException e) {
        if (!isConflict(e)) {
          throw e;
        }
      }
    }
    return null;
  }

  private static void assertPages(Connection connection, long fixed) throws SQLException {
    List<Long> seen = new ArrayList<>();
    long last = -1;
    try (PreparedStatement page =
        connection.prepareStatement(
            "SELECT order_id FROM orders WHERE note = 'fixed' AND order_id > ?"
                + " ORDER BY order_id LIMIT 25")) {
      boolean more = true;
      while (more) {
        page.setLong(1, last);
        int rows = 0;
        try (ResultSet row = page.executeQuery()) {
          while (row.next()) {
            last = row.getLong(1);
            seen.add(last);
            rows++;
          }
        }
        more = rows == 25;
      }
    }
    assertThat(seen).hasSize((int) fixed).doesNotHaveDuplicates();
  }

  private static long number(Connection connection, String sql, Object... values)
      throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(sql)) {
      for (int i = 0; i < values.length; i++) {
        select.setObject(i + 1, values[i]);
      }
      try (ResultSet row = select.executeQuery()) {
        row.next();
        return row.getLong(1);
      }
    }
  }

  // Those who write

  private Void write(ShardwrightDataSource source, int writer, Orders known) throws SQLException {
    Random random = new Random(SEED + writer);
    long next = 1_000_000L * (writer + 1);
    while (!over) {
      long id = next++;
      int buyer = random.nextInt(BUYERS);
      switch (random.nextInt(5)) {
        case 0, 1 -> insert(source, known, buyer, id);
        case 2 -> update(source, known, random);
        case 3 -> delete(source, known, random);
        default -> transfer(source, buyer);
      }
      writes.incrementAndGet();
    }
    return null;
  }

  private static long buyer(long id) {
    return id % BUYERS;
  }

  private void insert(ShardwrightDataSource source, Orders known, int buyer, long sequence)
      throws SQLException {
    long id = sequence * BUYERS + buyer;
    inTransaction(
        source,
        connection -> {
          update(
              connection,
              "INSERT INTO orders (buyer_id, order_id, order_no, amount, note) VALUES (?, ?, ?, 5,"
                  + " 'w')",
              buyer(id),
              id,
              "W" + id);
          return update(
              connection,
              "INSERT INTO items (buyer_id, order_id, line, amount) VALUES (?, ?, 1, 2), (?, ?, 2,"
                  + " 3)",
              buyer(id),
              id,
              buyer(id),
              id);
        });
    known.amounts.put(id, 5);
  }

  private void update(ShardwrightDataSource source, Orders known, Random random)
      throws SQLException {
    long id = any(known, random);
    if (id < 0) {
      return;
    }
    int amount = random.nextInt(1000);
    int changed =
        autocommit(
            source,
            connection ->
                update(
                    connection,
                    "UPDATE orders SET amount = ? WHERE buyer_id = ? AND order_id = ?",
                    amount,
                    buyer(id),
                    id));
    assertThat(changed).isEqualTo(1);
    known.amounts.put(id, amount);
  }

  private void delete(ShardwrightDataSource source, Orders known, Random random)
      throws SQLException {
    long id = any(known, random);
    if (id < 0) {
      return;
    }
    inTransaction(
        source,
        connection -> {
          update(
              connection, "DELETE FROM items WHERE buyer_id = ? AND order_id = ?", buyer(id), id);
          int deleted =
              update(
                  connection,
                  "DELETE FROM orders WHERE buyer_id = ? AND order_id = ?",
                  buyer(id),
                  id);
          assertThat(deleted).isEqualTo(1);
          return deleted;
        });
    known.amounts.remove(id);
  }

  /** Between two of a buyer's fixed orders: their sum stays. */
  private void transfer(ShardwrightDataSource source, int buyer) throws SQLException {
    String sql = "UPDATE orders SET amount = amount + ? WHERE buyer_id = ? AND order_id = ?";
    inTransaction(
        source,
        connection -> {
          update(connection, sql, -1, buyer, buyer * 10L);
          return update(connection, sql, 1, buyer, buyer * 10L + 1);
        });
  }

  private static long any(Orders known, Random random) {
    if (known.amounts.isEmpty()) {
      return -1;
    }
    List<Long> ids = List.copyOf(known.amounts.keySet());
    return ids.get(random.nextInt(ids.size()));
  }

  private static int update(Connection connection, String sql, Object... values)
      throws SQLException {
    try (PreparedStatement update = connection.prepareStatement(sql)) {
      for (int i = 0; i < values.length; i++) {
        update.setObject(i + 1, values[i]);
      }
      return update.executeUpdate();
    }
  }

  private <T> T inTransaction(ShardwrightDataSource source, Work<T> work) throws SQLException {
    return repeated(
        source,
        connection -> {
          connection.setAutoCommit(false);
          try {
            T result = work.run(connection);
            connection.commit();
            return result;
          } catch (SQLException e) {
            connection.rollback();
            throw e;
          }
        });
  }

  private <T> T autocommit(ShardwrightDataSource source, Work<T> work) throws SQLException {
    return repeated(source, work);
  }

  /** As applications repeat what failed to be serialized. */
  private <T> T repeated(ShardwrightDataSource source, Work<T> work) throws SQLException {
    while (true) {
      try (Connection connection = source.getConnection()) {
        return work.run(connection);
      } catch (SQLException e) {
        if (!isConflict(e)) {
          throw e;
        }
        conflicts.incrementAndGet();
      }
    }
  }

  private static boolean isConflict(SQLException e) {
    return "40001".equals(e.getSQLState());
  }

  // The end

  private void assertStored(ShardwrightDataSource source, List<Orders> known)
      throws SQLException, ShardwrightException {
    Map<Long, Integer> expected = new TreeMap<>();
    known.forEach(orders -> expected.putAll(orders.amounts));
    Map<Long, Integer> stored = new TreeMap<>();
    for (ShardId shard : SHARDS) {
      for (String row : rows(shard, "SELECT order_id, amount FROM orders WHERE note = 'w'")) {
        String[] values = row.split("\\|", -1);
        assertThat(stored.put(Long.valueOf(values[0]), (int) Double.parseDouble(values[1])))
            .as("order %s is on two shards", values[0])
            .isNull();
      }
    }
    assertThat(stored).isEqualTo(expected);
    try (Connection connection = source.getConnection()) {
      assertThat(number(connection, "SELECT count(*) FROM items")).isEqualTo(2L * expected.size());
    }
  }
}
