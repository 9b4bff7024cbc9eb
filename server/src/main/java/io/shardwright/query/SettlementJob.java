package io.shardwright.query;

import io.shardwright.config.Configuration;
import io.shardwright.driver.Completeness;
import io.shardwright.driver.ShardwrightDataSource;
import io.shardwright.driver.ShardwrightSession;
import io.shardwright.query.Settlement.Difference;
import io.shardwright.query.Settlement.Part;
import io.shardwright.query.SettlementPlan.Content;
import io.shardwright.query.SettlementStore.Stored;
import io.shardwright.routing.BucketMap;
import io.shardwright.routing.ShardId;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Makes one number of a settlement: waits until all clocks have passed the cut-off, then until no
 * transaction from before is in flight on any shard, notes each shard's position, reads the rows of
 * all shards, compares them with the number before, and publishes.
 *
 * <p>The transactions are looked at when <em>all</em> clocks have passed: a bucket that moves, or a
 * server that takes over for another with a clock within the skew of these, gives no older values.
 * What fails before the end leaves no number. Its state is read by any thread.
 */
final class SettlementJob implements Runnable {
  /** Between two looks at what is in flight. */
  private static final Duration PAUSE = Duration.ofMillis(200);

  /** A cut-off further ahead is not waited for by a thread. */
  private static final Duration AHEAD_MAX = Duration.ofMinutes(1);

  /** When nobody has asked for so long it waits no more. */
  static final Duration FORGOTTEN = Duration.ofMinutes(1);

  /** Rows of each shard in memory. */
  private static final int FETCH_ROWS = 500;

  private static final String READ_TIMEOUT = "60m";

  private final Content plan;
  private final long number;
  private final String caller;
  private final Tools tools;
  private final Map<ShardId, TransactionWatch> watches = new TreeMap<>();
  private final Map<ShardId, TransactionWatch.Clock> clocks = new TreeMap<>();
  private final Map<ShardId, Optional<String>> positions = new TreeMap<>();
  private final CompletableFuture<Long> made = new CompletableFuture<>();
  private volatile State state = new State("it waits for its turn", List.of(), PAUSE);
  private volatile long askedNanos;
  private volatile long doneNanos;

  /**
   * @param doing for people
   * @param again when it is worth asking
   */
  record State(String doing, List<Blocker> blockers, Duration again) {}

  /**
   * What all jobs of a gateway share.
   *
   * @param closed counted down when the gateway closes
   */
  record Tools(
      ShardwrightDataSource source,
      Configuration configuration,
      SettlementStore store,
      InstantSource clock,
      LongSupplier nanos,
      CountDownLatch closed) {}

  /**
   * @param caller name of who asked first
   */
  SettlementJob(Content plan, long number, String caller, Tools tools) {
    this.plan = plan;
    this.number = number;
    this.caller = caller;
    this.tools = tools;
    for (Configuration.Shard shard : tools.configuration().shards().values()) {
      watches.put(shard.id(), TransactionWatch.of(shard, plan.cutOff()));
    }
    asked();
  }

  long number() {
    return number;
  }

  String caller() {
    return caller;
  }

  /** Whether it ended since it had waited long enough, and not by an answer. */
  boolean gaveUp() {
    return made.isCompletedExceptionally()
        && made.handle((number, failure) -> failure instanceof SettlementWaitsException).join();
  }

  State state() {
    return state;
  }

  /** Ends with the number. */
  CompletableFuture<Long> made() {
    return made;
  }

  /** Somebody waits for it. */
  void asked() {
    askedNanos = tools.nanos().getAsLong();
  }

  /** Since it ended; zero: it has not. */
  Duration age() {
    return made.isDone() ? Duration.ofNanos(tools.nanos().getAsLong() - doneNanos) : Duration.ZERO;
  }

  @Override
  public void run() {
    try {
      awaitClocks();
      awaitTransactions();
      for (TransactionWatch watch : watches.values()) {
        positions.put(watch.shard(), watch.position());
      }
      make();
      doneNanos = tools.nanos().getAsLong();
      made.complete(number);
    } catch (SQLException | RuntimeException | Error e) {
      doneNanos = tools.nanos().getAsLong();
      made.completeExceptionally(e);
    } catch (IOException e) {
      doneNanos = tools.nanos().getAsLong();
      made.completeExceptionally(
          GatewayDirectory.unusable(tools.store().prepare(plan.id(), number, "rows"), e));
    }
  }

  private void awaitClocks() {
    while (true) {
      Duration behind = Duration.ZERO;
      TransactionWatch last = null;
      for (TransactionWatch watch : watches.values()) {
        state = new State("shard " + watch.shard() + " is asked for its time", List.of(), PAUSE);
        TransactionWatch.Clock clock = watch.clock(tools.clock());
        clocks.put(watch.shard(), clock);
        Duration left = Duration.between(clock.server(), watch.end());
        if (left.compareTo(behind) > 0) {
          behind = left;
          last = watch;
        }
      }
      if (last == null) {
        return;
      }
      state =
          new State(
              "the clock of shard "
                  + last.shard()
                  + " says "
                  + clocks.get(last.shard()).server()
                  + ", and has to be "
                  + TransactionWatch.MARGIN.toSeconds()
                  + " s past the cut-off "
                  + plan.cutOff(),
              List.of(),
              behind);
      if (behind.compareTo(AHEAD_MAX) > 0) {
        throw waits();
      }
      pause(behind.compareTo(PAUSE) > 0 ? PAUSE : behind);
    }
  }

