package io.shardwright.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.catalog.Move;
import io.shardwright.catalog.Move.Wish;
import io.shardwright.catalog.MoveState;
import io.shardwright.routing.BucketSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * The target dies, for long; its buckets have to go elsewhere. Shard s1 has a server of its own.
 */
abstract class DeadTargetContract extends MoveFixture {
  private static final BucketSet SOME = BucketSet.parse("0-9,15");

  private MoveServer.Own own;

  @Override
  String newDatabase(String name) {
    if (!name.equals(S1.name())) {
      return super.newDatabase(name);
    }
    own = server().startOwn();
    return own.createDatabase().apply("moves");
  }

  @AfterEach
  void closeServer() {
    own.close().run();
  }

  private void fill() throws SQLException {
    for (int order = 1; order <= 60; order++) {
      insert(order % BUCKETS, order, order % 4);
    }
  }

  @Test
  void cancelledMove_leavesItsBucketsToAnotherTarget_andIsCleanedUpLater() throws SQLException {
    fill();
    Map<String, List<String>> before = owned();
    Move dead = move(SOME, S1);
    assertThatThrownBy(
            () ->
                run(
                    dead,
                    step -> {
                      if (step.equals("copied")) {
                        own.crash().run();
                      }
                    }))
        .hasMessageContaining("SW401");
    assertThatThrownBy(() -> move(SOME, S2)).hasMessageContaining("SW603");
    moves.wish(dead.id(), Wish.CANCEL);

    assertThat(run(dead)).isEqualTo(MoveState.ABANDONED);

    assertThat(moves.find(dead.id()).note())
        .contains("shard s1 cannot be reached", "shardwright move cleanup " + dead.id());
    assertThat(catalog.load().announced()).containsEntry("orders", SOME);
    assertThat(rows(S0, "SELECT bucket FROM shardwright_bucket WHERE captured")).isEmpty();
    assertThat(rows(S0, "SELECT * FROM shardwright_capture_orders")).isEmpty();
    insert(3, 1_003, 2);
    // There its copies would be in the way.
    assertThatThrownBy(() -> move(SOME, S1))
        .hasMessageContaining("SW603")
        .hasMessageContaining("move " + dead.id());
    Move other = move(SOME, S2);
    assertThat(run(other)).isEqualTo(MoveState.SWITCHED);
    moves.wish(other.id(), Wish.CLEAN_UP);
    assertThat(run(other)).isEqualTo(MoveState.DONE);
    assertThat(run(dead)).isEqualTo(MoveState.ABANDONED);

    moves.wish(dead.id(), Wish.CLEAN_UP);
    assertThatThrownBy(() -> run(dead)).hasMessageContaining("SW401").hasMessageContaining("s1");
    own.start().run();
    assertThat(rows(S1, "SELECT * FROM orders WHERE bucket_id = 3")).isNotEmpty();
    assertThat(run(dead)).isEqualTo(MoveState.CANCELLED);
    assertThat(BucketSet.of(map().bucketsOf(S2)).containsAll(SOME)).isTrue();
    assertClean();
    Map<String, List<String>> after = owned();
    assertThat(after.get("orders")).hasSize(before.get("orders").size() + 1);
    assertThat(after.get("items")).containsAll(before.get("items"));
    assertThat(run(move(SOME, S1))).isEqualTo(MoveState.SWITCHED);
    assertThat(owned()).isEqualTo(after);
  }

  @Test
  void moveThatHasTouchedNothing_isCancelledWithoutItsTarget() throws SQLException {
    Move planned = move(SOME, S1);
    own.stop().run();
    moves.wish(planned.id(), Wish.CANCEL);

    assertThat(run(planned)).isEqualTo(MoveState.CANCELLED);
    assertThat(run(move(SOME, S2))).isEqualTo(MoveState.SWITCHED);
  }
}
