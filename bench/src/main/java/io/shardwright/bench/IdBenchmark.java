package io.shardwright.bench;

import io.shardwright.ids.GeneIdGenerator;
import io.shardwright.ids.NodeLease;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.GeneIdLayout;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * How many gene ids does one thread get? One id per operation, over all 4,096 buckets in turn, with
 * the system's clock. By hand: the clock and one compare-and-set, the least that any such generator
 * does.
 *
 * <p>Run: {@code java -jar bench/target/shardwright-bench-*.jar ids} (docs/performance.md).
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(2)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class IdBenchmark {
  private static final int BUCKETS = 4_096;
  private static final int NODE = 1;
  private static final int SEQUENCE_BITS = 22;

  private final BucketId[] genes = new BucketId[BUCKETS];
  private final InstantSource clock = InstantSource.system();
  private final AtomicLong last = new AtomicLong();
  private GeneIdGenerator generator;
  private int next;

  @Setup
  public void open() {
    for (int i = 0; i < BUCKETS; i++) {
      genes[i] = new BucketId(i);
    }
    generator =
        new GeneIdGenerator(GeneIdLayout.forBuckets(BUCKETS), 0, NodeLease.fixed(NODE), clock);
  }

  @Benchmark
  public long shardwright() {
    next = (next + 1) & (BUCKETS - 1);
    return generator.next(genes[next]);
  }

  @Benchmark
  public long byHand() {
    while (true) {
      long before = last.get();
      long id = Math.max(clock.millis() << SEQUENCE_BITS, before + 1);
      if (last.compareAndSet(before, id)) {
        return id;
      }
    }
  }
}
