package io.shardwright.examples.orders;

import io.shardwright.catalog.Catalog;
import io.shardwright.catalog.CatalogHeat;
import io.shardwright.catalog.Move;
import io.shardwright.catalog.MoveState;
import io.shardwright.config.Configuration;
import io.shardwright.config.ConfigurationEdit;
import io.shardwright.config.ConfigurationReader;
import io.shardwright.driver.Shardwright;
import io.shardwright.driver.ShardwrightDataSource;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.migration.Balance;
import io.shardwright.migration.Comparison;
import io.shardwright.migration.MoveWorkers;
import io.shardwright.migration.Moves;
import io.shardwright.migration.NewShard;
import io.shardwright.migration.RebalancePlan;
import io.shardwright.routing.BucketMap;
import io.shardwright.routing.ShardId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Two shards more while an application runs: servers are started and prepared, the plan moves
 * buckets to them, both sides are compared, the old copies are deleted. What the commands {@code
 * shard add}, {@code rebalance --run}, {@code move verify} and {@code move cleanup} do, in Java.
 */
final class SecondAct {
  private static final int MORE = 2;

  /** Moves at a time. */
  private static final int PARALLEL = 2;

  /** Requests before the change, to compare with, and after it. */
  private static final int QUIET_REQUESTS = 400;

  private static final long LOOK_MILLIS = 500;
  private static final Duration TRAFFIC = Duration.ofHours(1);

  private final DemoShards shards;
  private final OrderTraffic traffic;
  private final Consumer<String> progress;
  private final BlockingQueue<Move> news = new LinkedBlockingQueue<>();
  private final List<String> failures = new ArrayList<>();

  SecondAct(DemoShards shards, OrderTraffic traffic, Consumer<String> progress) {
    this.shards = shards;
    this.traffic = traffic;
    this.progress = progress;
  }

  DemoReport.Growth run() throws SQLException, InterruptedException {
    traffic.awaitRequests(QUIET_REQUESTS);
    DemoReport.Requests before = traffic.take();
    progress.accept("adding " + MORE + " shards under traffic");
    Map<String, String> added = shards.startMore(MORE);
    for (Map.Entry<String, String> shard : added.entrySet()) {
      add(shards.file(), new ShardId(shard.getKey()), shard.getValue());
    }
    Configuration configuration = ConfigurationReader.read(shards.file());
    long start = System.nanoTime();
    try (Moves moves = new Moves(configuration, "demo")) {
      Map<Long, Move> all = create(moves, configuration);
      try (MoveWorkers workers = new MoveWorkers(configuration, "demo", PARALLEL, listener())) {
        workers.start();
        await(all, MoveState.SWITCHED);
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
        traffic.awaitRequests(traffic.seen().count() + QUIET_REQUESTS);
        DemoReport.Requests during = traffic.take();
        int verified = verify(moves, all);
        all.keySet().forEach(moves::cleanUp);
        await(all, MoveState.DONE);
        return growth(List.copyOf(added.keySet()), all, millis, before, during, verified);
      }
    }
  }

