package io.shardwright.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.catalog.SqlFailure;
import io.shardwright.catalog.TestingConfiguration;
import io.shardwright.schema.IndexObjects.Found;
import io.shardwright.schema.IndexObjects.LockWait;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What the tables and triggers of a lookup index do, on each database. */
abstract class IndexObjectsContract extends IndexFixture {
  private static final String CLAIM = "shardwright_claim_shop_by_no";
  private static final String ENTRY = "shardwright_entry_shop_by_no";
  private static final String INSERT = "INSERT INTO orders (bucket_id, order_id, order_no) VALUES ";

  @Test
  void createTables_again_changesNothing() throws SQLException {
    createOrders();
    IndexObjects objects = objects(index("orders", "{columns: [order_no], unique: true}").get());
    Connection connection = session("SELECT 1");

    assertThat(objects.inspect(connection).missing())
        .isEqualTo(objects.relations().stream().map(IndexObjects.Relation::name).toList());
    assertThatThrownBy(() -> objects.installTriggers(connection, VERSION, LockWait.DEFAULT))
        .hasMessageContaining("run shardwright apply");
    assertThat(objects.createTables(connection))
        .isEqualTo(objects.relations().stream().map(IndexObjects.Relation::name).toList());
    assertThat(objects.createTables(connection)).isEmpty();
    assertThat(objects.inspect(connection))
        .isEqualTo(new Found(List.of(), List.of(), Set.of(), OptionalLong.empty()));
    objects.dropTables(connection);
    objects.dropTables(connection);
    assertThat(objects.inspect(connection).missing())
        .isEqualTo(objects.relations().stream().map(IndexObjects.Relation::name).toList());
  }

  @Test
  void installTriggers_again_asksForTheLastVersion() throws SQLException {
    IndexObjects objects = installed();
    Connection connection = session("SELECT 1");
    assertThat(objects.inspect(connection).version()).hasValue(VERSION);
    assertThat(objects.inspect(connection).triggers()).isEqualTo(objects.events());

    objects.installTriggers(connection, VERSION + 1, LockWait.DEFAULT);

    assertThat(objects.inspect(connection).version()).hasValue(VERSION + 1);
    assertRefused(session(marker(VERSION)), INSERT + "(1, 1, 'a')", "shop.by_no");
    run(session(marker(VERSION + 1)), INSERT + "(1, 1, 'a')");

    objects.removeTriggers(connection, LockWait.DEFAULT);
    objects.removeTriggers(connection, LockWait.DEFAULT);
    assertThat(objects.inspect(connection).triggers()).isEmpty();
    run(session("SELECT 1"), INSERT + "(1, 2, 'b')");
  }

  @Test
  void inspect_tablesOfOtherColumns_namesThem() throws SQLException {
    IndexObjects objects = installed();
    objects.removeTriggers(session("SELECT 1"), LockWait.DEFAULT);
    TestingConfiguration.execute(url, "DROP TABLE " + CLAIM);
    TestingConfiguration.execute(url, "CREATE TABLE " + CLAIM + " (v1 int PRIMARY KEY)");

    assertThat(objects.inspect(session("SELECT 1")).foreign()).containsExactly(CLAIM);
  }

  @Test
  void guard_sessionWithoutMarker_mayOnlyLeaveTheIndexAsItIs() throws SQLException {
    installed();
    run(session(marker(VERSION)), INSERT + "(1, 1, 'a'), (1, 2, NULL)");
    for (Connection outsider : List.of(session("SELECT 1"), session(marker(VERSION - 1)))) {
      assertRefused(outsider, INSERT + "(1, 3, 'c')", "is not maintained by this session");
      assertRefused(outsider, INSERT + "(1, 3, 'c'), (1, 4, 'd')", "shop.by_no");
      assertRefused(outsider, "DELETE FROM orders WHERE order_id = 1", "shop.by_no");
      assertRefused(outsider, "UPDATE orders SET order_no = 'b' WHERE order_id = 1", "shop.by_no");
      run(outsider, "UPDATE orders SET note = 'x'", "UPDATE orders SET order_no = order_no");
    }
    assertThat(query("SELECT order_id, order_no, note FROM orders ORDER BY 1"))
        .containsExactly("1|a|x", "2|null|x");
  }

