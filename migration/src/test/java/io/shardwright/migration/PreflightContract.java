package io.shardwright.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.routing.BucketSet;
import io.shardwright.routing.ShardId;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What would go wrong is said before anything is done. */
abstract class PreflightContract extends MoveFixture {
  private static final BucketSet SOME = BucketSet.parse("0-30");

  private List<String> problems(ShardId target) {
    return new Preflight(configuration, catalog, "orders").problems(SOME, target);
  }

  abstract void spoil(ShardId shard) throws SQLException;

  @Test
  void problems_ofGoodShards_areNone() {
    assertThat(problems(S2)).isEmpty();
  }

  @Test
  void problems_ofSeveralKinds_areToldAtOnce() throws SQLException {
    execute(S2, "ALTER TABLE orders ADD COLUMN extra int");
    execute(S1, "DELETE FROM shardwright_bucket WHERE bucket = 7");
    spoil(S0);

    assertThat(problems(S2))
        .hasSizeBetween(4, 9)
        .anySatisfy(
            problem -> assertThat(problem).contains("orders differs", "column extra int", "s2"))
        .anySatisfy(
            problem -> assertThat(problem).contains("shard s1 lacks rows of shardwright_bucket"))
        .anySatisfy(problem -> assertThat(problem).contains("lacks a right on shard s0"))
        .anySatisfy(problem -> assertThat(problem).contains("audit", "the mover"));
    assertThatThrownBy(() -> new Preflight(configuration, catalog, "orders").require(SOME, S2))
        .hasMessageContaining("nothing was done")
        .hasMessageContaining("column extra");
  }

  @Test
  void problems_ofUnknownTargetOrGroup_nameIt() {
    assertThat(problems(new ShardId("s9"))).singleElement().asString().contains("no shard s9");
    assertThat(new Preflight(configuration, catalog, "other").problems(SOME, S2))
        .singleElement()
        .asString()
        .contains("other");
  }

  /** Another move's buckets are closed, or somebody else's by now. */
  @Test
  void problems_whileAnotherMoveIsInItsCutover_areNone() {
    BucketSet others = BucketSet.parse("10-20");
    List<List<String>> found = new ArrayList<>();
    run(
        move(BucketSet.parse("0-9"), S2),
        step -> {
          if (List.of("closed", "published", "away", "open").contains(step)) {
            found.add(new Preflight(configuration, catalog, "orders").problems(others, S2));
          }
        });
    assertThat(found).hasSize(4).allSatisfy(problems -> assertThat(problems).isEmpty());
  }
}
