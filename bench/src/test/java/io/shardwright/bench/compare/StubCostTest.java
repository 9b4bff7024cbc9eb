package io.shardwright.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What the driver adds to statements that are routed by hand, over shards without a server:
 * statements and commits exactly, bytes and processor time within limits. No wall-clock time.
 */
class StubCostTest {
  private static final int TURNS = 5;
  private static final int KEYS = 600;
  private static final Map<String, Workload> WORKLOADS = Workloads.all();

  private static Stand stand;
  private static Opponents raw;
  private static Opponents shardwright;
  private static Runner rawRunner;
  private static Runner shardwrightRunner;

  @BeforeAll
  static void open() throws Exception {
    stand = Stand.start(Database.POSTGRESQL, Scale.TINY, Set.of(Workloads.STUB));
    raw = new Opponents(stand.setup(Side.RAW));
    rawRunner = new Runner(stand.setup(Side.RAW));
    shardwright = new Opponents(stand.setup(Side.SHARDWRIGHT));
    shardwrightRunner = new Runner(stand.setup(Side.SHARDWRIGHT));
    for (Workload workload : WORKLOADS.values()) {
      if (workload.isOnStub()) {
        run(raw, rawRunner, workload, KEYS);
        run(shardwright, shardwrightRunner, workload, KEYS);
      }
    }
    raw.sealStubs();
    shardwright.sealStubs();
  }

  @AfterAll
  static void close() {
    shardwright.close();
    raw.close();
    stand.close();
  }

  @ParameterizedTest
  @CsvSource({
    "stub-point, 1, 0",
    "stub-literal, 1, 0",
    "stub-new-text, 1, 0",
    "stub-insert, 1, 0",
    "stub-create-order, 5, 1",
    "stub-in-200, 8, 0",
    "stub-in-500, 8, 0",
    "stub-top-20, 8, 0",
  })
  void operation_sendsTheseStatementsAndCommits(String name, int statements, int commits)
      throws Exception {
    Slot slot = run(shardwright, shardwrightRunner, WORKLOADS.get(name), 50);

    assertThat(slot.statements()).isEqualTo(50L * statements);
    assertThat(slot.transactionEnds()).isEqualTo(50L * commits);
  }

  @ParameterizedTest
  @CsvSource({"stub-in-2", "stub-in-20"})
  void inListOfFewKeys_sendsAsManyStatementsAsByHand(String name) throws Exception {
    Slot slot = run(shardwright, shardwrightRunner, WORKLOADS.get(name), 50);
    Slot byHand = run(raw, rawRunner, WORKLOADS.get(name), 50);

    assertThat(slot.statements()).isEqualTo(byHand.statements());
  }

  /** Bytes are those after a warm-up that leaves more interpreted than the benchmark's does. */
  @ParameterizedTest
  @CsvSource({
    "stub-point, 20000, 1152, 30",
    "stub-literal, 20000, 3328, 60",
    "stub-insert, 10000, 2560, 60",
    "stub-create-order, 3000, 12288, 300",
    "stub-in-500, 300, 196608, 2000",
    "stub-top-20, 1000, 24576, 1000",
  })
  void operation_staysWithinItsLimits(
      String name, int operations, double bytesMax, double microsMax) throws Exception {
    Workload workload = WORKLOADS.get(name);
    run(raw, rawRunner, workload, operations);
    run(shardwright, shardwrightRunner, workload, operations);
    double bytes = Double.MAX_VALUE;
    double micros = Double.MAX_VALUE;
    for (int turn = 0; turn < TURNS; turn++) {
      Slot byHand = run(raw, rawRunner, workload, operations);
      Slot slot = run(shardwright, shardwrightRunner, workload, operations);
      bytes = Math.min(bytes, perOperation(slot.bytes() - byHand.bytes(), operations));
      micros =
          Math.min(micros, perOperation(slot.cpuNanos() - byHand.cpuNanos(), operations) / 1e3);
    }

    assertThat(bytes).as("bytes over hand-routed").isLessThanOrEqualTo(bytesMax);
    assertThat(micros).as("processor us over hand-routed").isLessThanOrEqualTo(microsMax);
  }

  private static double perOperation(long sum, int operations) {
    return (double) sum / operations;
  }

  private static Slot run(Opponents side, Runner runner, Workload workload, int operations)
      throws SQLException, InterruptedException {
    Opponent opponent = side.of(workload.set());
    long statements = side.stubExecutions();
    long ends = side.stubTransactionEnds();
    return runner
        .run(workload.operation(), opponent, new Runner.Plan(Long.MAX_VALUE, operations, 1, 0, 17))
        .with(0, side.stubExecutions() - statements, side.stubTransactionEnds() - ends);
  }
}
