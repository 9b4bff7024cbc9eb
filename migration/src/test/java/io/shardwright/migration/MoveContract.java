package io.shardwright.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.catalog.Move;
import io.shardwright.catalog.Move.Wish;
import io.shardwright.catalog.MoveState;
import io.shardwright.routing.BucketSet;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Moves, on real shards. */
abstract class MoveContract extends MoveFixture {
  private static final BucketSet SOME = BucketSet.parse("0-9,15");

  /** Ends a worker as a kill does, as far as the shards can tell. */
  private static final class Crash extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Crash(String step) {
      super("crashed at " + step);
    }
  }

  private void fill() throws SQLException {
    for (int order = 1; order <= 60; order++) {
      insert(order % BUCKETS, order, order % 4);
    }
  }

  @Test
  void move_ofSomeBuckets_takesTheirRowsAlong() throws SQLException {
    fill();
    Map<String, List<String>> before = owned();
    Move move = move(SOME, S1);

    assertThat(run(move)).isEqualTo(MoveState.SWITCHED);

    assertThat(BucketSet.of(map().bucketsOf(S1)).containsAll(SOME)).isTrue();
    assertThat(owned()).isEqualTo(before);
    assertThat(catalog.load().announced()).containsEntry("orders", SOME);
    assertThat(moves.find(move.id()).pauses()).isNotEmpty();
    insert(3, 1_003, 2);
    Map<String, List<String>> after = owned();
    moves.wish(move.id(), Wish.CLEAN_UP);
    assertThat(run(move)).isEqualTo(MoveState.DONE);
    assertThat(owned()).isEqualTo(after);
    assertClean();
  }

  @Test
  void cancel_beforeTheCutover_leavesEverythingAsItWas() throws SQLException {
    fill();
    Map<String, List<String>> before = owned();
    Move move = move(SOME, S2);

    MoveState state =
        run(
            move,
            step -> {
              if (step.equals("CATCHING_UP")) {
                moves.wish(move.id(), Wish.CANCEL);
                awaitBeat(move);
              }
            });

    assertThat(state).isEqualTo(MoveState.CANCELLED);
    assertThat(owned()).isEqualTo(before);
    assertClean();
    Move again = move(SOME, S2);
    assertThat(run(again)).isEqualTo(MoveState.SWITCHED);
    assertThat(owned()).isEqualTo(before);
  }

  /** The worker hears of a wish at its next beat. */
  private void awaitBeat(Move move) {
    long deadline = System.nanoTime() + 20_000_000_000L;
    long until = heldUntil(move);
    while (heldUntil(move) == until) {
      assertThat(System.nanoTime()).isLessThan(deadline);
      Thread.onSpinWait();
    }
  }

  private long heldUntil(Move move) {
    try (Connection connection =
            DriverManager.getConnection(
                configuration.catalog().orElseThrow().url(), server().user(), server().password());
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT held_until FROM shardwright_move WHERE id = " + move.id())) {
      row.next();
      return row.getLong(1);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void rollBack_afterTheCutover_keepsWhatWasWrittenSince() throws SQLException {
    fill();
    Move move = move(SOME, S1);
    run(move);
    insert(5, 2_005, 3);
    execute(S1, "DELETE FROM items WHERE bucket_id = 6");
    execute(S1, "DELETE FROM orders WHERE bucket_id = 6");
    execute(
        S1,
        "UPDATE orders SET note = 'since', order_id = order_id + 5000 WHERE bucket_id = 8"
            + " AND NOT EXISTS (SELECT 1 FROM items i WHERE i.order_id = orders.order_id)");
    Map<String, List<String>> written = owned();

    moves.wish(move.id(), Wish.ROLL_BACK);
    assertThat(run(move)).isEqualTo(MoveState.ROLLED_BACK);

    assertThat(BucketSet.of(map().bucketsOf(S0)).containsAll(SOME)).isTrue();
    assertThat(owned()).isEqualTo(written);
    assertClean();
  }

  /** Dies at each step that a worker reaches, one after the other; another one goes on. */
  @Test
  void crash_atEachStep_isGoneOnFrom() throws SQLException {
    fill();
    int crashes = 0;
    int written = 0;
    boolean there = true;
    for (int at = 1; there; at++) {
      List<String> steps = new ArrayList<>();
      int deadly = at;
      Move move = move(SOME, owner(0).equals(S0) ? S1 : S0);
      Steps dying =
          step -> {
            steps.add(step);
            if (steps.size() == deadly) {
              throw new Crash(step);
            }
          };
      there = false;
      try {
        run(move, dying);
      } catch (Crash e) {
        crashes++;
        there = true;
        written += write(at) ? 1 : 0;
        run(move);
      }
      Map<String, List<String>> before = owned();
      assertThat(moves.find(move.id()).state())
          .as("died at %s", steps)
          .isEqualTo(MoveState.SWITCHED);
      moves.wish(move.id(), Wish.CLEAN_UP);
      run(move);
      assertThat(owned()).isEqualTo(before);
      assertThat(owned().get("orders").stream().filter(row -> row.contains("|N100")).count())
          .isEqualTo(written);
      assertClean();
    }
    assertThat(crashes).isGreaterThan(20);
    assertThat(written).isBetween(crashes - 20, crashes - 1);
  }

  /** False when the bucket is closed, because a worker died in the pause. */
  private boolean write(int at) throws SQLException {
    try {
      insert(5, 10_000 + at, 1);
      execute(owner(6), "UPDATE orders SET note = '" + at + "' WHERE bucket_id = 6");
      return true;
    } catch (SQLException e) {
      assertThat(e.getMessage()).contains("SW001");
      return false;
    }
  }

  @Test
  void worker_whoseMoveWasTakenOver_stops() {
    Move move = move(SOME, S1);
    List<MoveState> others = new ArrayList<>();

    assertThatThrownBy(
            () ->
                run(
                    move,
                    step -> {
                      if (step.equals("copied")) {
                        others.add(takenOver(move));
                      }
                    }))
        .hasMessageContaining("SW413");
    assertThat(others).containsExactly(MoveState.SWITCHED);
    assertThat(BucketSet.of(map().bucketsOf(S1)).containsAll(SOME)).isTrue();
  }

  @Test
  void listener_thatFails_leavesTheLeaseKept() {
    Move move = move(SOME, S1);
    Steps beats =
        step -> {
          if (step.equals("copied")) {
            awaitBeat(move);
            awaitBeat(move);
          }
        };

    try (MoveWorker worker = new MoveWorker(configuration, "worker", beats, chunkRows())) {
      assertThat(
              worker.run(
                  move.id(),
                  some -> {
                    throw new IllegalStateException("a listener fails");
                  }))
          .contains(MoveState.SWITCHED);
    }
  }

  /** Its own worker's next beat may come before another takes it. */
  private MoveState takenOver(Move move) {
    try (MoveWorker other = new MoveWorker(configuration, "other", Steps.NONE, chunkRows())) {
      Optional<MoveState> end;
      do {
        expireLease(move);
        end = other.run(move.id());
      } while (end.isEmpty());
      return end.get();
    }
  }

  private void expireLease(Move move) {
    try (Connection connection =
            DriverManager.getConnection(
                configuration.catalog().orElseThrow().url(), server().user(), server().password());
        Statement statement = connection.createStatement()) {
      statement.execute("UPDATE shardwright_move SET held_until = 0 WHERE id = " + move.id());
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
