package io.shardwright.bench;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * How long does the newest 20 of all shards take through the driver, against the slowest shard
 * asked alone for its own 20? Rounds in turn: one scatter, then each shard by itself. Medians of
 * the scatter and of each round's slowest shard.
 */
final class ScatterTop20 {
  private static final int ROWS = 20;

  private ScatterTop20() {}

  record Result(int rounds, double scatterMicros, double slowestShardMicros) {
    double ratio() {
      return scatterMicros / slowestShardMicros;
    }
  }

  static Result measure(DataSource shardwright, HandRouter byHand, int warmup, int rounds)
      throws SQLException {
    double[] scatter = new double[rounds];
    double[] slowest = new double[rounds];
    for (int round = -warmup; round < rounds; round++) {
      double all = micros(shardwright);
      double max = 0;
      for (HikariDataSource shard : byHand.pools()) {
        max = Math.max(max, micros(shard));
      }
      if (round >= 0) {
        scatter[round] = all;
        slowest[round] = max;
      }
    }
    return new Result(rounds, ColdStart.median(scatter), ColdStart.median(slowest));
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