  private void awaitTransactions() {
    List<TransactionWatch> left = new ArrayList<>(watches.values());
    while (true) {
      List<Blocker> blockers = new ArrayList<>();
      List<TransactionWatch> waiting = new ArrayList<>();
      for (TransactionWatch watch : left) {
        List<Blocker> own = watch.blockers();
        blockers.addAll(own);
        if (!own.isEmpty()) {
          waiting.add(watch);
        }
      }
      if (waiting.isEmpty()) {
        return;
      }
      left = waiting;
      state =
          new State(
              "transactions from before the cut-off are in flight",
              blockers,
              Duration.ofSeconds(1));
      pause(PAUSE);
    }
  }

  private void pause(Duration time) {
    try {
      if (tools.closed().await(Math.max(1, time.toMillis()), TimeUnit.MILLISECONDS)) {
        throw new SettlementWaitsException(
            "the gateway stops; the settlement was not made; ask again", List.of(), PAUSE);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw waits();
    }
    if (tools.nanos().getAsLong() - askedNanos > FORGOTTEN.toNanos()) {
      throw waits();
    }
  }

  /** What a request is told whose time is up. */
  SettlementWaitsException waits() {
    State now = state;
    StringBuilder message = new StringBuilder("number ").append(number);
    message.append(" of the settlement is not made yet: ").append(now.doing());
    now.blockers().forEach(blocker -> message.append("; ").append(blocker));
    message.append("; ask again");
    if (number > 1) {
      message.append(" with \"settlement\": {\"rerun\": true, \"number\": ").append(number);
      message.append("}, which makes it once");
    }
    return new SettlementWaitsException(message.toString(), now.blockers(), now.again());
  }

  private void make() throws SQLException, IOException {
    SettlementWriter rows =
        new SettlementWriter(tools.store().prepare(plan.id(), number, "rows"), plan.columns());
    Completeness coverage;
    try (rows;
        Connection connection = tools.source().getConnection()) {
      ShardwrightSession session = connection.unwrap(ShardwrightSession.class);
      session.set("scatter", "allow");
      session.set("partial", "refuse");
      // An index that lags would leave rows out for good.
      session.set("freshness", "own-writes");
      session.set("timeout", READ_TIMEOUT);
      try (PreparedStatement select = connection.prepareStatement(plan.sql())) {
        select.setFetchSize(FETCH_ROWS);
        for (int i = 0; i < plan.parameters().size(); i++) {
          select.setObject(i + 1, plan.parameters().get(i));
        }
        try (ResultSet result = select.executeQuery()) {
          coverage = result.unwrap(Completeness.class);
          requireKnown(coverage);
          read(result, rows, coverage);
        }
      }
      rows.finish();
    }
    publish(rows, coverage);
  }

  /** A shard that this process got to know meanwhile was not waited for. */
  private void requireKnown(Completeness coverage) {
    for (ShardId shard : coverage.expected()) {
      if (!watches.containsKey(shard)) {
        throw new SettlementWaitsException(
            "number "
                + number
                + " of the settlement was not made: shard "
                + shard
                + " is newer than this gateway, which could not wait for its transactions; restart"
                + " the gateway, and ask again",
            List.of(),
            PAUSE);
      }
    }
  }

  private void read(ResultSet result, SettlementWriter rows, Completeness coverage)
      throws SQLException, IOException {
    BucketMap map = tools.source().bucketMap(plan.table().group());
    Optional<ShardId> only =
        coverage.expected().size() == 1
            ? Optional.of(coverage.expected().get(0))
            : Optional.empty();
    boolean known =
        coverage.mapVersion().isPresent() && coverage.mapVersion().getAsLong() == map.version();
    rows.byShard(only.isPresent() || known);
    List<PagePlan.Shown> columns = plan.columns();
    while (result.next()) {
      List<Object> values = new ArrayList<>(columns.size() + 1);
      for (int i = 0; i < columns.size(); i++) {
        ColumnType type = columns.get(i).type();
        Object value = type.read(result, i + 1);
        values.add(value == null ? null : type.show(value));
      }
      int bucket = result.getInt(plan.bucket());
      values.add((long) bucket);
      ShardId shard =
          only.orElseGet(
              () ->
                  known && bucket < map.buckets()
                      ? map.shardOf(new io.shardwright.routing.BucketId(bucket))
                      : null);
      rows.add(values, shard);
      if (rows.rows() % FETCH_ROWS == 0) {
        state = new State("its rows are read, " + rows.rows() + " so far", List.of(), PAUSE);
      }
    }
  }

  private void publish(SettlementWriter rows, Completeness coverage) throws IOException {
    state = new State("it is compared with the number before", List.of(), PAUSE);
    Optional<Stored> before = tools.store().previous(plan.id(), number);
    Optional<Difference> difference = Optional.empty();
    if (before.isPresent()) {
      Path target = tools.store().prepare(plan.id(), number, "difference");
      difference =
          Optional.of(
              SettlementDifference.write(
                  before.get().settlement(),
                  before.get().rows(),
                  plan.names(),
                  SettlementRows.open(rows.file()),
                  plan.identity(),
                  target));
    }
    Map<ShardId, Part> parts = new LinkedHashMap<>();
    for (ShardId shard : watches.keySet()) {
      TransactionWatch.Clock clock = clocks.get(shard);
      parts.put(
          shard,
          new Part(
              positions.get(shard),
              clock.server(),
              clock.skew(),
              clock.uncertainty(),
              rows.content(shard)));
    }
    Instant now = tools.clock().instant();
    tools
        .store()
        .publish(
            new Settlement(
                plan.id(),
                number,
                plan.table().name(),
                plan.time().name(),
                plan.from(),
                plan.cutOff(),
                now,
                plan.names(),
                rows.rows(),
                rows.sums(),
                rows.sha256(),
                coverage.mapVersion(),
                parts,
                difference));
  }
}
