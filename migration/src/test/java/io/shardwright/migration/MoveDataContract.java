package io.shardwright.migration;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.catalog.Move;
import io.shardwright.catalog.Move.Wish;
import io.shardwright.catalog.MoveState;
import io.shardwright.routing.BucketSet;
import io.shardwright.routing.ShardId;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Rows of all kinds, and rows that change while they are copied. */
abstract class MoveDataContract extends MoveFixture {
  private static final BucketSet ALL = BucketSet.parse("0-20");

  @Override
  String groups() {
    return "groups:\n  orders:\n    key: [buyer_id]\n    buckets: "
        + BUCKETS
        + "\n    tables:\n      orders: {unique: {orders_taken: local}}\n      items:\n"
        + "      zoo: {key: [buyer]}\n      emptied:\n";
  }

  /** One of the statements of {@link #zoo} for each bucket. */
  abstract List<String> zoo();

  /** A query that shows a row of the zoo to its last bit. */
  abstract String zooQuery();

  private void fill() throws SQLException {
    for (int order = 1; order <= 60; order++) {
      insert(order % 20, order, order % 4);
    }
    try (Connection connection = connect(S0);
        Statement statement = connection.createStatement()) {
      for (String row : zoo()) {
        statement.execute(row);
      }
    }
  }

  private static void run(Statement statement, String... sqls) throws SQLException {
    for (String sql : sqls) {
      statement.execute(sql);
    }
  }

  private void assertEqualOn(ShardId left, ShardId right) throws SQLException {
    for (String table : List.of("orders", "items", "emptied")) {
      String query = "SELECT * FROM " + table + " WHERE bucket_id <= 20";
      assertThat(rows(left, query)).as(table).isEqualTo(rows(right, query));
    }
    assertThat(rows(left, zooQuery())).as("zoo").isNotEmpty().isEqualTo(rows(right, zooQuery()));
  }

  @Test
  void move_ofAllKindsOfValues_changesNoBit() throws SQLException {
    fill();
    List<String> before = rows(S0, zooQuery());

    Move move = move(ALL, S1);
    assertThat(run(move)).isEqualTo(MoveState.SWITCHED);

    assertThat(rows(S1, zooQuery())).isEqualTo(before);
    assertEqualOn(S0, S1);
  }

  /** What the rows look like when the source is closed is what the target opens with. */
  @Test
  void move_whileRowsChange_followsThem() throws SQLException {
    fill();
    Set<String> done = new HashSet<>();
    Steps changing =
        step -> {
          try (Connection connection = connect(S0);
              Statement statement = connection.createStatement()) {
            if (step.equals("chunk")) {
              change(statement, done.size());
              done.add(step + done.size());
            } else if (step.equals("before CATCHING_UP") || step.equals("before CUTOVER")) {
              change(statement, 1_000 + step.length());
              done.add(step);
            }
          } catch (SQLException e) {
            throw new IllegalStateException(e);
          }
        };

    Move move = move(ALL, S1);
    assertThat(run(move, changing)).isEqualTo(MoveState.SWITCHED);

    assertThat(done).hasSizeGreaterThan(15).contains("before CUTOVER");
    assertEqualOn(S0, S1);
    moves.wish(move.id(), Wish.ROLL_BACK);
    try (Connection connection = connect(S1);
        Statement statement = connection.createStatement()) {
      change(statement, 5_000);
      change(statement, 6_000);
    }
    List<String> since = rows(S1, "SELECT * FROM orders WHERE bucket_id <= 20");
    assertThat(run(move)).isEqualTo(MoveState.ROLLED_BACK);
    assertThat(rows(S0, "SELECT * FROM orders WHERE bucket_id <= 20")).isEqualTo(since);
  }

  /**
   * Deletes and returns, keys that change, unique values that are swapped or handed on, parents
   * whose children go with them: somewhere among the rows that are copied, and those that are not.
   */
  private void change(Statement statement, int round) throws SQLException {
    int bucket = round % 20;
    int other = (round + 7) % 20;
    run(
        statement,
        "UPDATE orders SET note = 'r" + round + "' WHERE bucket_id = " + bucket,
        "UPDATE zoo SET small = " + round + " WHERE bucket_id IN (" + bucket + ", " + other + ")",
        "DELETE FROM items WHERE bucket_id = " + other + " AND line = 1");
    insert(statement, bucket, 100_000 + round, "'A" + round + "'", round);
    insert(statement, bucket, 200_000 + round, "'B" + round + "'", -round - 1);
    swap(statement, (round + 19) % 20, round - 1);
    run(
        statement,
        "INSERT INTO items (bucket_id, buyer_id, order_id, line, amount) VALUES ("
            + bucket
            + ", "
            + bucket
            + ", "
            + (100_000 + round)
            + ", 1, 7.25)",
        "UPDATE items SET line = line + 100 WHERE bucket_id = " + bucket + " AND line < 100",
        "INSERT INTO emptied (bucket_id, buyer_id, id) VALUES (" + bucket + ", 1, " + round + ")",
        "DELETE FROM emptied WHERE id < " + round);
    if (round % 3 == 0) {
      run(
          statement,
          "DELETE FROM items WHERE bucket_id = " + bucket,
          "DELETE FROM orders WHERE bucket_id = " + bucket + " AND order_id < 100000");
    }
  }

  private static void insert(Statement statement, int bucket, int order, String number, int taken)
      throws SQLException {
    statement.execute(
        "INSERT INTO orders (bucket_id, buyer_id, order_id, order_no, amount, note, taken) VALUES ("
            + bucket
            + ", "
            + bucket
            + ", "
            + order
            + ", "
            + number
            + ", 1.50, 'n', "
            + taken
            + ")");
  }

  /** Two rows of the round before, which the target has, change places in two unique indexes. */
  private static void swap(Statement statement, int bucket, int round) throws SQLException {
    String set =
        "UPDATE orders SET order_no = '%s', taken = %d WHERE bucket_id = "
            + bucket
            + " AND order_id = %d";
    int first = 100_000 + round;
    int second = 200_000 + round;
    run(
        statement,
        set.formatted("X" + round, 1_000_000 + round, first),
        set.formatted("A" + round, round, second),
        set.formatted("B" + round, -round - 1, first));
  }
}
