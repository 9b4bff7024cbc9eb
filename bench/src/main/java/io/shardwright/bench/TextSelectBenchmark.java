package io.shardwright.bench;

import io.shardwright.driver.Shardwright;
import io.shardwright.driver.ShardwrightDataSource;
import java.io.IOException;
import java.math.BigDecimal;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What does a statement cost whose values are written into its text, so that no text comes twice?
 * The point SELECT of {@link PointSelectBenchmark} as a plain statement, each with a key of its
 * own; and texts that the driver has never seen in any form, each with another column name.
 *
 * <p>Run: {@code java -jar bench/target/shardwright-bench-*.jar text} (docs/performance.md).
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(2)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class TextSelectBenchmark {
  private int next;
  private BenchShards bench;
  private HandRouter handRouter;
  private ShardwrightDataSource shardwright;

  @Setup(Level.Trial)
  public void open() throws SQLException, IOException {
    bench = BenchShards.stub();
    handRouter = bench.handRouter();
    shardwright = Shardwright.open(bench.configuration());
    for (int row = 0; row < 64; row++) {
      PointSelect.shardwright(shardwright, Workload.OrderKey.ofRow(row));
    }
    bench.seal();
  }

  @Benchmark
  public BigDecimal handRouted() throws SQLException {
    Workload.OrderKey key = Workload.OrderKey.ofRow(next++ & Integer.MAX_VALUE);
    return PointSelect.handRoutedText(handRouter, key, PointSelect.text(key, "total"));
  }

  @Benchmark
  public BigDecimal shardwright() throws SQLException {
    Workload.OrderKey key = Workload.OrderKey.ofRow(next++ & Integer.MAX_VALUE);
    return PointSelect.shardwrightText(shardwright, PointSelect.text(key, "total"));
  }

  @Benchmark
  public BigDecimal neverSeen() throws SQLException {
    int row = next++ & Integer.MAX_VALUE;
    return PointSelect.shardwrightText(
        shardwright, PointSelect.text(Workload.OrderKey.ofRow(row), "total_" + row));
  }

  @TearDown(Level.Trial)
  public void close() throws Exception {
    shardwright.close();
    handRouter.close();
    bench.close();
  }
}
