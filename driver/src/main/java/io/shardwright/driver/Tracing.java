package io.shardwright.driver;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.ShardId;
import io.shardwright.sql.Plan;
import io.shardwright.sql.Route;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who is told where a statement went and why: listeners, the debug log of this class, and the
 * current OpenTelemetry span. Free when none of them wants it. Thread-safe.
 */
final class Tracing {
  private static final Logger LOG = LoggerFactory.getLogger(Tracing.class);
  private static final AttributeKey<Long> MAP_VERSION =
      AttributeKey.longKey("shardwright.map_version");
  private static final AttributeKey<List<Long>> BUCKETS =
      AttributeKey.longArrayKey("shardwright.buckets");
  private static final AttributeKey<List<String>> SHARDS =
      AttributeKey.stringArrayKey("shardwright.shards");
  private static final AttributeKey<String> REASON = AttributeKey.stringKey("shardwright.reason");
  private static final AttributeKey<Long> FAN_OUT = AttributeKey.longKey("shardwright.fan_out");

  private final CopyOnWriteArrayList<StatementListener> listeners = new CopyOnWriteArrayList<>();
  private final Supplier<List<ShardId>> allShards;

  /**
   * @param updateCount -1: none
   * @param failure null on success
   * @param startNanos of {@link System#nanoTime()}
   */
  record Result(int physicalStatements, long updateCount, SQLException failure, long startNanos) {}

  /**
   * @param allShards of now
   */
  Tracing(Supplier<List<ShardId>> allShards) {
    this.allShards = allShards;
  }

  void add(StatementListener listener) {
    listeners.add(listener);
  }

  void remove(StatementListener listener) {
    listeners.remove(listener);
  }

  boolean isOn() {
    return !listeners.isEmpty() || LOG.isDebugEnabled() || Span.current().isRecording();
  }

  /**
   * @param route null when routing was refused
   */
  void executed(Plan plan, Route route, Result result) {
    StatementTrace trace = trace(plan, route, result);
    LOG.debug("{}", trace);
    describe(Span.current(), trace);
    for (StatementListener listener : listeners) {
      try {
        listener.executed(trace);
      } catch (RuntimeException e) {
        LOG.warn("statement listener {} failed", listener, e);
      }
    }
  }

  private StatementTrace trace(Plan plan, Route route, Result result) {
    return new StatementTrace(
        plan.sql(),
        plan.kind(),
        plan.group(),
        route == null ? OptionalLong.empty() : route.mapVersion(),
        route == null ? List.of() : buckets(route),
        result.physicalStatements() == 0 ? List.of() : shards(route),
        route == null ? "" : route.reason(),
        result.physicalStatements(),
        result.updateCount() < 0 ? OptionalLong.empty() : OptionalLong.of(result.updateCount()),
        Duration.ofNanos(System.nanoTime() - result.startNanos()),
        Optional.ofNullable(result.failure()).map(Tracing::code));
  }

  private static String code(SQLException failure) {
    return failure instanceof ShardwrightError error
        ? error.code().code()
        : String.valueOf(failure.getSQLState());
  }

  private static List<BucketId> buckets(Route route) {
    Set<BucketId> buckets = new TreeSet<>();
    for (Route.ShardStatement statement : route.statements()) {
      for (BucketId bucket : statement.buckets()) {
        if (buckets.size() == StatementTrace.MAX_BUCKETS) {
          return List.copyOf(buckets);
        }
        buckets.add(bucket);
      }
    }
    return List.copyOf(buckets);
  }

  private List<ShardId> shards(Route route) {
    if (route == null
        || route.target() == Route.Target.ANY_SHARD
        || route.target() == Route.Target.FIRST_SHARD) {
      return List.of();
    }
    if (route.target() == Route.Target.EVERY_SHARD) {
      return allShards.get();
    }
    return List.copyOf(route.shards());
  }

  private static void describe(Span span, StatementTrace trace) {
    if (!span.isRecording()) {
      return;
    }
    if (trace.mapVersion().isPresent()) {
      span.setAttribute(MAP_VERSION, trace.mapVersion().getAsLong());
    }
    span.setAttribute(BUCKETS, trace.buckets().stream().map(b -> (long) b.value()).toList());
    span.setAttribute(SHARDS, trace.shards().stream().map(ShardId::name).toList());
    span.setAttribute(REASON, trace.reason());
    span.setAttribute(FAN_OUT, (long) trace.physicalStatements());
  }
}
