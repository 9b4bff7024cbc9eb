package io.shardwright.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.catalog.Move;
import io.shardwright.catalog.Move.Wish;
import io.shardwright.catalog.MoveState;
import io.shardwright.config.ConfigurationReader;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.BucketSet;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Rules of the application, and columns that are not compared. */
abstract class InvariantsContract extends MoveFixture {
  private static final BucketSet SOME = BucketSet.parse("0-3");

  @Override
  String groups() {
    return super.groups().replace("orders: ,", "orders: {verify: {exclude: [note]}},")
        + """
              invariants:
                - name: amount_of_items
                  sql: >
                    SELECT o.order_id FROM orders o JOIN items i ON i.bucket_id = o.bucket_id
                    AND i.buyer_id = o.buyer_id AND i.order_id = o.order_id
                    WHERE o.bucket_id IN (:buckets)
                    GROUP BY o.bucket_id, o.buyer_id, o.order_id, o.amount
                    HAVING o.amount <> sum(i.amount) ORDER BY o.order_id
          """;
  }

  /** Orders of three lines: 1.50 in all. */
  private void fill() throws SQLException {
    for (int order = 1; order <= 8; order++) {
      insert(order % 4, order, 3);
    }
  }

  @Test
  void move_ofRowsThatBreakAnInvariant_stopsBeforeTheCutover() throws SQLException {
    fill();
    execute(S0, "UPDATE items SET amount = 0.75 WHERE order_id IN (3, 5) AND line = 2");
    Move move = move(SOME, S1);

    assertThatThrownBy(() -> run(move))
        .hasMessageContaining("SW602: invariant amount_of_items on the source, shard s0 is broken")
        .hasMessageContaining("by 2 rows, the first of them (3), (5)")
        .hasMessageContaining("on the target, shard s1")
        .hasMessageContaining("shardwright move resume " + move.id());

    assertThat(moves.find(move.id()).state()).isEqualTo(MoveState.VERIFYING);
    assertThat(moves.find(move.id()).note()).contains("amount_of_items");
    assertThat(map().shardOf(new BucketId(0))).isEqualTo(S0);
    execute(S0, "UPDATE items SET amount = 0.50");
    assertThat(run(move)).isEqualTo(MoveState.SWITCHED);
  }

  /** Somebody writes between the last comparison and the cutover. */
  @Test
  void move_thatFindsAnInvariantBrokenAfterTheCutover_staysThere() throws SQLException {
    fill();
    Move move = move(SOME, S1);
    assertThatThrownBy(
            () ->
                run(
                    move,
                    step -> {
                      if (step.equals("CUTOVER")) {
                        executeOnSource("UPDATE items SET amount = 9 WHERE order_id = 6");
                      }
                    }))
        .hasMessageContaining("amount_of_items on the new owner, shard s1 is broken by 1 row")
        .hasMessageContaining("shardwright move rollback " + move.id());

    assertThat(moves.find(move.id()).state()).isEqualTo(MoveState.CUTOVER);
    assertThat(map().shardOf(new BucketId(2))).isEqualTo(S1);
    assertThatThrownBy(() -> run(move)).hasMessageContaining("on the new owner");
    moves.wish(move.id(), Wish.ROLL_BACK);
    assertThat(run(move)).isEqualTo(MoveState.ROLLED_BACK);
    assertThat(rows(S0, "SELECT DISTINCT order_id FROM items WHERE amount = 9"))
        .containsExactly("6");
    assertClean();
  }

  private void executeOnSource(String sql) {
    try {
      execute(S0, sql);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void verify_withoutAColumn_saysSo() throws SQLException {
    fill();
    Move move = move(SOME, S1);
    assertThat(run(move)).isEqualTo(MoveState.SWITCHED);
    try (Connection mover =
            DriverManager.getConnection(
                configuration.shards().get(S0).endpoint().url(),
                MoveServer.MOVER,
                MoveServer.MOVER_PASSWORD);
        Statement statement = mover.createStatement()) {
      statement.execute("UPDATE orders SET note = 'other'");
      try (Moves operator = new Moves(configuration, "operator")) {
        Comparison comparison = operator.verify(move.id());
        assertThat(comparison.isGood()).isTrue();
        assertThat(comparison.verified().without()).containsExactly("orders.note");
        assertThat(operator.verified(move.id()).orElseThrow().without())
            .containsExactly("orders.note");
        statement.execute("UPDATE orders SET amount = 7 WHERE order_id = 4");
        assertThat(operator.verify(move.id()).differences())
            .singleElement()
            .asString()
            .endsWith("row buyer_id=0, order_id=4: different in amount");
      }
    }
  }

  @Test
  void preflight_ofDeclarationsThatDoNotFit_namesThem() {
    String wrong =
        yaml.replace("exclude: [note]", "exclude: [order_id, nothing]")
            .replace("o.amount <> sum(i.amount)", "o.sum <> sum(i.amount)");
    List<String> problems =
        new Preflight(ConfigurationReader.parse("test.yaml", wrong, Map.of()), catalog, "orders")
            .problems(SOME, S1);

    assertThat(problems)
        .anySatisfy(p -> assertThat(p).contains("column order_id, which is in the primary key"))
        .anySatisfy(p -> assertThat(p).contains("column nothing, which the table on shard s0"))
        .anySatisfy(
            p ->
                assertThat(p)
                    .contains("invariant amount_of_items cannot be checked", "shard s0", "sum"))
        .anySatisfy(p -> assertThat(p).contains("invariant amount_of_items", "shard s1"))
        .hasSize(6);
  }
}
