package io.shardwright.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.catalog.Move;
import io.shardwright.catalog.Move.Options;
import io.shardwright.catalog.Move.Wish;
import io.shardwright.catalog.MoveState;
import io.shardwright.config.ConfigurationReader;
import io.shardwright.driver.Shardwright;
import io.shardwright.driver.ShardwrightDataSource;
import io.shardwright.driver.ShardwrightSession;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.BucketSet;
import io.shardwright.routing.ShardId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Transactions that are open over a step of a move: what they wrote arrives, or they are refused.
 * Shard s0 has a server of its own, on which transactions may be prepared.
 */
// Long because: kinds of writes, and what each leaves, stand beside the moves that they meet.
abstract class OpenTransactionContract extends MoveFixture {
  private static final List<Integer> ISOLATIONS =
      List.of(
          Connection.TRANSACTION_READ_COMMITTED,
          Connection.TRANSACTION_REPEATABLE_READ,
          Connection.TRANSACTION_SERIALIZABLE);

  private static final String INSERT =
      "INSERT INTO orders (buyer_id, order_id, order_no, amount, note) VALUES (?, ?, ?, 1, 'new')";

  private MoveServer.Own own;
  private ShardwrightDataSource source;
  private final List<Connection> opened = new ArrayList<>();

  /** A buyer of each bucket. */
  private final Map<Integer, Long> buyers = new TreeMap<>();

  /** Buckets of s0 that no test has used yet. */
  private final List<Integer> unused = new ArrayList<>();

  private interface Write {
    /** Orders 1 and 2 of the buyer are there with amount 0. */
    void run(Connection connection, long buyer) throws SQLException;
  }

  /** Statements on the end of a string that adds a row of the key again. */
  abstract String upsert();

  /** Ends the transaction of a session at the shard itself, and keeps it prepared. */
  abstract void prepare(Statement session, String name) throws SQLException;

  abstract void begin(Statement session, String name) throws SQLException;

  abstract String commitPrepared(String name);

  @Override
  String newDatabase(String name) {
    if (!name.equals(S0.name())) {
      return super.newDatabase(name);
    }
    own = server().startOwn();
    return own.createDatabase().apply("moves");
  }

  @BeforeEach
  void fill() throws SQLException {
    // One connection for each open transaction.
    String many = yaml.replaceAll("(?m)^(  s\\d: .*)}$", "$1, pool: {max: 40, timeout: 5s}}");
    source = Shardwright.open(ConfigurationReader.parse("many.yaml", many, Map.of()));
    try (Connection connection = source.getConnection();
        PreparedStatement insert =
            connection.prepareStatement(
                "INSERT INTO orders (buyer_id, order_id, order_no, amount, note)"
                    + " VALUES (?, ?, ?, 0, 'old')")) {
      for (long buyer = 0; buyer < 200; buyer++) {
        for (int id = 1; id <= 2; id++) {
          insert.setLong(1, buyer);
          insert.setLong(2, id);
          insert.setString(3, "O" + id);
          insert.addBatch();
        }
      }
      insert.executeBatch();
    }
    for (ShardId shard : SHARDS) {
      for (String row :
          rows(shard, "SELECT bucket_id, min(buyer_id) FROM orders GROUP BY bucket_id")) {
        String[] values = row.split("\\|", -1);
        buyers.put(Integer.valueOf(values[0]), Long.valueOf(values[1]));
      }
    }
    for (BucketId bucket : map().bucketsOf(S0)) {
      if (buyers.containsKey(bucket.value())) {
        unused.add(bucket.value());
      }
    }
  }

  @AfterEach
  void close() throws SQLException {
    for (Connection connection : opened) {
      connection.close();
    }
    source.close();
    own.close().run();
  }

