package io.shardwright.migration;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.driver.ShardwrightDataSource;
import io.shardwright.driver.ShardwrightSession;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Applications at work. Writers know what they were told: each row of theirs has one of the values
 * that it may have by the answers they got. Readers look at rows whose sums stay: amounts go from
 * item to item, from order to order, and the sum of a buyer's bucket is the same at each moment.
 *
 * <p>Rows: {@code fixed}, orders of 10 with two items of 5, between which a buyer's transfers go;
 * {@code pair}, orders between which transfers go from buyer to buyer; {@code w}, each one writer's
 * own.
 */
// Long because: what is written, what is read and what must be in the end stand beside each other.
final class TortureLoad {
  static final int BUYERS = 40;
  private static final int WRITERS = 3;
  private static final int FIXED = BUYERS * 3;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** Of a row that is not there. */
  private static final int ABSENT = -1;

  private final long seed;
  private final Errors allowed;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<Future<?>> running = new ArrayList<>();
  private final List<AtomicInteger> progress = new ArrayList<>();
  private final List<Writer> writers = new ArrayList<>();
  private final AtomicInteger conflicts = new AtomicInteger();
  private final AtomicInteger broken = new AtomicInteger();
  private final AtomicInteger unknown = new AtomicInteger();
  private final AtomicInteger pairsOfShards = new AtomicInteger();
  private volatile boolean over;

  /** What an application may be told beside its answers. */
  enum Errors {
    /** That it lost to others: 40001. */
    CONFLICTS,
    /** That a connection broke, too. */
    CONNECTIONS
  }

  private enum Outcome {
    DONE,
    NOTHING,
    UNKNOWN
  }

  private interface Work {
    void run(Connection connection) throws SQLException;
  }

  private interface Turn {
    void take(Random random) throws SQLException;
  }

  TortureLoad(long seed, Errors allowed) {
    this.seed = seed;
    this.allowed = allowed;
  }

  /** Writers and readers, half of them through each source. */
  void start(ShardwrightDataSource first, ShardwrightDataSource second) throws SQLException {
    fill(first);
    for (int i = 0; i < WRITERS; i++) {
      Writer writer = new Writer(i % 2 == 0 ? first : second, i);
      writers.add(writer);
      repeat(seed + i, writer::write);
    }
    repeat(seed + 7, random -> read(first, random));
    repeat(seed + 8, random -> read(second, random));
  }

  private void repeat(long randomSeed, Turn turn) {
    AtomicInteger turns = new AtomicInteger();
    progress.add(turns);
    running.add(
        threads.submit(
            () -> {
              Random random = new Random(randomSeed);
              try {
                while (!over) {
                  turn.take(random);
                  turns.incrementAndGet();
                }
                return null;
              } finally {
                // A failure of one ends them all.
                over = true;
              }
            }));
  }

  boolean isOver() {
    return over;
  }

  int turns() {
    return progress.stream().mapToInt(AtomicInteger::get).sum();
  }

  /** Each reader and writer goes on. */
  void awaitProgress() {
    List<Integer> before = progress.stream().map(AtomicInteger::get).toList();
    for (int i = 0; i < before.size(); i++) {
      int which = i;
      await("thread " + i + " to go on", () -> progress.get(which).get() > before.get(which));
    }
  }

  /** All together. */
  void awaitTurns(int more) {
    int before = turns();
    await(more + " turns", () -> turns() >= before + more);
  }

  interface Condition {
    boolean holds();
  }