  /** An update moves values or rows, which the driver has to be told of; an insert need not. */
  @Test
  void guard_updateThatDidNotAskForChanges_isRefused() throws SQLException {
    installed();
    Connection connection = session(marker(VERSION), INSERT + "(1, 1, 'a'), (1, 2, NULL)");

    assertRefused(connection, "UPDATE orders SET order_no = 'b' WHERE order_id = 1", "by_no");
    assertRefused(connection, "UPDATE orders SET order_no = NULL WHERE order_id = 1", "by_no");
    assertRefused(connection, "UPDATE orders SET order_no = 'b' WHERE order_id = 2", "by_no");
    assertRefused(connection, "UPDATE orders SET order_id = 9 WHERE order_id = 1", "by_no");
    assertRefused(connection, "UPDATE orders SET bucket_id = 9 WHERE order_id = 1", "by_no");
    run(connection, "UPDATE orders SET order_id = 9 WHERE order_id = 2 AND 1 = 0");
    run(connection, "DELETE FROM orders");
    assertThat(query("SELECT * FROM orders")).isEmpty();
  }

  @Test
  void changes_ofEachStatement_areWhatItChanged() throws SQLException {
    installed();
    assertThat(changesOf(INSERT + "(1, 1, 'a'), (2, 2, NULL), (3, 3, 'it''s \"x\"')"))
        .containsExactly("1|1|null|a", "3|3|null|it's \"x\"");
    assertThat(changesOf("UPDATE orders SET note = 'n'", "UPDATE orders SET order_no = order_no"))
        .isEmpty();
    assertThat(changesOf("UPDATE orders SET order_no = 'b' WHERE order_id <= 2"))
        .containsExactly("1|1|a|b", "2|2|null|b");
    assertThat(changesOf("UPDATE orders SET order_no = NULL WHERE order_id = 2"))
        .containsExactly("2|2|b|null");
    assertThat(
            changesOf(
                "UPDATE orders SET order_no = CASE order_id WHEN 1 THEN 'c' ELSE 'b' END"
                    + " WHERE order_id IN (1, 3)"))
        .containsExactlyInAnyOrder("1|1|b|c", "3|3|it's \"x\"|b");
    assertThat(changesOf("UPDATE orders SET order_id = 33 WHERE order_id = 3"))
        .containsExactly("3|3|b|null", "3|33|null|b");
    assertThat(changesOf("UPDATE orders SET bucket_id = 5, order_no = 'd' WHERE order_id = 33"))
        .containsExactly("3|33|b|null", "5|33|null|d");
    assertThat(changesOf("DELETE FROM orders"))
        .containsExactlyInAnyOrder("1|1|c|null", "5|33|d|null");
  }

  @Test
  void changes_ofOneTransaction_areThoseSinceTheyWereRead() throws SQLException {
    installed();
    Connection connection = writer(INSERT + "(1, 1, 'a')");
    assertThat(changes(connection)).containsExactly("1|1|null|a");
    run(connection, "UPDATE orders SET order_no = 'b'", "UPDATE orders SET order_no = 'a\n'");
    assertThat(changes(connection)).containsExactly("1|1|a|b", "1|1|b|a\n");
    connection.rollback();

    assertThat(query("SELECT count(*) FROM " + CLAIM)).containsExactly("0");
    assertThat(changesOf("UPDATE orders SET order_no = 'x'")).isEmpty();
  }

  @Test
  void changes_whenNobodyAsked_areNotWritten() throws SQLException {
    installed();
    Connection connection = session(marker(VERSION), INSERT + "(1, 1, 'a')", "DELETE FROM orders");
    connection.setAutoCommit(false);
    assertThat(changes(connection)).isEmpty();
  }

  @Test
  void claim_ofAValue_isThereUntilTheWriterEnds() throws Exception {
    installed();
    run(session(marker(VERSION)), INSERT + "(1, 1, 'a'), (1, 2, 'b')");
    for (String write :
        List.of(
            INSERT + "(1, 3, 'c')",
            "UPDATE orders SET order_no = 'c' WHERE order_id = 1",
            "UPDATE orders SET order_no = 'd' WHERE order_no = 'c'",
            "DELETE FROM orders WHERE order_no = 'c'")) {
      run(session(marker(VERSION)), "DELETE FROM orders");
      run(session(marker(VERSION)), INSERT + "(1, 1, 'c'), (1, 2, 'b')");
      if (write.startsWith("INSERT") || write.contains("= 'c' WHERE")) {
        run(session(marker(VERSION)), "DELETE FROM orders WHERE order_no = 'c'");
        run(session(marker(VERSION)), INSERT + "(1, 1, 'a')");
      }
      Connection writer = writer(write);
      Connection judge = session("SELECT 1");
      judge.setAutoCommit(false);

      run(judge, "INSERT INTO " + CLAIM + " VALUES ('other')");
      assertWaitsUntil(() -> run(judge, "INSERT INTO " + CLAIM + " VALUES ('c')"), writer::commit);
      judge.rollback();
      assertThat(query("SELECT count(*) FROM " + CLAIM)).containsExactly("0");
    }
  }