  private Map<String, Write> writes() {
    Map<String, Write> writes = new LinkedHashMap<>();
    writes.put("insert", (c, buyer) -> update(c, INSERT, buyer, 3, "N3"));
    writes.put(
        "several rows",
        (c, buyer) -> update(c, INSERT + ", (?, ?, ?, 1, 'new')", buyer, 4, "N4", buyer, 5, "N5"));
    writes.put(
        "batch",
        (c, buyer) -> {
          try (PreparedStatement batch = c.prepareStatement(INSERT)) {
            for (int id = 6; id <= 7; id++) {
              set(batch, buyer, id, "N" + id);
              batch.addBatch();
            }
            batch.executeBatch();
          }
        });
    writes.put("upsert", (c, buyer) -> update(c, INSERT + upsert(), buyer, 1, "O1"));
    writes.put(
        "update",
        (c, buyer) ->
            update(c, "UPDATE orders SET note = 'new' WHERE buyer_id = ? AND order_id = 1", buyer));
    writes.put(
        "delete",
        (c, buyer) -> update(c, "DELETE FROM orders WHERE buyer_id = ? AND order_id = 2", buyer));
    return writes;
  }

  private static void set(PreparedStatement statement, Object... values) throws SQLException {
    for (int i = 0; i < values.length; i++) {
      statement.setObject(i + 1, values[i]);
    }
  }

  private static int update(Connection connection, String sql, Object... values)
      throws SQLException {
    try (PreparedStatement update = connection.prepareStatement(sql)) {
      set(update, values);
      return update.executeUpdate();
    }
  }

  private Connection transaction(int isolation) throws SQLException {
    Connection connection = source.getConnection();
    opened.add(connection);
    connection.setTransactionIsolation(isolation);
    connection.setAutoCommit(false);
    return connection;
  }

  /** Of buckets of s0, each once. */
  private long nextBuyer() {
    return buyers.get(unused.remove(0));
  }

  private BucketSet usable() {
    return BucketSet.of(unused.stream().map(BucketId::new).toList());
  }

  /** What each write leaves, by note and id, of buyers whose order 1 and 2 were there before. */
  private List<String> left(ShardId shard, long buyer) throws SQLException {
    return rows(shard, "SELECT order_id, note FROM orders WHERE buyer_id = " + buyer);
  }

  private static final Map<String, List<String>> LEFT =
      Map.of(
          "insert", List.of("1|old", "2|old", "3|new"),
          "several rows", List.of("1|old", "2|old", "4|new", "5|new"),
          "batch", List.of("1|old", "2|old", "6|new", "7|new"),
          "upsert", List.of("1|new", "2|old"),
          "update", List.of("1|new", "2|old"),
          "delete", List.of("1|old"));

  private CompletableFuture<MoveState> runAside(Move move, Steps steps) {
    return CompletableFuture.supplyAsync(() -> run(move, steps));
  }

