package io.shardwright.bench;

import com.zaxxer.hikari.HikariDataSource;
import io.shardwright.driver.Shardwright;
import io.shardwright.driver.ShardwrightDataSource;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * How long from opening the driver to the first routed row in a fresh JVM, and how much of that do
 * the pools' own connections take? Fresh processes in turn: one opens the driver, one opens the
 * same pools by hand and waits for a connection of each shard. Medians of both and their
 * difference.
 */
final class ColdStart {
  private static final int TIMEOUT_SECONDS = 60;

  private ColdStart() {}

  /** Medians over {@code runs} pairs of processes. */
  record Result(int runs, double shardwrightMillis, double handRoutedMillis) {
    double differenceMillis() {
      return shardwrightMillis - handRoutedMillis;
    }
  }

  static Result measure(BenchShards shards, int runs) throws IOException, InterruptedException {
    double[] driver = new double[runs];
    double[] byHand = new double[runs];
    for (int run = 0; run < runs; run++) {
      driver[run] = child(shards, "shardwright");
      byHand[run] = child(shards, "hand");
    }
    return new Result(runs, median(driver), median(byHand));
  }

  static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
  }

  private static double child(BenchShards shards, String way)
      throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Child.class.getName(),
                way,
                shards.configuration().toString(),
                shards.user(),
                shards.password()));
    command.addAll(shards.urls());
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    try (InputStream output = process.getInputStream()) {
      String text = new String(output.readAllBytes(), StandardCharsets.UTF_8).strip();
      if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
        throw new IOException("the measured process failed: " + text);
      }
      return Long.parseLong(text) / 1e6;
    } finally {
      process.destroyForcibly();
    }
  }

  /** The measured process: prints nanoseconds. */
  static final class Child {
    private static final Workload.OrderKey KEY = Workload.OrderKey.ofRow(0);

    private Child() {}

    public static void main(String[] arguments) throws SQLException {
      long start = System.nanoTime();
      String way = arguments[0];
      if (way.equals("shardwright")) {
        try (ShardwrightDataSource source = Shardwright.open(Path.of(arguments[1]))) {
          PointSelect.shardwright(source, KEY);
          System.out.println(System.nanoTime() - start);
        }
      } else {
        List<String> urls = List.of(arguments).subList(4, arguments.length);
        try (HandRouter router = new HandRouter(urls, arguments[2], arguments[3])) {
          for (HikariDataSource pool : router.pools()) {
            Connection first = pool.getConnection();
            first.close();
          }
          PointSelect.handRouted(router, KEY);
          System.out.println(System.nanoTime() - start);
        }
      }
    }
  }
}