  /** Into the file only when all is right there. */
  private static void add(Path file, ShardId shard, String entry) throws SQLException {
    try {
      String next = ConfigurationEdit.withShard(Files.readString(file), shard.name(), entry);
      Configuration after = ConfigurationReader.parse(file.toString(), next, Map.of());
      NewShard.Prepared prepared =
          NewShard.prepare(after, shard, Optional.of(SecondAct::runSchemaChanges));
      if (!prepared.ok() || prepared.schemaChanges().orElse(0) == 0 || prepared.rows().isEmpty()) {
        throw new ShardwrightException(
            ErrorCode.SCHEMA_INVALID, "shard " + shard + " was not prepared: " + prepared);
      }
      ConfigurationEdit.replace(file, next);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static int runSchemaChanges(Configuration configuration) throws SQLException {
    try (ShardwrightDataSource database = Shardwright.open(configuration)) {
      return database.resumeDdl().size();
    }
  }

  private static Map<Long, Move> create(Moves moves, Configuration configuration) {
    Map<ShardId, Integer> weights = new TreeMap<>();
    configuration.shards().values().forEach(shard -> weights.put(shard.id(), shard.weight()));
    BucketMap map;
    try (Catalog catalog = Catalog.open(configuration)) {
      map = catalog.load().maps().get("orders");
    }
    CatalogHeat.Recorded traffic = Balance.traffic(configuration, TRAFFIC);
    RebalancePlan plan =
        RebalancePlan.ofAll(
            map,
            Balance.read(configuration, map, traffic).measures(Balance.By.BYTES_AND_TRAFFIC),
            weights);
    Map<Long, Move> all = new TreeMap<>();
    for (RebalancePlan.Step step : plan.steps()) {
      for (Move move :
          moves.create("orders", step.buckets(), step.target(), Move.Options.DEFAULT)) {
        all.put(move.id(), move);
      }
    }
    return all;
  }

  private MoveWorkers.Listener listener() {
    return new MoveWorkers.Listener() {
      @Override
      public void at(Move move) {
        news.add(move);
      }

      @Override
      public void failed(Move move, ShardwrightException why) {
        failed(why);
      }

      @Override
      public void failed(ShardwrightException why) {
        synchronized (failures) {
          failures.add(why.getMessage());
        }
      }
    };
  }

  private void await(Map<Long, Move> all, MoveState state) throws InterruptedException {
    while (all.values().stream().anyMatch(move -> move.state() != state)) {
      Move move = news.poll(LOOK_MILLIS, TimeUnit.MILLISECONDS);
      if (move != null) {
        all.put(move.id(), move);
      }
      synchronized (failures) {
        if (!failures.isEmpty()) {
          throw new ShardwrightException(
              ErrorCode.CHECK_FAILED, "a move of the demo failed: " + failures);
        }
      }
      progress.accept(line(all, state));
    }
  }

  private String line(Map<Long, Move> all, MoveState state) {
    long copied = all.values().stream().mapToLong(move -> move.counters().copied()).sum();
    DemoReport.Requests requests = traffic.seen();
    return String.format(
        Locale.ROOT,
        "%s: %d of %d moves %s, %d rows copied; %d requests, longest %.1f ms, %d errors",
        state == MoveState.DONE ? "deleting old copies" : "moving buckets",
        all.values().stream().filter(move -> move.state() == state).count(),
        all.size(),
        state.name().toLowerCase(Locale.ROOT),
        copied,
        requests.count(),
        requests.maxMicros() / 1e3,
        traffic.errors().size());
  }

  private int verify(Moves moves, Map<Long, Move> all) {
    int buckets = 0;
    for (long id : all.keySet()) {
      progress.accept("comparing both sides of move " + id);
      Comparison found = moves.verify(id);
      buckets += found.isGood() ? found.verified().buckets() : 0;
    }
    return buckets;
  }

  private static DemoReport.Growth growth(
      List<String> added,
      Map<Long, Move> all,
      long millis,
      DemoReport.Requests before,
      DemoReport.Requests during,
      int verified) {
    List<Duration> pauses =
        all.values().stream().flatMap(move -> move.pauses().stream()).sorted().toList();
    return new DemoReport.Growth(
        added,
        all.size(),
        all.values().stream().mapToInt(move -> move.buckets().size()).sum(),
        all.values().stream().collect(Collectors.summingLong(move -> move.counters().copied())),
        millis,
        pauses.size(),
        all.values().stream().mapToLong(move -> move.counters().attempts()).sum(),
        pauses.isEmpty() ? 0 : micros(pauses.get(pauses.size() / 2)),
        pauses.isEmpty() ? 0 : micros(pauses.get(pauses.size() - 1)),
        before,
        during,
        verified);
  }

  private static long micros(Duration pause) {
    return TimeUnit.NANOSECONDS.toMicros(pause.toNanos());
  }
}
