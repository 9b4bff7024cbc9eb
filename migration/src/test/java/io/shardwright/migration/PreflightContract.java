package io.shardwright.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.config.Configuration;
import io.shardwright.config.ConfigurationReader;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.BucketMap;
import io.shardwright.routing.BucketSet;
import io.shardwright.routing.ShardId;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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

  /** The target's constraint would stop the move halfway, or the application's next write. */
  @Test
  void problems_ofValuesThatAreUniqueLocally_areCounted() throws SQLException {
    for (ShardId shard : SHARDS) {
      execute(shard, "ALTER TABLE orders ADD COLUMN slip varchar(20)");
      execute(shard, "CREATE UNIQUE INDEX slips ON orders (slip)");
    }
    Configuration local =
        ConfigurationReader.parse(
            "test.yaml",
            yaml.replace("{orders: ,", "{orders: {unique: {slips: local}},"),
            Map.of());
    BucketMap map = catalog.load().maps().get("orders");
    List<BucketId> ofS0 = map.bucketsOf(S0);
    BucketId ofS1 = map.bucketsOf(S1).get(0);
    BucketId ofS2 = map.bucketsOf(S2).get(0);
    insertSlip(S0, ofS0.get(0), 1, "'here and there'");
    insertSlip(S0, ofS0.get(1), 2, "'once'");
    insertSlip(S0, ofS0.get(1), 3, "NULL");
    insertSlip(S0, ofS0.get(2), 4, "'stays'");
    insertSlip(S1, ofS1, 5, "'here and there'");
    insertSlip(S2, ofS2, 6, "NULL");
    insertSlip(S2, ofS2, 7, "'stays'");
    BucketSet moved = BucketSet.of(List.of(ofS0.get(0), ofS0.get(1)));

    assertThat(new Preflight(local, catalog, "orders").problems(moved, S2)).isEmpty();
    assertThat(new Preflight(local, catalog, "orders").problems(moved, S1))
        .singleElement()
        .asString()
        .contains("slips of table orders", "refuse 1 row on shard s1", "[slip]");
    assertThat(
            new Preflight(local, catalog, "orders")
                .problems(moved.plus(BucketSet.of(List.of(ofS0.get(2), ofS1))), S2))
        .as("one is there, one comes from two shards")
        .singleElement()
        .asString()
        .contains("refuse 2 rows on shard s2");
  }

  private void insertSlip(ShardId shard, BucketId bucket, int id, String slip) throws SQLException {
    execute(
        shard,
        "INSERT INTO orders (bucket_id, buyer_id, order_id, order_no, slip) VALUES (%s, %d, %d, 'n', %s)"
            .formatted(bucket, id, id, slip));
  }
}
