package io.shardwright.query;

import com.fasterxml.jackson.databind.json.JsonMapper;
import io.shardwright.catalog.DatabaseLogin;
import io.shardwright.config.Configuration;
import io.shardwright.config.DatabaseProduct;
import io.shardwright.driver.ScatterLimits.ShardGate;
import io.shardwright.routing.ShardId;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * How many rows the planners of the shards' databases expect, by their statistics; no row is read.
 * Thread-safe.
 */
final class Estimates {
  private static final JsonMapper MAPPER = new JsonMapper();

  private final Configuration configuration;
  private final Executor background;
  private final ShardGate gate;

  /**
   * @param missing shards that did not say, and why
   */
  record Estimate(long rows, Map<ShardId, String> missing) {}

  /**
   * @param background where shards are asked, so that silent ones hold up no others
   * @param gate of shards that are not asked for a while
   */
  Estimates(Configuration configuration, Executor background, ShardGate gate) {
    this.configuration = configuration;
    this.background = background;
    this.gate = gate;
  }

  /**
   * @param sql a SELECT of the rows
   * @param patience for all shards together
   */
  Estimate of(List<ShardId> shards, String sql, List<Object> parameters, Duration patience) {
    Map<ShardId, CompletableFuture<Long>> asked = new LinkedHashMap<>();
    Map<ShardId, String> missing = new TreeMap<>();
    for (ShardId shard : shards) {
      Optional<String> closed = gate.closed(shard);
      if (closed.isPresent()) {
        missing.put(shard, closed.get());
        continue;
      }
      asked.put(
          shard,
          CompletableFuture.supplyAsync(() -> askOrThrow(shard, sql, parameters), background));
    }
    long end = System.nanoTime() + patience.toNanos();
    long rows = 0;
    for (Map.Entry<ShardId, CompletableFuture<Long>> shard : asked.entrySet()) {
      try {
        rows += shard.getValue().get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
      } catch (TimeoutException e) {
        missing.put(shard.getKey(), "it did not estimate in time");
      } catch (ExecutionException e) {
        missing.put(shard.getKey(), "it cannot estimate: " + e.getCause().getMessage());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        missing.put(shard.getKey(), "the wait for it was interrupted");
      }
    }
    return new Estimate(rows, missing);
  }

  private long askOrThrow(ShardId shard, String sql, List<Object> parameters) {
    try {
      return ask(configuration.shards().get(shard), sql, parameters);
    } catch (SQLException | IOException e) {
      throw new CompletionException(e);
    }
  }

  private static long ask(Configuration.Shard shard, String sql, List<Object> parameters)
      throws SQLException, IOException {
    boolean postgres = shard.endpoint().product() == DatabaseProduct.POSTGRESQL;
    try (Connection connection = DatabaseLogin.SHORT.open(shard.endpoint());
        PreparedStatement explain =
            connection.prepareStatement(
                (postgres ? "EXPLAIN (FORMAT JSON) " : "EXPLAIN EXTENDED ") + sql)) {
      for (int i = 0; i < parameters.size(); i++) {
        explain.setObject(i + 1, parameters.get(i));
      }
      try (ResultSet rows = explain.executeQuery()) {
        rows.next();
        if (postgres) {
          return MAPPER.readTree(rows.getString(1)).get(0).get("Plan").get("Plan Rows").asLong();
        }
        // NULL where nothing can match.
        return Math.round(rows.getDouble("rows") * rows.getDouble("filtered") / 100);
      }
    }
  }
}
