package io.shardwright.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.shardwright.bench.stub.StubDatabase;
import io.shardwright.driver.Shardwright;
import io.shardwright.driver.ShardwrightDataSource;
import java.lang.management.ManagementFactory;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What can be counted exactly: physical statements, commits and allocated bytes. */
class PointSelectCostTest {
  /**
   * On top of hand-routed. The benchmark's target is 1,024; here less is compiled, so that more
   * objects are really made.
   */
  private static final long ALLOCATED_BYTES_MAX = 1_152;

  private static final long TEXT_ALLOCATED_BYTES_MAX = 2_816;

  private static final int WARMUP = 30_000;
  private static final int OPERATIONS = 10_000;

  private static BenchShards shards;
  private static ShardwrightDataSource shardwright;

  @BeforeAll
  static void open() throws Exception {
    shards = BenchShards.stub();
    shardwright = Shardwright.open(shards.configuration());
    // The first statement on each shard asks who it is.
    for (int row = 0; row < 64; row++) {
      PointSelect.shardwright(shardwright, Workload.OrderKey.ofRow(row));
    }
    shards.seal();
  }

  @AfterAll
  static void close() throws Exception {
    shardwright.close();
    shards.close();
  }

  @Test
  void pointSelect_sendsOneStatementAndNothingElse() throws SQLException {
    assertThat(PointSelect.shardwright(shardwright, Workload.OrderKey.ofRow(1)))
        .isEqualTo(new BigDecimal("12.34"));
    long statements = executions();
    long commits = transactionEnds();
    for (int row = 0; row < 100; row++) {
      PointSelect.shardwright(shardwright, Workload.OrderKey.ofRow(row));
    }

    assertThat(executions() - statements).isEqualTo(100);
    assertThat(transactionEnds() - commits).isZero();
  }

  @Test
  void scatter_sendsOneStatementPerShard() throws SQLException {
    long statements = executions();
    long commits = transactionEnds();
    try (Connection connection = shardwright.getConnection();
        PreparedStatement select =
            connection.prepareStatement(
                "SELECT order_id, status, total_amount FROM orders ORDER BY order_id LIMIT 20");
        ResultSet rows = select.executeQuery()) {
      int count = 0;
      while (rows.next()) {
        count++;
      }
      assertThat(count).isEqualTo(Workload.SHARDS);
    }

    assertThat(executions() - statements).isEqualTo(Workload.SHARDS);
    assertThat(transactionEnds() - commits).isZero();
  }

  @Test
  void insert_sendsOneStatement() throws SQLException {
    long statements = executions();
    long commits = transactionEnds();
    try (Connection connection = shardwright.getConnection()) {
      assertThat(insert(connection, 7)).isEqualTo(1);
    }

    assertThat(executions() - statements).isEqualTo(1);
    assertThat(transactionEnds() - commits).isZero();
  }

  @Test
  void transaction_sendsItsStatementsAndOneCommit() throws SQLException {
    long statements = executions();
    long commits = transactionEnds();
    try (Connection connection = shardwright.getConnection()) {
      connection.setAutoCommit(false);
      insert(connection, 7);
      insert(connection, 7);
      connection.commit();
    }

    assertThat(executions() - statements).isEqualTo(2);
    assertThat(transactionEnds() - commits).isEqualTo(1);
  }

  @Test
  void pointSelect_allocatesLittleOnTopOfHandRouted() throws SQLException {
    try (HandRouter byHand = shards.handRouter()) {
      Operation driver = key -> PointSelect.shardwright(shardwright, key);
      Operation yardstick = key -> PointSelect.handRouted(byHand, key);
      bytesPerOperation(driver, WARMUP);
      bytesPerOperation(yardstick, WARMUP);

      long difference =
          bytesPerOperation(driver, OPERATIONS) - bytesPerOperation(yardstick, OPERATIONS);

      assertThat(difference).isLessThanOrEqualTo(ALLOCATED_BYTES_MAX);
    }
  }

  @Test
  void textWithLiterals_allocatesLittleOnTopOfHandRouted() throws SQLException {
    try (HandRouter byHand = shards.handRouter()) {
      Operation driver =
          key -> PointSelect.shardwrightText(shardwright, PointSelect.text(key, "total"));
      Operation yardstick =
          key -> PointSelect.handRoutedText(byHand, key, PointSelect.text(key, "total"));
      bytesPerOperation(driver, WARMUP);
      bytesPerOperation(yardstick, WARMUP);

      long difference =
          bytesPerOperation(driver, OPERATIONS) - bytesPerOperation(yardstick, OPERATIONS);

      assertThat(difference).isLessThanOrEqualTo(TEXT_ALLOCATED_BYTES_MAX);
    }
  }

  @Test
  void textWithLiterals_sendsOneStatement() throws SQLException {
    long statements = executions();
    for (int row = 0; row < 100; row++) {
      PointSelect.shardwrightText(
          shardwright, PointSelect.text(Workload.OrderKey.ofRow(row), "total"));
    }

    assertThat(executions() - statements).isEqualTo(100);
  }

  private interface Operation {
    BigDecimal run(Workload.OrderKey key) throws SQLException;
  }

  private static long bytesPerOperation(Operation operation, int count) throws SQLException {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    Workload.OrderKey key = Workload.OrderKey.ofRow(7);
    long before = threads.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < count; i++) {
      operation.run(key);
    }
    return (threads.getCurrentThreadAllocatedBytes() - before) / count;
  }

  private static int insert(Connection connection, int row) throws SQLException {
    Workload.OrderKey key = Workload.OrderKey.ofRow(row);
    try (PreparedStatement insert = connection.prepareStatement(Workload.INSERT)) {
      insert.setLong(1, key.tenantId());
      insert.setLong(2, key.buyerId());
      insert.setLong(3, key.orderId());
      insert.setString(4, "PAID");
      insert.setBigDecimal(5, BigDecimal.TEN);
      insert.setObject(6, Timestamp.from(Instant.EPOCH));
      return insert.executeUpdate();
    }
  }

  private static long executions() {
    return shards.stubs().stream().mapToLong(StubDatabase::executions).sum();
  }

  private static long transactionEnds() {
    return shards.stubs().stream().mapToLong(StubDatabase::transactionEnds).sum();
  }
}
