package io.shardwright.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.catalog.IndexState;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Reads over the list index by_seller: i8 is the seller, ts the time of an order. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ListReadContract {
  // Long because: the orders that are read in all ways are made in one place.

  private static final int SHARDS = 3;
  private static final String INDEX =
      "{by_seller: {columns: [i8, ts], shard_by: [i8], unique: false,"
          + " spread: {giants: 4, values: [['7'], ['8']]},"
          + " covering: {n: stale-ok, t: stale-ok, b: check}}}";
  private static final String INSERT =
      "INSERT INTO samples (bucket_id, k, id, i8, ts, n, t, b, i4) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)";
  private static final LocalDateTime START = LocalDateTime.of(2026, 1, 1, 0, 0);

  private final TestingDatabase database;
  private TestingShards shards;
  private TestingListIndex index;

  ListReadContract(TestingDatabase database) {
    this.database = database;
  }

  @BeforeAll
  void open() throws SQLException {
    shards = TestingShards.withIndexes(database, SHARDS, "{max: 8, timeout: 3s}", INDEX);
    index = new TestingListIndex(shards, SHARDS);
    index.create();
  }

  @AfterAll
  void close() {
    shards.close();
  }

  @BeforeEach
  void clear() throws SQLException {
    shards.both("DELETE /* shardwright: scatter=allow */ FROM samples");
    index.deliver();
  }

  @AfterEach
  void nothingIsLeft() {
    shards.assertIdle();
  }

  /** An order on the shards and in the plain database. */
  private void order(long id, Long seller, LocalDateTime at) throws SQLException {
    long buyer = id * 31 % 97;
    shards.both(
        INSERT,
        shards.samplesBucket(buyer),
        buyer,
        id,
        seller,
        at,
        id % 5 == 0 ? null : new java.math.BigDecimal(id % 13).movePointLeft(1),
        "t" + id % 3,
        id % 4 == 0,
        (int) (id % 6));
  }

  private void orders(long from, long count, long seller) throws SQLException {
    for (long id = from; id < from + count; id++) {
      order(id, seller, START.plusHours(id * 7 % 100));
    }
  }

  private List<StatementTrace> traced(Traced work) throws SQLException {
    List<StatementTrace> traces = new ArrayList<>();
    StatementListener listener = traces::add;
    shards.source().addListener(listener);
    try {
      work.run();
    } finally {
      shards.source().removeListener(listener);
    }
    return traces;
  }

  private interface Traced {
    void run() throws SQLException;
  }

  /** The answer of the plain database, over the index. */
  private void same(String way, String sql, Object... parameters) throws SQLException {
    List<List<String>> answers = new ArrayList<>();
    List<StatementTrace> traces = traced(() -> answers.add(shards.rows(sql, parameters)));
    List<String> right = new ArrayList<>(shards.plainRows(sql, parameters));
    List<String> answer = new ArrayList<>(answers.get(0));
    if (!sql.contains("ORDER BY")) {
      right.sort(null);
      answer.sort(null);
    }
    assertThat(answer).as(sql).isEqualTo(right);
    assertThat(traces.get(0).reason())
        .as(sql)
        .startsWith("list index samples.by_seller (i8) of samples, ")
        .contains(way);
  }

  private static final String COVERED = "its entries answer";
  private static final String PAGE = "keys of a page";
  private static final String KEYS = "keys of all rows";

  @Test
  void aValueOfAnotherType_isToldByItsColumnAndIndex() {
    for (String hint : List.of("", "/* shardwright: freshness=own-writes */ ")) {
      for (String columns : List.of("id, ts", "id, u")) {
        assertThatThrownBy(
                () ->
                    shards.rows(
                        hint + "SELECT " + columns + " FROM samples WHERE i8 = ? LIMIT 3",
                        LocalDate.of(2026, 1, 1)))
            .hasMessageStartingWith(
                "SW302: the value for column i8 of lookup index samples.by_seller: a value of Java"
                    + " type ")
            .hasMessageNotContaining("route key");
      }
    }
  }

  @Test
  void onePageOfOneSellerIsOneStatementOnOneShard() throws SQLException {
    orders(0, 60, 5);
    index.deliver();
    String sql = "SELECT id, ts, n, t FROM samples WHERE i8 = ? ORDER BY ts DESC, id LIMIT 10";
    same(COVERED, sql, 5L);
    StatementTrace trace = traced(() -> shards.rows(sql, 5L)).get(0);
    assertThat(trace.physicalStatements()).isEqualTo(1);
    assertThat(trace.shards()).hasSize(1);
    // As a text with its values.
    try (Connection connection = shards.connect();
        java.sql.Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql.replace("?", "5"))) {
      assertThat(TestingShards.rows(rows)).isEqualTo(shards.plainRows(sql, 5L));
    }
  }

  @Test
  void answersAreThoseOfOneDatabase() throws SQLException {
    orders(0, 40, 5);
    orders(100, 30, 6);
    // Giants.
    orders(200, 60, 7);
    orders(300, 20, 8);
    for (long id = 400; id < 406; id++) {
      order(id, 5L, null);
      order(id + 10, 7L, null);
      order(id + 20, null, START);
      // Ties.
      order(id + 30, 6L, START.plusHours(3));
      order(id + 40, 7L, START.plusHours(3));
    }
    index.deliver();
    for (String seller : List.of("= 5", "= 6", "= 7", "IN (5, 6)", "IN (7, 5, 8, 99)", "= 99")) {
      String where = " FROM samples WHERE i8 " + seller;
      same(COVERED, "SELECT id, ts, n" + where + " ORDER BY ts DESC, id LIMIT 7");
      same(COVERED, "SELECT id, ts, n" + where + " ORDER BY ts, id DESC LIMIT 7 OFFSET 5");
      same(COVERED, "SELECT id AS x, t" + where + " AND n > 0.5 ORDER BY x LIMIT 500");
      same(COVERED, "SELECT id" + where + " AND ts >= ? AND ts < ?", START, START.plusHours(30));
      same(COVERED, "SELECT id" + where + " AND ts IS NULL");
      same(COVERED, "SELECT count(*), count(ts), sum(n), min(ts), max(ts)" + where);
      same(COVERED, "SELECT avg(n)" + where);
      same(COVERED, "SELECT count(DISTINCT t)" + where);
      same(COVERED, "SELECT t, count(*), sum(n)" + where + " GROUP BY t ORDER BY t");
      same(COVERED, "SELECT i8, count(*)" + where + " GROUP BY i8 ORDER BY i8");
      same(COVERED, "SELECT CAST(ts AS date), count(*)" + where + " GROUP BY CAST(ts AS date)");
      same(COVERED, "SELECT DISTINCT t" + where + " ORDER BY t");
      same(COVERED, "SELECT i8, max(n)" + where + " GROUP BY i8 HAVING count(*) > 20");
      same(PAGE, "SELECT id, i4, ts" + where + " ORDER BY ts DESC, id LIMIT 7");
      same(PAGE, "SELECT id, i4, ts" + where + " ORDER BY ts, id DESC LIMIT 7 OFFSET 5");
      same(PAGE, "SELECT id, i4, b" + where + " AND b ORDER BY n, id LIMIT 9 OFFSET 30");
      same(PAGE, "SELECT id" + where + " AND NOT b ORDER BY id LIMIT 4");
      same(PAGE, "SELECT id, i4" + where + " ORDER BY 1 LIMIT 0");
      same(KEYS, "SELECT id, i4, ts" + where + " ORDER BY i4, id LIMIT 7");
      same(KEYS, "SELECT id, i4" + where + " AND i4 > 2");
      same(KEYS, "SELECT i4, count(*), sum(n)" + where + " GROUP BY i4 ORDER BY i4");
      same(KEYS, "SELECT count(*)" + where + " AND b");
      same(KEYS, "SELECT max(i4)" + where + " AND ts > ?", START.plusHours(20));
    }
  }

  @Test
  void randomPagesAreThoseOfOneDatabase() throws SQLException {
    Random random = new Random(5);
    for (long id = 0; id < 150; id++) {
      order(
          id,
          random.nextInt(10) == 0 ? null : 5L + random.nextInt(4),
          random.nextInt(8) == 0 ? null : START.plusHours(random.nextInt(12)));
    }
    index.deliver();
    for (int i = 0; i < 150; i++) {
      String columns = random.nextBoolean() ? "id, ts, i8" : "id, i4, n";
      String seller =
          random.nextBoolean()
              ? "i8 = " + (5 + random.nextInt(4))
              : "i8 IN (" + (5 + random.nextInt(4)) + ", " + (5 + random.nextInt(4)) + ")";
      String more =
          List.of("", " AND ts > '2026-01-01 04:00:00'", " AND ts IS NOT NULL", " AND n < 1")
              .get(random.nextInt(4));
      String order =
          List.of("ts, id", "ts DESC, id", "n DESC, ts, id", "i8, id").get(random.nextInt(4));
      same(
          columns.contains("i4") ? PAGE : COVERED,
          "SELECT "
              + columns
              + " FROM samples WHERE "
              + seller
              + more
              + " ORDER BY "
              + order
              + " LIMIT "
              + random.nextInt(20)
              + " OFFSET "
              + random.nextInt(12));
    }
  }

  @Test
  void aPageAsksItsKeysOnceAndThenItsRows() throws SQLException {
    orders(0, 40, 5);
    index.deliver();
    StatementTrace trace =
        traced(() -> shards.rows("SELECT i4 FROM samples WHERE i8 = 5 ORDER BY ts LIMIT 5")).get(0);
    assertThat(trace.physicalStatements()).isEqualTo(1 + trace.shards().size());
  }

  @Test
  void rowsThatAreGoneOrMovedDoNotMakeAPageShort() throws SQLException {
    orders(0, 60, 5);
    index.deliver();
    String page = "SELECT id, i4 FROM samples WHERE i8 = 5 ORDER BY ts, id LIMIT 10";
    shards.both(
        "DELETE /* shardwright: scatter=allow */ FROM samples WHERE ts < ?", START.plusHours(12));
    shards.both(
        "UPDATE /* shardwright: scatter=allow */ samples SET i8 = 6 WHERE ts < ?",
        START.plusHours(30));
    // The index knows nothing of it yet.
    same(PAGE, page);
    same(PAGE, page + " OFFSET 20");
    same(KEYS, "SELECT count(i4) FROM samples WHERE i8 = 5");
    assertThat(shards.rows("SELECT count(*) FROM samples WHERE i8 = 5"))
        .as("entries answer what they hold")
        .containsExactly("60");
    index.deliver();
    same(COVERED, "SELECT count(*) FROM samples WHERE i8 = 5");
    same(COVERED, "SELECT count(*) FROM samples WHERE i8 = 6");
  }

  @Test
  void aColumnToCheckIsReadFromTheRows() throws SQLException {
    orders(0, 40, 5);
    index.deliver();
    shards.both("UPDATE /* shardwright: scatter=allow */ samples SET b = (b = false)");
    // Rows that would fit now and did not when the index heard of them are not found yet.
    List<String> answer =
        shards.rows("SELECT id, b FROM samples WHERE i8 = 5 AND b ORDER BY ts LIMIT 40");
    assertThat(answer).isEmpty();
    index.deliver();
    same(PAGE, "SELECT id, b FROM samples WHERE i8 = 5 AND b ORDER BY ts, id LIMIT 40");
  }

  private static final String OWN = "/* shardwright: freshness=own-writes */ ";

  @Test
  void ownWritesAreFoundAtOnce() throws SQLException {
    orders(0, 30, 5);
    orders(100, 30, 7);
    index.deliver();
    orders(50, 10, 5);
    orders(150, 10, 7);
    shards.both(
        "UPDATE /* shardwright: scatter=allow */ samples SET ts = ? WHERE id IN (3, 4, 103)",
        START.minusHours(5));
    shards.both("DELETE /* shardwright: scatter=allow */ FROM samples WHERE id IN (1, 101, 55)");
    shards.both("UPDATE /* shardwright: scatter=allow */ samples SET i8 = 7 WHERE id IN (2, 56)");
    shards.both(
        "UPDATE /* shardwright: scatter=allow */ samples SET n = 42 WHERE id IN (5, 57, 105)");
    for (String seller : List.of("= 5", "= 7", "IN (5, 7)")) {
      String where = " FROM samples WHERE i8 " + seller;
      same(PAGE, OWN + "SELECT id, ts, n" + where + " ORDER BY ts, id LIMIT 7");
      same(PAGE, OWN + "SELECT id, ts, n" + where + " ORDER BY ts DESC, id LIMIT 7 OFFSET 9");
      same(PAGE, OWN + "SELECT id, i4" + where + " AND n > 1 ORDER BY ts, id LIMIT 7 OFFSET 3");
      same(KEYS, OWN + "SELECT count(*), sum(n), max(ts)" + where);
      same(KEYS, OWN + "SELECT id, i4" + where + " AND i4 = 2");
    }
    index.deliver();
    StatementTrace trace =
        traced(() -> shards.rows(OWN + "SELECT count(*) FROM samples WHERE i8 = 5")).get(0);
    assertThat(trace.reason()).contains(COVERED);
    assertThat(trace.physicalStatements()).isEqualTo(1 + SHARDS);
  }

  @Test
  void ownWritesAreFoundWhileTheyAreDelivered() throws SQLException {
    orders(0, 20, 5);
    orders(50, 20, 7);
    index.letGo();
    try {
      Random random = new Random(9);
      for (long id = 100; id < 160; id++) {
        long seller = random.nextBoolean() ? 5 : 7;
        order(id, seller, START.plusHours(random.nextInt(100)));
        long other = random.nextInt((int) id);
        shards.both(
            "UPDATE /* shardwright: scatter=allow */ samples SET i8 = ?, ts = ? WHERE id = ?",
            12 - seller,
            START.plusHours(random.nextInt(100)),
            other);
        shards.both(
            "DELETE /* shardwright: scatter=allow */ FROM samples WHERE id = ?",
            random.nextInt((int) id));
        for (String asked : List.of("= 5", "= 7", "IN (5, 7)")) {
          String where = " FROM samples WHERE i8 " + asked;
          same("", OWN + "SELECT id, ts, n" + where + " ORDER BY ts DESC, id LIMIT 5");
          same("", OWN + "SELECT id, i4" + where + " ORDER BY ts, id LIMIT 5 OFFSET 3");
          same("", OWN + "SELECT count(*), sum(n)" + where);
        }
      }
    } finally {
      index.hold();
    }
  }

  @Test
  void freshnessIsSaidByHintThenConnectionThenFile() throws SQLException {
    orders(0, 5, 5);
    String sql = "SELECT count(*) FROM samples WHERE i8 = 5";
    assertThat(shards.rows(sql)).containsExactly("0");
    try (Connection connection = shards.connect()) {
      connection.unwrap(ShardwrightSession.class).set("freshness", "own-writes");
      assertThat(TestingShards.rows(connection, sql)).containsExactly("5");
      assertThat(TestingShards.rows(connection, "/* shardwright: freshness=lagging */ " + sql))
          .containsExactly("0");
      connection.unwrap(ShardwrightSession.class).set("freshness", null);
      assertThat(TestingShards.rows(connection, sql)).containsExactly("0");
    }
  }

  @Test
  void anAnswerTellsWhichIndexMayLag() throws SQLException {
    orders(0, 30, 5);
    index.deliver();
    for (String columns : List.of("id", "i4", "count(i4)")) {
      String sql = "SELECT " + columns + " FROM samples WHERE i8 = 5 LIMIT 3";
      assertThat(lagging(sql)).containsExactly("samples.by_seller");
      assertThat(lagging(OWN + sql)).isEmpty();
    }
    assertThat(lagging("SELECT id FROM samples WHERE k = 5")).isEmpty();
  }

  private java.util.Set<String> lagging(String sql) throws SQLException {
    try (Connection connection = shards.connect();
        PreparedStatement statement = connection.prepareStatement(sql);
        ResultSet rows = statement.executeQuery()) {
      return rows.unwrap(Completeness.class).laggingIndexes();
    }
  }

  @Test
  void aTransactionIsOnTheShardsOfItsRowsOnly() throws SQLException {
    orders(0, 30, 5);
    index.deliver();
    try (Connection connection = shards.connect()) {
      connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
      connection.setAutoCommit(false);
      assertThat(TestingShards.rows(connection, "SELECT id FROM samples WHERE i8 = 5")).hasSize(30);
      assertThat(TestingShards.rows(connection, "SELECT max(id) FROM samples WHERE i8 IN (5, 7)"))
          .containsExactly("29");
      for (int shard = 0; shard < SHARDS; shard++) {
        long buyer = shards.keyOn(shard, 0);
        TestingShards.update(
            connection,
            "INSERT INTO samples (k, id, i8, i4) VALUES (?, ?, 5, 1)",
            buyer,
            1000 + shard);
        // What the transaction changed itself waits on its own shard.
        assertThat(TestingShards.rows(connection, OWN + "SELECT id FROM samples WHERE i8 = 5"))
            .hasSize(31)
            .contains("" + (1000 + shard));
        assertThat(TestingShards.rows(connection, "SELECT id FROM samples WHERE i8 = 5"))
            .hasSize(30);
        connection.rollback();
      }
    }
  }

  @Test
  void writesNeedAllRows() throws SQLException {
    orders(0, 30, 5);
    index.deliver();
    orders(40, 3, 5);
    String update = "UPDATE samples SET i4 = 77 WHERE i8 = 5 AND ts IS NOT NULL";
    assertThatThrownBy(() -> shards.update(update))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("SW205")
        .hasMessageContaining("samples.by_seller");
    assertThat(shards.update(OWN + update)).isEqualTo(33);
    assertThat(shards.update(OWN + "DELETE FROM samples WHERE i8 = 5 AND i4 = 77")).isEqualTo(33);
    assertThat(shards.rows(OWN + "SELECT count(*) FROM samples WHERE i8 = 5")).containsExactly("0");
  }

  @Test
  void aWriteInASnapshotChangesWhatOthersCommittedSince() throws SQLException {
    long buyer = shards.keyOn(1, 0);
    String insert = "INSERT INTO samples (k, id, i8) VALUES (?, ?, 5)";
    try (Connection connection = shards.connect()) {
      connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      connection.setAutoCommit(false);
      TestingShards.rows(connection, "SELECT id FROM samples WHERE k = ?", buyer);
      shards.update(insert, buyer, 1);
      int byKey = TestingShards.update(connection, "UPDATE samples SET i4 = 1 WHERE k = ?", buyer);
      assertThat(TestingShards.update(connection, OWN + "UPDATE samples SET i4 = 2 WHERE i8 = 5"))
          .isEqualTo(byKey)
          .isEqualTo(database == TestingDatabase.MARIADB ? 1 : 0);
      connection.rollback();
    }
  }

  @Test
  void valuesThatNoRowHasFindNothing() throws SQLException {
    order(1, 5L, START);
    for (String number : List.of("1e30", "5.5")) {
      for (String freshness : List.of("", OWN)) {
        assertThat(
                shards.rows(
                    freshness + "SELECT id FROM samples WHERE i8 = ?",
                    new java.math.BigDecimal(number)))
            .isEmpty();
      }
    }
  }

  @Test
  void moreThanAThousandRowsAreAScan() throws SQLException {
    try (Connection logical = shards.connect();
        PreparedStatement insert = logical.prepareStatement(INSERT)) {
      for (long id = 0; id < 1_001; id++) {
        long buyer = id % 90;
        Object[] values = {
          shards.samplesBucket(buyer), buyer, id, 5L, START.plusMinutes(id), null, "t", true, 1
        };
        for (int i = 0; i < values.length; i++) {
          insert.setObject(i + 1, values[i]);
        }
        insert.addBatch();
      }
      insert.executeBatch();
    }
    index.deliver();
    assertThatThrownBy(
            () ->
                shards.rows(
                    "/* shardwright: scatter=refuse */ SELECT sum(i4) FROM samples WHERE i8 = 5"))
        .hasMessageContaining("SW205")
        .hasMessageContaining("list index samples.by_seller has more than 1000 rows for it");
    assertThat(shards.rows("SELECT sum(i4) FROM samples WHERE i8 = 5")).containsExactly("1001");
    assertThat(shards.rows("SELECT count(*) FROM samples WHERE i8 = 5")).containsExactly("1001");
    assertThat(shards.rows("SELECT i4 FROM samples WHERE i8 = 5 ORDER BY ts LIMIT 1000"))
        .hasSize(1000);
    shards.update("DELETE /* shardwright: scatter=allow */ FROM samples WHERE id = 1000");
    index.deliver();
    assertThat(
            shards.rows(
                "/* shardwright: scatter=refuse */ SELECT sum(i4) FROM samples WHERE i8 = 5"))
        .containsExactly("1000");
  }

  @Test
  void anIndexThatIsNotReadableIsNotUsed() throws SQLException {
    orders(0, 5, 5);
    index.change(IndexState.WRITE_ONLY);
    try {
      assertThat(shards.rows("SELECT count(*) FROM samples WHERE i8 = 5")).containsExactly("5");
      assertThatThrownBy(
              () ->
                  shards.rows(
                      "/* shardwright: scatter=refuse */ SELECT id FROM samples WHERE i8 = 5"))
          .hasMessageContaining("SW205");
    } finally {
      index.change(IndexState.READABLE);
    }
  }

  @Test
  void maxRowsAndFetchSizeHoldOnPages() throws SQLException {
    orders(0, 40, 5);
    index.deliver();
    shards.both(
        "DELETE /* shardwright: scatter=allow */ FROM samples WHERE ts < ?", START.plusHours(20));
    try (Connection connection = shards.connect();
        PreparedStatement statement =
            connection.prepareStatement(
                "SELECT id, i4 FROM samples WHERE i8 = 5 ORDER BY ts, id LIMIT 20")) {
      statement.setMaxRows(3);
      statement.setFetchSize(2);
      try (ResultSet rows = statement.executeQuery()) {
        assertThat(TestingShards.rows(rows))
            .isEqualTo(
                shards.plainRows(
                    "SELECT id, i4 FROM samples WHERE i8 = 5 ORDER BY ts, id LIMIT 3"));
      }
    }
  }

  @Test
  void statisticsNameTheIndex() throws SQLException {
    orders(0, 10, 7);
    index.deliver();
    StatementStatistics.Shape before = shards.source().statistics().total();
    shards.rows("SELECT id, ts FROM samples WHERE i8 = 7");
    shards.rows("SELECT id, i4 FROM samples WHERE i8 = 7");
    StatementStatistics.Shape after = shards.source().statistics().total();
    assertThat(after.lists().get("samples.by_seller"))
        .isEqualTo(before.lists().getOrDefault("samples.by_seller", 0L) + 2);
    assertThat(after.scatters()).isEqualTo(before.scatters());
    assertThat(after.single() + after.multi()).isEqualTo(before.single() + before.multi() + 2);
  }

  @Test
  void explainShowsTheWay() throws SQLException {
    orders(0, 30, 5);
    index.deliver();
    List<io.shardwright.lookup.Lookups.Asked> asked = new ArrayList<>();
    io.shardwright.sql.Route page =
        shards
            .source()
            .explain("SELECT i4 FROM samples WHERE i8 = ? LIMIT 5", List.of("5"), asked::add);
    assertThat(page.list().orElseThrow().path()).isEqualTo(io.shardwright.sql.ListUse.Path.PAGE);
    assertThat(page.list().orElseThrow().keys()).isEqualTo(5);
    assertThat(asked).hasSize(1);
    assertThat(asked.get(0).shards()).hasSize(1);
    assertThat(asked.get(0).values()).isEqualTo(1);
    assertThat(asked.get(0).buckets()).isNotEmpty();
  }
}