  @Test
  void claim_ofTwoWritersOfOneValue_makesTheSecondWait() throws Exception {
    installed();
    Connection first = writer(INSERT + "(1, 1, 'a')");
    Connection second = writer();

    assertWaitsUntil(() -> run(second, INSERT + "(2, 2, 'a')"), first::rollback);
    second.commit();

    assertThat(query("SELECT order_id FROM orders")).containsExactly("2");
  }

  @Test
  void claim_afterRollbackToASavepoint_isGone() throws SQLException {
    installed();
    Connection writer = writer(INSERT + "(1, 1, 'a')", "SAVEPOINT s", INSERT + "(1, 2, 'b')");
    run(writer, "ROLLBACK TO SAVEPOINT s", INSERT + "(1, 3, 'c')");
    Connection judge = session("SELECT 1");
    judge.setAutoCommit(false);

    run(judge, "INSERT INTO " + CLAIM + " VALUES ('b')");
    judge.rollback();
    writer.commit();
    assertThat(query("SELECT order_no FROM orders ORDER BY 1")).containsExactly("a", "c");
  }

  @Test
  void claim_ofOneValueTwiceInATransaction_doesNotStopIt() throws SQLException {
    installed();

    assertThat(
            changesOf(
                INSERT + "(1, 1, 'a')", "DELETE FROM orders", INSERT + "(1, 2, 'a'), (1, 3, 'a')"))
        .containsExactly("1|1|null|a", "1|1|a|null", "1|2|null|a", "1|3|null|a");
  }

  @Test
  void statement_thatFails_leavesNothing() throws SQLException {
    installed();
    run(session(marker(VERSION)), INSERT + "(1, 1, 'a')");
    Connection connection = session(marker(VERSION));

    assertThatThrownBy(() -> run(connection, INSERT + "(1, 2, 'b'), (1, 1, 'c')"))
        .isInstanceOf(SQLException.class);

    assertThat(query("SELECT order_no FROM orders")).containsExactly("a");
    assertThat(query("SELECT count(*) FROM " + CLAIM)).containsExactly("0");
  }

  @Test
  void installTriggers_whileATransactionWrites_waitsForItAndTriesAgain() throws Exception {
    createOrders();
    IndexObjects objects = objects(index("orders", "{columns: [order_no], unique: true}").get());
    Connection connection = session("SELECT 1");
    objects.createTables(connection);
    Connection writer = session("SELECT 1");
    writer.setAutoCommit(false);
    run(writer, INSERT + "(1, 1, 'a')");

    assertThatThrownBy(
            () ->
                objects.installTriggers(
                    connection, VERSION, new LockWait(Duration.ofMillis(50), Duration.ZERO)))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(SqlFailure.isLockTimeout(e)).isTrue());
    assertWaitsUntil(
        () -> objects.installTriggers(connection, VERSION, LockWait.DEFAULT), writer::commit);

    assertRefused(session("SELECT 1"), "DELETE FROM orders", "shop.by_no");
  }

  @Test
  void composite_isIndexedWhenNoneOfItsValuesIsNull() throws SQLException {
    createOrders();
    installed("{columns: [seller, order_no], unique: true}");

    String insert = "INSERT INTO orders (bucket_id, order_id, seller, order_no) VALUES ";
    assertThat(changesOf(insert + "(1, 1, 5, 'a'), (1, 2, NULL, 'a'), (1, 3, 5, NULL)"))
        .containsExactly("1|1|null|5,a");
    assertThat(changesOf("UPDATE orders SET seller = 6 WHERE order_id <= 3"))
        .containsExactlyInAnyOrder("1|1|5,a|6,a", "1|2|null|6,a");
    assertThat(changesOf("UPDATE orders SET order_no = NULL WHERE order_id = 1"))
        .containsExactly("1|1|6,a|null");
    assertThat(query("SELECT count(*) FROM " + CLAIM)).containsExactly("0");
  }

  @Test
  void entry_hasOneFirstCandidateOfAValue() throws SQLException {
    installed();
    String entry =
        "INSERT INTO "
            + ENTRY
            + " (bucket_id, v1, slot, row_bucket, p1, token) VALUES (3, 'a', 0, 1, %d, 77)";
    run(session("SELECT 1"), entry.formatted(1));

    assertThatThrownBy(() -> run(session("SELECT 1"), entry.formatted(2)))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).startsWith("23"));
    assertThat(query("SELECT bucket_id, v1, slot, row_bucket, p1, token FROM " + ENTRY))
        .containsExactly("3|a|0|1|1|77");
    assertThat(query("SELECT count(*) FROM " + ENTRY + " WHERE written_at IS NULL"))
        .containsExactly("0");
  }
}
