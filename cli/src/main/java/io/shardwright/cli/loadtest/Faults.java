package io.shardwright.cli.loadtest;

import io.shardwright.cli.loadtest.OpenLoop.Request;
import io.shardwright.cli.loadtest.OpenLoop.Traffic;
import io.shardwright.cli.loadtest.Stand.Reply;
import io.shardwright.config.Configuration;
import io.shardwright.config.Configuration.Endpoint;
import io.shardwright.config.Configuration.Shard;
import io.shardwright.routing.ShardId;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** One shard is slow, or down: the way to it is a proxy, for a driver and a gateway of its own. */
final class Faults implements AutoCloseable {
  private static final Duration DELAY = Duration.ofMillis(500);
  private static final int DEADLINE_MILLIS = 200;

  /** Of the time all is well, to compare with. */
  private static final double WELL = 0.2;

  private static final int WARM_UP = 50;

  /** Longer than a shard rests. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final LatencyProxy proxy;
  private final Stand stand;
  private final String token;
  private final Orders orders;

  /** The last shard of the file is the one. */
  Faults(OwnSchema schema, Orders orders) {
    this.orders = orders;
    this.token = schema.token();
    Configuration configuration = schema.configuration();
    List<ShardId> ids = configuration.shardIds();
    ShardId victim = ids.get(ids.size() - 1);
    Map<ShardId, Shard> shards = new LinkedHashMap<>(configuration.shards());
    Shard direct = shards.get(victim);
    String url = direct.endpoint().url();
    proxy = new LatencyProxy(ServerUrl.of(url).orElseThrow());
    Endpoint endpoint =
        new Endpoint(
            ServerUrl.throughPort(url, proxy.port()),
            direct.endpoint().user(),
            direct.endpoint().password());
    shards.put(
        victim, new Shard(victim, endpoint, direct.pool(), direct.weight(), direct.labels()));
    boolean opened = false;
    try {
      stand = new Stand(configuration.withShards(shards));
      opened = true;
    } finally {
      if (!opened) {
        proxy.close();
      }
    }
  }

  Stand stand() {
    return stand;
  }

  /** All shards answer, several times. */
  void warmUp() {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < WARM_UP; i++) {
      QueryCall.of(stand, token, Scenarios.ofADay(random), orders).send();
    }
  }

  Traffic traffic(Measurement measurement, int perSecond) {
    boolean slow = measurement.scenario() == Scenario.SLOW_SHARD;
    String what = slow ? "one shard slow" : "one shard down";
    // On a machine that is busy with other things none of them may be in time.
    Series well = measurement.refusable("all shards well");
    Series fail = measurement.refusable(what + ", all or none");
    Series partial = measurement.refusable(what + ", partial allowed");
    return new Traffic() {
      private boolean broken;

      @Override
      public List<Request> next(SplittableRandom random, double progress) {
        if (progress >= WELL && !broken) {
          broken = true;
          if (slow) {
            proxy.delay(DELAY);
          } else {
            proxy.cut();
          }
        }
        boolean allow = random.nextBoolean();
        PageQuery query = Scenarios.ofADay(random).within(DEADLINE_MILLIS, broken && allow);
        Series series = broken ? (allow ? partial : fail) : well;
        return List.of(new Request(series, QueryCall.of(stand, token, query, orders)));
      }

      @Override
      public double perSecond(double progress) {
        return perSecond;
      }
    };
  }

  /** Heals, and notes how long it takes until an answer is of all shards again. */
  void recover(Measurement measurement) {
    proxy.heal();
    long start = System.nanoTime();
    PageQuery query = Scenarios.ofADay(new SplittableRandom(1));
    while (System.nanoTime() - start < PATIENCE.toNanos()) {
      Reply reply = stand.ask(query.json(), token);
      if (reply.body().path("complete").asBoolean()) {
        measurement.note("all shards answer again after", (System.nanoTime() - start) / 1e6, "ms");
        measurement.add(QueryCall.of(stand, token, query, orders).judge(reply));
        return;
      }
    }
    measurement.wrong(
        "the shard is well, and no answer was of all shards within " + PATIENCE.toSeconds() + " s");
  }

  @Override
  public void close() {
    try {
      stand.close();
    } finally {
      proxy.close();
    }
  }
}
