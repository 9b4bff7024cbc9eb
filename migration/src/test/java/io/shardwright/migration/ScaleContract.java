package io.shardwright.migration;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.catalog.Catalog;
import io.shardwright.catalog.Move;
import io.shardwright.catalog.Move.Options;
import io.shardwright.catalog.MoveState;
import io.shardwright.config.Configuration;
import io.shardwright.config.ConfigurationReader;
import io.shardwright.driver.Shardwright;
import io.shardwright.driver.ShardwrightDataSource;
import io.shardwright.routing.BucketMap;
import io.shardwright.routing.BucketSet;
import io.shardwright.routing.ShardId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Six shards become three, one after the other, and six again, while applications work. */
abstract class ScaleContract extends MoveFixture {
  private static final ShardId S3 = new ShardId("s3");
  private static final ShardId S4 = new ShardId("s4");
  private static final ShardId S5 = new ShardId("s5");
  private static final List<ShardId> SIX = List.of(S0, S1, S2, S3, S4, S5);

  private final TortureLoad load = new TortureLoad(7, TortureLoad.Errors.CONFLICTS);

  @Override
  List<ShardId> shards() {
    return SIX;
  }

  @Test
  void shards_goAndComeUnderTraffic_andNobodyNotices() throws Exception {
    MoveWorkers.Listener quiet = move -> {};
    try (ShardwrightDataSource first = Shardwright.open(configuration);
        ShardwrightDataSource second = Shardwright.open(configuration);
        MoveWorkers workers = new MoveWorkers(configuration, "workers", 4, quiet);
        Moves operator = new Moves(configuration, "operator")) {
      load.start(first, second);
      workers.start();
      try {
        Map<ShardId, Integer> weights = new TreeMap<>();
        SIX.forEach(shard -> weights.put(shard, 1));
        for (ShardId leaving : List.of(S5, S4, S3)) {
          weights.put(leaving, 0);
          move(operator, RebalancePlan.draining(map(), bytes(), weights));
          assertThat(map().bucketsOf(leaving)).isEmpty();
        }
        assertRemovable();
        BucketSet hot = BucketSet.of(List.of(map().bucketsOf(S0).iterator().next()));
        end(operator, operator.create("orders", hot, S3, Options.DEFAULT));
        assertThat(BucketSet.of(map().bucketsOf(S3))).isEqualTo(hot);
        weights.put(S4, 1);
        weights.put(S5, 1);
        weights.put(S3, 1);
        RebalancePlan out = RebalancePlan.of(map(), bytes(), weights);
        move(operator, out);
        assertThat(out.skewAfter()).isLessThan(out.skewBefore());
        SIX.forEach(shard -> assertThat(map().bucketsOf(shard)).as("%s", shard).isNotEmpty());
        load.awaitProgress();
      } finally {
        load.stop();
      }
    }
    List<String> orders = new ArrayList<>();
    List<String> items = new ArrayList<>();
    for (ShardId shard : SIX) {
      orders.addAll(rows(shard, "SELECT order_id, amount, note FROM orders"));
      items.addAll(rows(shard, "SELECT order_id, amount FROM items"));
    }
    load.assertStored(orders, items);
    assertClean();
  }

  private List<Long> bytes() {
    return BucketSizes.read(configuration, map()).bytes();
  }

  private void move(Moves operator, RebalancePlan plan) {
    List<Move> created = new ArrayList<>();
    for (RebalancePlan.Step step : plan.steps()) {
      created.addAll(operator.create("orders", step.buckets(), step.target(), Options.DEFAULT));
    }
    assertThat(created).isNotEmpty();
    end(operator, created);
  }

  /** By the workers; each is cleaned up as soon as its buckets are switched. */
  private void end(Moves operator, List<Move> created) {
    for (Move move : created) {
      load.await(move + "", () -> operator.find(move.id()).state() == MoveState.SWITCHED);
      operator.cleanUp(move.id());
    }
    for (Move move : created) {
      load.await(move + "", () -> operator.find(move.id()).state() == MoveState.DONE);
    }
    assertThat(load.isOver()).as("a reader or writer failed").isFalse();
  }

  /** A file without the shards that own nothing is as good. */
  private void assertRemovable() {
    String three = yaml.replaceAll("(?m)^  s[345]: .*\n", "");
    Configuration rest = ConfigurationReader.parse("three.yaml", three, Map.of());
    assertThat(rest.shards()).hasSize(3);
    try (Catalog smaller = Catalog.open(rest)) {
      BucketMap map = smaller.load().maps().get("orders");
      assertThat(SIX.subList(0, 3).stream().mapToInt(s -> map.bucketsOf(s).size()).sum())
          .isEqualTo(BUCKETS);
    }
  }
}