  void await(String what, Condition condition) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!over && !condition.holds()) {
      assertThat(System.nanoTime()).as("waits for %s", what).isLessThan(deadline);
      LockSupport.parkNanos(1_000_000);
    }
  }

  void stop() throws InterruptedException, ExecutionException, TimeoutException {
    over = true;
    try {
      for (Future<?> one : running) {
        one.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Override
  public String toString() {
    return turns()
        + " turns, "
        + conflicts
        + " conflicts, "
        + broken
        + " broken connections, "
        + unknown
        + " unknown outcomes, "
        + pairsOfShards
        + " transactions over two shards";
  }

  // Statements

  private Outcome attempt(ShardwrightDataSource source, Work work) throws SQLException {
    while (true) {
      try (Connection connection = source.getConnection()) {
        work.run(connection);
        return Outcome.DONE;
      } catch (SQLException e) {
        if ("40001".equals(e.getSQLState())) {
          conflicts.incrementAndGet();
        } else if (allowed == Errors.CONNECTIONS && isUnknown(e)) {
          unknown.incrementAndGet();
          return Outcome.UNKNOWN;
        } else if (allowed == Errors.CONNECTIONS && isBroken(e)) {
          broken.incrementAndGet();
          LockSupport.parkNanos(5_000_000);
        } else {
          throw e;
        }
        if (over) {
          return Outcome.NOTHING;
        }
      }
    }
  }

  /** Of a transaction over several shards, too, some of which may be committed. */
  private static boolean isUnknown(SQLException e) {
    return "08007".equals(e.getSQLState()) || "40003".equals(e.getSQLState());
  }

  private static boolean isBroken(SQLException e) {
    return e.getSQLState() != null && e.getSQLState().startsWith("08");
  }

  private Outcome inTransaction(ShardwrightDataSource source, Work work) throws SQLException {
    return attempt(
        source,
        connection -> {
          connection.setAutoCommit(false);
          boolean done = false;
          try {
            work.run(connection);
            connection.commit();
            done = true;
          } finally {
            if (!done) {
              rollBack(connection);
            }
          }
        });
  }

  private static void rollBack(Connection connection) {
    try {
      connection.rollback();
    } catch (SQLException e) {
      // What failed first is told.
    }
  }

  private static int update(Connection connection, String sql, Object... values)
      throws SQLException {
    try (PreparedStatement update = connection.prepareStatement(sql)) {
      set(update, values);
      return update.executeUpdate();
    }
  }

  private static void change(Connection connection, String sql, Object... values)
      throws SQLException {
    assertThat(update(connection, sql, values)).as(sql).isEqualTo(1);
  }

  private static void set(PreparedStatement statement, Object... values) throws SQLException {
    for (int i = 0; i < values.length; i++) {
      statement.setObject(i + 1, values[i]);
    }
  }

  /** Of each row the columns as whole numbers. */
  private static List<List<Long>> rows(Connection connection, String sql, Object... values)
      throws SQLException {
    List<List<Long>> rows = new ArrayList<>();
    try (PreparedStatement select = connection.prepareStatement(sql)) {
      set(select, values);
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          List<Long> numbers = new ArrayList<>();
          for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
            numbers.add(row.getLong(i));
          }
          rows.add(numbers);
        }
      }
    }
    return rows;
  }

  // Those who read

  private void fill(ShardwrightDataSource source) throws SQLException {
    String order =
        "INSERT INTO orders (buyer_id, order_id, order_no, amount, note) VALUES (?, ?, ?, ?, ?)";
    String items =
        "INSERT INTO items (buyer_id, order_id, line, amount) VALUES (?, ?, 1, 5), (?, ?, 2, 5)";
    try (Connection connection = source.getConnection()) {
      for (int buyer = 0; buyer < BUYERS; buyer++) {
        for (int j = 0; j < 3; j++) {
          long id = buyer * 10L + j;
          update(connection, order, buyer, id, "F" + id, 10, "fixed");
          update(connection, items, buyer, id, buyer, id);
        }
        update(connection, order, buyer, pairOrder(buyer), "P" + buyer, 1000, "pair");
      }
    }
  }

  private static long pairOrder(int buyer) {
    return buyer * 10L + 5;
  }

  private void read(ShardwrightDataSource source, Random random) throws SQLException {
    long buyer = random.nextInt(BUYERS);
    attempt(source, connection -> assertOfBuyer(connection, buyer));
    attempt(source, TortureLoad::assertOfAll);
    attempt(source, TortureLoad::assertPages);
  }

  private static void assertOfBuyer(Connection connection, long buyer) throws SQLException {
    assertThat(
            rows(
                connection,
                "SELECT count(*), sum(amount) FROM orders WHERE buyer_id = ? AND note = 'fixed'",
                buyer))
        .containsExactly(List.of(3L, 30L));
    assertThat(
            rows(
                connection,
                "SELECT o.order_id, o.amount, sum(i.amount) FROM orders o JOIN items i"
                    + " ON i.buyer_id = o.buyer_id AND i.order_id = o.order_id"
                    + " WHERE o.buyer_id = ? AND o.note = 'fixed' GROUP BY o.order_id, o.amount",
                buyer))
        .hasSize(3)
        .allSatisfy(row -> assertThat(row.get(1)).as("%s", row).isEqualTo(row.get(2)));
  }

  private static void assertOfAll(Connection connection) throws SQLException {
    assertThat(
            rows(
                connection,
                "SELECT count(*), count(DISTINCT order_id), sum(amount) FROM orders"
                    + " WHERE note = 'fixed'"))
        .containsExactly(List.of((long) FIXED, (long) FIXED, FIXED * 10L));
    assertThat(
            rows(
                connection,
                "SELECT count(*), sum(i.amount) FROM orders o JOIN items i"
                    + " ON i.buyer_id = o.buyer_id AND i.order_id = o.order_id"
                    + " WHERE o.note = 'fixed'"))
        .containsExactly(List.of(FIXED * 2L, FIXED * 10L));
    assertThat(
            rows(
                connection,
                "SELECT buyer_id, sum(amount) FROM orders WHERE note = 'fixed' GROUP BY buyer_id"
                    + " ORDER BY buyer_id"))
        .hasSize(BUYERS)
        .allSatisfy(row -> assertThat(row.get(1)).as("%s", row).isEqualTo(30));
    assertThat(
            rows(
                connection,
                "SELECT order_id FROM orders WHERE buyer_id IN (1, 2, 3, 5, 8, 13, 21, 34)"
                    + " AND note = 'fixed'"))
        .hasSize(24)
        .doesNotHaveDuplicates();
  }

  private static void assertPages(Connection connection) throws SQLException {
    List<Long> seen = new ArrayList<>();
    List<List<Long>> page = List.of();
    long last = -1;
    do {
      page =
          rows(
              connection,
              "SELECT order_id FROM orders WHERE note = 'fixed' AND order_id > ?"
                  + " ORDER BY order_id LIMIT 25",
              last);
      page.forEach(row -> seen.add(row.get(0)));
      last = seen.get(seen.size() - 1);
    } while (page.size() == 25);
    assertThat(seen).hasSize(FIXED).doesNotHaveDuplicates();
  }

  // Those who write

  private final class Writer {
    private final ShardwrightDataSource source;
    private long next;

    /** Amounts of the orders of its own, as far as it knows them. */
    private final Map<Long, Integer> amounts = new TreeMap<>();

    /** Of those of which it does not know, what may be. */
    private final Map<Long, Set<Integer>> either = new HashMap<>();

    /** Of the pairs: what was added, and what may have been taken or added beside it. */
    private final Map<Long, Integer> added = new HashMap<>();

    private final Map<Long, Integer> perhapsLess = new HashMap<>();
    private final Map<Long, Integer> perhapsMore = new HashMap<>();

    Writer(ShardwrightDataSource source, int number) {
      this.source = source;
      this.next = 1_000_000L * (number + 1);
    }

    void write(Random random) throws SQLException {
      switch (random.nextInt(8)) {
        case 0, 1 -> insert(random.nextInt(BUYERS));
        case 2 -> update(random);
        case 3 -> delete(random);
        case 4 -> transferInOrder(random);
        case 5, 6 -> transferInBucket(random);
        default -> transferOverBuckets(random);
      }
    }

    private void insert(int buyer) throws SQLException {
      long id = next++ * BUYERS + buyer;
      Outcome outcome =
          inTransaction(
              source,
              connection -> {
                change(
                    connection,
                    "INSERT INTO orders (buyer_id, order_id, order_no, amount, note)"
                        + " VALUES (?, ?, ?, 5, 'w')",
                    buyer,
                    id,
                    "W" + id);
                TortureLoad.update(
                    connection,
                    "INSERT INTO items (buyer_id, order_id, line, amount)"
                        + " VALUES (?, ?, 1, 2), (?, ?, 2, 3)",
                    buyer,
                    id,
                    buyer,
                    id);
              });
      now(outcome, id, ABSENT, 5);
    }

    private void now(Outcome outcome, long id, int before, int after) {
      amounts.remove(id);
      if (outcome == Outcome.UNKNOWN) {
        either.put(id, Set.of(before, after));
      } else {
        int value = outcome == Outcome.DONE ? after : before;
        if (value != ABSENT) {
          amounts.put(id, value);
        }
      }
    }

    private long any(Random random) {
      List<Long> ids = List.copyOf(amounts.keySet());
      return ids.isEmpty() ? -1 : ids.get(random.nextInt(ids.size()));
    }

    private void update(Random random) throws SQLException {
      long id = any(random);
      int amount = random.nextInt(1000);
      if (id < 0 || amount == amounts.get(id)) {
        return;
      }
      Outcome outcome =
          attempt(
              source,
              connection ->
                  change(
                      connection,
                      "UPDATE orders SET amount = ? WHERE buyer_id = ? AND order_id = ?",
                      amount,
                      id % BUYERS,
                      id));
      now(outcome, id, amounts.get(id), amount);
    }

    private void delete(Random random) throws SQLException {
      long id = any(random);
      if (id < 0) {
        return;
      }
      Outcome outcome =
          inTransaction(
              source,
              connection -> {
                TortureLoad.update(
                    connection,
                    "DELETE FROM items WHERE buyer_id = ? AND order_id = ?",
                    id % BUYERS,
                    id);
                change(
                    connection,
                    "DELETE FROM orders WHERE buyer_id = ? AND order_id = ?",
                    id % BUYERS,
                    id);
              });
      now(outcome, id, amounts.get(id), ABSENT);
    }

    private void addToItem(Connection connection, long order, int line, int amount)
        throws SQLException {
      change(
          connection,
          "UPDATE items SET amount = amount + ? WHERE buyer_id = ? AND order_id = ? AND line = ?",
          amount,
          order / 10,
          order,
          line);
    }

    private void addToOrder(Connection connection, long order, int amount) throws SQLException {
      change(
          connection,
          "UPDATE orders SET amount = amount + ? WHERE buyer_id = ? AND order_id = ?",
          amount,
          order / 10,
          order);
    }

    private void transferInOrder(Random random) throws SQLException {
      long order = random.nextInt(BUYERS) * 10L + random.nextInt(3);
      inTransaction(
          source,
          connection -> {
            addToItem(connection, order, 1, -1);
            addToItem(connection, order, 2, 1);
          });
    }

    /** The lesser order first, so that no two wait for each other. */
    private void transferInBucket(Random random) throws SQLException {
      long order = random.nextInt(BUYERS) * 10L;
      int amount = random.nextInt(9) - 4;
      inTransaction(
          source,
          connection -> {
            addToOrder(connection, order, amount);
            addToItem(connection, order, 1, amount);
            addToOrder(connection, order + 1, -amount);
            addToItem(connection, order + 1, 1, -amount);
          });
    }

    /** In one transaction of one shard, where both are on it; else of two. */
    private void transferOverBuckets(Random random) throws SQLException {
      int one = random.nextInt(BUYERS - 1);
      long from = pairOrder(one);
      long to = pairOrder(one + 1 + random.nextInt(BUYERS - one - 1));
      Work both =
          connection -> {
            addToOrder(connection, from, -1);
            addToOrder(connection, to, 1);
          };
      Outcome outcome;
      try {
        outcome = inTransaction(source, both);
      } catch (SQLException e) {
        if (e.getErrorCode() != 209) {
          throw e;
        }
        pairsOfShards.incrementAndGet();
        outcome =
            inTransaction(
                source,
                connection -> {
                  connection.unwrap(ShardwrightSession.class).set("transaction", "multi");
                  both.run(connection);
                });
      }
      if (outcome == Outcome.DONE) {
        added.merge(from, -1, Integer::sum);
        added.merge(to, 1, Integer::sum);
      } else if (outcome == Outcome.UNKNOWN) {
        perhapsLess.merge(from, -1, Integer::sum);
        perhapsMore.merge(to, 1, Integer::sum);
      }
    }
  }

  // The end

  /**
   * What was acknowledged is there, and nothing else.
   *
   * @param orders of all shards: {@code order_id|amount|note}
   * @param items {@code order_id|amount}
   */
  void assertStored(List<String> orders, List<String> items) {
    Map<Long, Integer> stored = new TreeMap<>();
    Map<Long, Integer> others = new TreeMap<>();
    for (String row : orders) {
      String[] values = row.split("\\|", -1);
      Map<Long, Integer> of = values[2].equals("w") ? stored : others;
      assertThat(of.put(Long.valueOf(values[0]), (int) Double.parseDouble(values[1])))
          .as("order %s is there twice", values[0])
          .isNull();
    }
    Map<Long, Integer> ofItems = new TreeMap<>();
    for (String row : items) {
      String[] values = row.split("\\|", -1);
      ofItems.merge(Long.valueOf(values[0]), (int) Double.parseDouble(values[1]), Integer::sum);
    }
    Set<Long> withItems = new HashSet<>(stored.keySet());
    assertThat(writers.stream().mapToInt(writer -> writer.amounts.size()).sum()).isPositive();
    for (Writer writer : writers) {
      writer.amounts.forEach(
          (id, amount) -> assertThat(stored.remove(id)).as("order %s", id).isEqualTo(amount));
      writer.either.forEach(
          (id, values) -> {
            Integer value = stored.remove(id);
            assertThat(value == null ? ABSENT : value).as("order %s", id).isIn(values);
          });
    }
    assertThat(stored).as("orders that nobody made").isEmpty();
    assertThat(others).hasSize(FIXED + BUYERS);
    for (int buyer = 0; buyer < BUYERS; buyer++) {
      for (long id = buyer * 10L; id < buyer * 10L + 3; id++) {
        withItems.add(id);
        assertThat(others.get(id)).as("order %s", id).isEqualTo(ofItems.get(id));
      }
      assertPair(pairOrder(buyer), others.get(pairOrder(buyer)));
    }
    assertThat(ofItems.keySet()).isEqualTo(withItems);
  }

  private void assertPair(long id, int amount) {
    int least = 1000;
    int most = 1000;
    for (Writer writer : writers) {
      int sure = writer.added.getOrDefault(id, 0);
      least += sure;
      most += sure;
    }
    for (Writer writer : writers) {
      least += writer.perhapsLess.getOrDefault(id, 0);
      most += writer.perhapsMore.getOrDefault(id, 0);
    }
    assertThat(amount).as("order %s", id).isBetween(least, most);
  }
}
