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
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What does the driver cost on top of HikariCP and a hash written by hand? One thread, one prepared
 * point SELECT per operation, from the loan of the connection to its return, over 1,024 keys of
 * four shards. On {@code stub} nothing but Java code runs; {@code real} adds the servers.
 *
 * <p>Run: {@code java -jar bench/target/shardwright-bench-*.jar point} (docs/performance.md).
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(2)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class PointSelectBenchmark {
  private static final int KEYS = 1_024;

  @Param({"stub", "real"})
  String shards;

  private final Workload.OrderKey[] keys = new Workload.OrderKey[KEYS];
  private int next;
  private BenchShards bench;
  private HandRouter handRouter;
  private ShardwrightDataSource shardwright;

  @Setup(Level.Trial)
  public void open() throws SQLException, IOException {
    for (int i = 0; i < KEYS; i++) {
      keys[i] = Workload.OrderKey.ofRow(i);
    }
    bench = shards.equals("stub") ? BenchShards.stub() : BenchShards.real(KEYS);
    handRouter = bench.handRouter();
    shardwright = Shardwright.open(bench.configuration());
    for (Workload.OrderKey key : keys) {
      PointSelect.shardwright(shardwright, key);
      PointSelect.handRouted(handRouter, key);
    }
    if (shards.equals("stub")) {
      bench.seal();
    }
  }

  @Benchmark
  public BigDecimal handRouted() throws SQLException {
    return PointSelect.handRouted(handRouter, nextKey());
  }

  @Benchmark
  public BigDecimal shardwright() throws SQLException {
    return PointSelect.shardwright(shardwright, nextKey());
  }

  @TearDown(Level.Trial)
  public void close() throws Exception {
    shardwright.close();
    handRouter.close();
    bench.close();
  }

  private Workload.OrderKey nextKey() {
    next = (next + 1) & (KEYS - 1);
    return keys[next];
  }
}
