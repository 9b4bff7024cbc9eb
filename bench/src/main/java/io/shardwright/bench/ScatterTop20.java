package io.shardwright.bench;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.sql.DataSource;

/**
 * How long does the newest 20 of all shards take through the driver, against the slowest shard
 * asked alone for its own 20? Rounds in turn: one scatter, each shard by itself, and all shards at
 * once by hand without a merge, which is the least that these processors can do. Medians of the
 * scatter, of each round's slowest shard and of the scatter by hand.
 */
final class ScatterTop20 {
  private static final int ROWS = 20;

  private ScatterTop20() {}

  record Result(int rounds, double scatterMicros, double slowestShardMicros, double byHandMicros) {
    double ratio() {
      return scatterMicros / slowestShardMicros;
    }
  }

  static Result measure(DataSource shardwright, HandRouter byHand, int warmup, int rounds)
      throws SQLException, InterruptedException, ExecutionException {
    double[] scatter = new double[rounds];
    double[] slowest = new double[rounds];
    double[] allByHand = new double[rounds];
    ExecutorService threads = Executors.newFixedThreadPool(byHand.pools().size());
    try {
      for (int round = -warmup; round < rounds; round++) {
        double all = micros(shardwright);
        double max = 0;
        for (HikariDataSource shard : byHand.pools()) {
          max = Math.max(max, micros(shard));
        }
        double together = together(byHand, threads);
        if (round >= 0) {
          scatter[round] = all;
          slowest[round] = max;
          allByHand[round] = together;
        }
      }
    } finally {
      threads.shutdownNow();
    }
    return new Result(
        rounds, ColdStart.median(scatter), ColdStart.median(slowest), ColdStart.median(allByHand));
  }

  private static double together(HandRouter byHand, ExecutorService threads)
      throws SQLException, InterruptedException, ExecutionException {
    long start = System.nanoTime();
    List<Future<Double>> others = new ArrayList<>();
    for (HikariDataSource shard : byHand.pools().subList(1, byHand.pools().size())) {
      others.add(threads.submit(() -> micros(shard)));
    }
    micros(byHand.pools().get(0));
    for (Future<Double> other : others) {
      other.get();
    }
    return (System.nanoTime() - start) / 1e3;
  }

  private static double micros(DataSource source) throws SQLException {
    long start = System.nanoTime();
    try (Connection connection = source.getConnection();
        PreparedStatement statement = connection.prepareStatement(Workload.TOP_20);
        ResultSet rows = statement.executeQuery()) {
      int count = 0;
      while (rows.next()) {
        if (rows.getLong(1) >= 0) {
          count++;
        }
      }
      if (count != ROWS) {
        throw new SQLException(count + " rows instead of " + ROWS);
      }
    }
    return (System.nanoTime() - start) / 1e3;
  }
}
