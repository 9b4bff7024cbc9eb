package io.shardwright.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.catalog.Move;
import io.shardwright.catalog.Move.Wish;
import io.shardwright.catalog.MoveState;
import io.shardwright.driver.Shardwright;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.BucketSet;
import io.shardwright.routing.ShardId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A shard whose rows were recorded on another server: as a replica that was promoted sees it, which
 * may lack the last changes.
 */
abstract class FailOverContract extends MoveFixture {
  private static final BucketSet SOME = BucketSet.parse("0-3");

  @TempDir private Path directory;

  private static final class Stopped extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  @BeforeEach
  void fill() throws SQLException {
    for (int order = 1; order <= 24; order++) {
      insert(order % 8, order, order % 3);
    }
  }

  private void failOver(ShardId shard) {
    try {
      execute(shard, "UPDATE shardwright_bucket SET incarnation = 'before'");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** What a replica lacked: rows, and notes of changes. */
  private void lose(ShardId shard, String sql) {
    try (Connection mover =
            DriverManager.getConnection(
                configuration.shards().get(shard).endpoint().url(),
                MoveServer.MOVER,
                MoveServer.MOVER_PASSWORD);
        Statement statement = mover.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private List<String> reconcile() {
    try (Moves operator = new Moves(configuration, "operator")) {
      return operator.reconcile();
    }
  }

  private void stopAt(Move move, String at, Runnable then) {
    assertThatThrownBy(
            () ->
                run(
                    move,
                    step -> {
                      if (step.equals(at)) {
                        then.run();
                        throw new Stopped();
                      }
                    }))
        .isInstanceOf(Stopped.class);
  }

  /** Also when the worker that mends it dies at each of its steps. */
  @ParameterizedTest
  @CsvSource({
    "chunk, s0, true",
    "chunk, s1, true",
    "before VERIFYING, s0, true",
    "before CUTOVER, s1, true",
    "closed, s0, true",
    "drained, s1, true",
    "published, s0, false",
    "published, s1, false",
    "away, s0, false",
    "open, s1, false"
  })
  void failOver_duringAMove_isMended(String at, String failed, boolean copiedAnew)
      throws SQLException {
    ShardId shard = new ShardId(failed);
    Move move = move(SOME, S1);
    stopAt(
        move,
        at,
        () -> {
          if (copiedAnew && failed.equals("s0")) {
            lose(S0, "DELETE FROM items WHERE order_id = 10");
            lose(S0, "UPDATE orders SET note = 'of before' WHERE order_id = 11");
            lose(S0, "DELETE FROM shardwright_capture_orders");
          } else if (copiedAnew) {
            lose(S1, "DELETE FROM items");
          }
          failOver(shard);
        });
    Map<String, List<String>> owned = owned();

    List<String> mended = new ArrayList<>();
    for (String crash : List.of("fail-over recorded", "source settled")) {
      stopAt(move, crash, () -> mended.add(crash));
    }
    List<String> steps = new ArrayList<>();
    assertThat(run(move, steps::add)).isEqualTo(MoveState.SWITCHED);

    assertThat(mended).hasSize(2);
    assertThat(steps.contains("copied")).isEqualTo(copiedAnew);
    assertThat(owned()).isEqualTo(owned);
    assertThat(moves.find(move.id()).options().rollback()).isEqualTo(copiedAnew);
    assertThat(map().shardOf(new BucketId(1))).isEqualTo(S1);
    reconcile();
    insert(1, 1_001, 1);
    insert(5, 1_005, 1);
    Map<String, List<String>> after = owned();
    moves.wish(move.id(), Wish.CLEAN_UP);
    assertThat(run(move)).isEqualTo(MoveState.DONE);
    assertThat(owned()).isEqualTo(after);
    assertClean();
  }

  @Test
  void failOver_ofASwitchedMove_endsItsWayBack() throws SQLException {
    Move move = move(SOME, S1);
    run(move);
    failOver(S1);

    assertThat(reconcile())
        .contains("shard s1: buckets of move " + move.id() + " are in order")
        .anySatisfy(text -> assertThat(text).startsWith("shard s1: 60 buckets of orders are as"));
    assertThat(moves.find(move.id()).note()).contains("there is no way back any more");
    assertThatThrownBy(() -> moves.wish(move.id(), Wish.ROLL_BACK))
        .hasMessageContaining("without the way back");
    insert(1, 1_001, 1);
    assertThat(reconcile()).isEmpty();
  }

  /** The replica has not heard of the end of a move: it still has the rows. */
  @Test
  void reconcile_ofAnOldOwner_deletesWhatIsAnothers() throws SQLException {
    List<String> before = rows(S0, "SELECT * FROM items");
    Move move = move(SOME, S1);
    run(move);
    moves.wish(move.id(), Wish.CLEAN_UP);
    run(move);
    lose(S0, "INSERT INTO orders (bucket_id, buyer_id, order_id, order_no) VALUES (1, 1, 9, 'N9')");
    execute(S0, "UPDATE shardwright_bucket SET state = 'open', epoch = 1, incarnation = 'before'");
    Map<String, List<String>> owned = owned();

    assertThat(reconcile())
        .containsExactly("shard s0: 64 buckets of orders are as map version 2 says");

    assertThat(owned()).isEqualTo(owned);
    assertThat(before).isNotEmpty();
    assertClean();
  }

  @Test
  void reconcile_withAnOlderCatalog_isRefused() throws SQLException {
    execute(S0, "UPDATE shardwright_bucket SET epoch = 7, incarnation = 'before'");

    assertThatThrownBy(this::reconcile)
        .hasMessageContaining("SW002: shard s0 knows a later map of orders than the catalog")
        .hasMessageContaining("restored from a backup");
  }

  /** Nothing is read there, as it may not be what was committed last. */
  @Test
  void driver_onAServerThatTookOver_sendsNothingUntilItIsReconciled()
      throws SQLException, IOException {
    Path file = Files.writeString(directory.resolve("shardwright.yaml"), yaml);
    failOver(S0);

    try (var source = Shardwright.open(file);
        Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      assertThatThrownBy(() -> statement.executeQuery("SELECT count(*) FROM orders"))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("SW002: shard s0 was failed over, or restored")
          .hasMessageContaining("shardwright apply");
      reconcile();
      long deadline = System.nanoTime() + 30_000_000_000L;
      long rows = -1;
      while (rows < 0) {
        assertThat(System.nanoTime()).isLessThan(deadline);
        try (ResultSet row = statement.executeQuery("SELECT count(*) FROM orders")) {
          row.next();
          rows = row.getLong(1);
        } catch (SQLException e) {
          assertThat(e.getMessage()).contains("SW002");
        }
      }
      assertThat(rows).isEqualTo(24);
    }
  }
}