  private void awaitNote(Move move, String... words) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (!List.of(words).stream().allMatch(moves.find(move.id()).note()::contains)) {
      assertThat(System.nanoTime())
          .as("note: %s", moves.find(move.id()).note())
          .isLessThan(deadline);
      LockSupport.parkNanos(1_000_000);
    }
  }

  private static MoveState end(CompletableFuture<MoveState> move) throws Exception {
    return move.get(60, TimeUnit.SECONDS);
  }

  /** Before the notes begin, and before the cutover: each kind of write, each isolation. */
  @Test
  void writerThatIsIdle_isWaitedForAndItsRowsArrive() throws Exception {
    BucketSet all = usable();
    for (String step : List.of("incoming", "copied")) {
      Map<Connection, String> writers = new LinkedHashMap<>();
      Map<Long, String> written = new TreeMap<>();
      unused.clear();
      all.forEach(bucket -> unused.add(bucket.value()));
      ShardId from = owner(unused.get(0));
      Move move = moves.create("orders", all, from.equals(S0) ? S1 : S0, Options.DEFAULT).get(0);
      CompletableFuture<MoveState> running =
          runAside(
              move,
              reached -> {
                if (reached.equals(step) && writers.isEmpty()) {
                  begin(writers, written);
                }
              });
      awaitNote(move, "waits for transactions on shard " + from, " has a transaction of ");
      for (Connection writer : writers.keySet()) {
        writer.commit();
      }
      assertThat(end(running)).isEqualTo(MoveState.SWITCHED);
      for (Map.Entry<Long, String> buyer : written.entrySet()) {
        assertThat(left(move.target(), buyer.getKey()))
            .as("%s after %s", buyer.getValue(), step)
            .isEqualTo(LEFT.get(buyer.getValue()));
      }
      moves.wish(move.id(), Wish.CLEAN_UP);
      run(move);
      restore();
    }
  }

  private void restore() throws SQLException {
    try (Connection connection = source.getConnection()) {
      for (long buyer : buyers.values()) {
        update(connection, "DELETE FROM orders WHERE buyer_id = ?", buyer);
        update(
            connection,
            "INSERT INTO orders (buyer_id, order_id, order_no, amount, note)"
                + " VALUES (?, 1, 'O1', 0, 'old'), (?, 2, 'O2', 0, 'old')",
            buyer,
            buyer);
      }
    }
  }

  private void begin(Map<Connection, String> writers, Map<Long, String> written) {
    try {
      for (int isolation : ISOLATIONS) {
        for (Map.Entry<String, Write> write : writes().entrySet()) {
          if (!unused.isEmpty()) {
            long buyer = nextBuyer();
            Connection writer = transaction(isolation);
            writers.put(writer, write.getKey());
            write.getValue().run(writer, buyer);
            written.put(buyer, write.getKey());
          }
        }
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A snapshot of before writes afterwards: it is refused, or goes where the bucket is. */
  @Test
  void transactionFromBefore_thatWritesAfterwards_isRefusedOrRight() throws Exception {
    BucketSet all = usable();
    record Late(
        Connection connection, PreparedStatement kept, int isolation, String kind, long buyer) {}
    List<Late> late = new ArrayList<>();
    for (int isolation : ISOLATIONS) {
      for (String kind : writes().keySet()) {
        if (!unused.isEmpty()) {
          long buyer = nextBuyer();
          Connection connection = transaction(isolation);
          PreparedStatement kept =
              connection.prepareStatement("SELECT note FROM orders WHERE buyer_id = ?");
          kept.setLong(1, buyer);
          kept.executeQuery().close();
          late.add(new Late(connection, kept, isolation, kind, buyer));
        }
      }
    }
    Move move = move(all, S1);
    assertThat(run(move)).isEqualTo(MoveState.SWITCHED);

    int refused = 0;
    for (Late one : late) {
      boolean done = false;
      try {
        writes().get(one.kind).run(one.connection, one.buyer);
        one.connection.commit();
        done = true;
      } catch (SQLException e) {
        assertThat(e.getSQLState()).as("%s %s: %s", one.isolation, one.kind, e).isEqualTo("40001");
        one.connection.rollback();
        refused++;
      }
      assertThat(left(S1, one.buyer))
          .as("%s of isolation %s", one.kind, one.isolation)
          .isEqualTo(done ? LEFT.get(one.kind) : List.of("1|old", "2|old"));
      assertThat(left(S0, one.buyer)).isEqualTo(List.of("1|old", "2|old"));
      // What was prepared before the move goes on.
      one.kept.executeQuery().close();
      one.connection.rollback();
      writes().get(one.kind).run(one.connection, done ? nextFree(one.buyer) : one.buyer);
      one.connection.rollback();
    }
    assertThat(refused).isGreaterThanOrEqualTo(late.size() / 3);
  }

  private long nextFree(long buyer) throws SQLException {
    try (Connection connection = source.getConnection()) {
      update(connection, "DELETE FROM orders WHERE buyer_id = ? AND note = 'new'", buyer);
    }
    return buyer;
  }

  /** It uses every bucket of the shard, so that no batch can close before it has ended. */
  @Test
  void bulkStatementOverAllBuckets_isWaitedFor_andIsRefusedAfterwards() throws Exception {
    BucketSet all = usable();
    String bulk = "UPDATE orders SET note = 'bulk'";
    try (Connection session = connect(S0);
        Statement statement = session.createStatement()) {
      session.setAutoCommit(false);
      Move move = move(all, S1);
      CompletableFuture<MoveState> running =
          runAside(
              move,
              reached -> {
                if (reached.equals("copied")) {
                  try {
                    assertThat(statement.executeUpdate(bulk)).isPositive();
                  } catch (SQLException e) {
                    throw new IllegalStateException(e);
                  }
                }
              });
      awaitNote(move, "waits for transactions on shard s0");
      all.forEach(bucket -> assertThat(owner(bucket.value())).isEqualTo(S0));
      session.commit();

      assertThat(end(running)).isEqualTo(MoveState.SWITCHED);
      for (BucketId bucket : all) {
        assertThat(left(S1, buyers.get(bucket.value()))).containsExactly("1|bulk", "2|bulk");
      }
      // What is left on the source is nobody's to change.
      assertThatThrownBy(() -> statement.executeUpdate(bulk))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("SW001"));
      session.rollback();
      moves.wish(move.id(), Wish.CLEAN_UP);
      assertThat(run(move)).isEqualTo(MoveState.DONE);
      assertClean();
    }
  }

  /** The others of the batch change their owner meanwhile. */
  @Test
  void writerOfTwoBuckets_isWaitedForAlone() throws Exception {
    BucketSet all = usable();
    int one = unused.get(0);
    int other = unused.get(1);
    Connection writer = transaction(Connection.TRANSACTION_READ_COMMITTED);
    Connection multi = transaction(Connection.TRANSACTION_READ_COMMITTED);
    multi.unwrap(ShardwrightSession.class).set("transaction", "multi");
    int third = unused.get(2);
    int elsewhere = map().bucketsOf(S2).iterator().next().value();
    Move move = move(all, S1);
    CompletableFuture<MoveState> running =
        runAside(
            move,
            reached -> {
              if (reached.equals("copied")) {
                try {
                  update(writer, INSERT, buyers.get(one), 3, "N3");
                  update(writer, INSERT, buyers.get(other), 3, "N3");
                  update(multi, INSERT, buyers.get(third), 3, "N3");
                  update(multi, INSERT, buyers.get(elsewhere), 3, "N3");
                } catch (SQLException e) {
                  throw new IllegalStateException(e);
                }
              }
            });
    awaitNote(move, "waits for transactions on shard s0");
    awaitOwner(unused.get(unused.size() - 1), S1);
    assertThat(List.of(owner(one), owner(other), owner(third))).containsOnly(S0);
    writer.commit();
    awaitOwner(one, S1);
    awaitOwner(other, S1);
    assertThat(owner(third)).isEqualTo(S0);
    multi.commit();

    assertThat(end(running)).isEqualTo(MoveState.SWITCHED);
    for (int bucket : List.of(one, other, third)) {
      assertThat(left(S1, buyers.get(bucket))).isEqualTo(LEFT.get("insert"));
    }
    assertThat(left(S2, buyers.get(elsewhere))).isEqualTo(LEFT.get("insert"));
  }

  private void awaitOwner(int bucket, ShardId owner) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (!owner(bucket).equals(owner)) {
      assertThat(System.nanoTime()).as("owner of %s", bucket).isLessThan(deadline);
      LockSupport.parkNanos(1_000_000);
    }
  }

  /** On MariaDB it holds no lock, so notes and cutover wait for it by what XA RECOVER lists. */
  @Test
  void preparedTransaction_isNamedAndWaitedFor_whileOthersWrite() throws Exception {
    BucketSet all = usable();
    int last = unused.get(unused.size() - 1);
    for (String step : List.of("before", "copied")) {
      int bucket = unused.remove(0);
      int id = unused.size() + 10;
      String name = "shop-" + step;
      if (step.equals("before")) {
        prepare(bucket, name);
      }
      Move move =
          moves.create("orders", all, owner(bucket).equals(S0) ? S1 : S2, Options.DEFAULT).get(0);
      CompletableFuture<MoveState> running =
          runAside(
              move,
              reached -> {
                if (reached.equals(step)) {
                  prepare(bucket, name);
                }
              });
      awaitNote(move, "waits for transactions on shard s0", name);
      try (Connection connection = source.getConnection()) {
        assertThat(update(connection, INSERT, buyers.get(last), id, "N" + id)).isEqualTo(1);
      }
      execute(S0, commitPrepared(name));
      assertThat(end(running)).isEqualTo(MoveState.SWITCHED);
      assertThat(left(move.target(), buyers.get(bucket))).isEqualTo(LEFT.get("insert"));
      moves.wish(move.id(), step.equals("before") ? Wish.ROLL_BACK : Wish.CLEAN_UP);
      run(move);
    }
    assertClean();
  }

  private void prepare(int bucket, String name) {
    try (Connection session = connect(S0);
        Statement statement = session.createStatement()) {
      begin(statement, name);
      statement.execute(
          "INSERT INTO orders (bucket_id, buyer_id, order_id, order_no, amount, note) VALUES ("
              + bucket
              + ", "
              + buyers.get(bucket)
              + ", 3, 'N3', 1, 'new')");
      prepare(statement, name);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
