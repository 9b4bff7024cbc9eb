package io.shardwright.driver;

import io.shardwright.config.DatabaseProduct;
import io.shardwright.routing.ShardId;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;

/**
 * Ends a transaction over several shards: asks all of them, then commits in shard order.
 *
 * <p>Problem: without two-phase commit a failure between two commits leaves a part applied. Idea:
 * what can fail is made to fail before the first commit. Each shard is asked for a sign of life
 * that an aborted transaction or a broken connection does not give, and PostgreSQL checks its
 * deferred constraints then. What remains is a crash, a broken connection or a serialization
 * failure between the first commit and the last: {@link MultiTransactionException} says where that
 * left each shard.
 *
 * <p>Crash points: before the first commit nothing is applied, since servers roll back what is open
 * when a connection ends; between two commits those of the shards before are.
 */
final class MultiCommit {
  private final Executor executor;
  private final DatabaseProduct product;
  private final List<Lease> leases;

  /**
   * @param leases in shard order
   */
  MultiCommit(Executor executor, DatabaseProduct product, List<Lease> leases) {
    this.executor = executor;
    this.product = product;
    this.leases = leases;
  }

  /**
   * @throws SQLException the shard's own error when nothing was applied anywhere, else {@link
   *     MultiTransactionException}; every other transaction has been rolled back then
   */
  void run() throws SQLException {
    Parallel.Failure failed = ask();
    if (failed != null) {
      leases.get(failed.part()).failed(failed.reason());
      MultiShardWrite.rollback(leases);
      throw nothingApplied(leases.get(failed.part()), failed.reason());
    }
    for (int i = 0; i < leases.size(); i++) {
      try {
        leases.get(i).connection().commit();
      } catch (SQLException e) {
        leases.get(i).failed(e);
        List<Lease> rest = leases.subList(i + 1, leases.size());
        MultiShardWrite.rollback(rest);
        throw failure(i, e);
      }
    }
  }

  private Parallel.Failure ask() {
    String question =
        product == DatabaseProduct.POSTGRESQL ? "SET CONSTRAINTS ALL IMMEDIATE" : "DO 1";
    return Parallel.run(
        executor,
        new Parallel.Parts() {
          @Override
          public int size() {
            return leases.size();
          }

          @Override
          public void run(int part) throws SQLException {
            try (Statement statement = leases.get(part).connection().createStatement()) {
              statement.execute(question);
            }
          }

          @Override
          public void cancel(int part) {
            // Ends by itself.
          }
        });
  }

  private static SQLException nothingApplied(Lease failed, Exception reason) {
    SQLException e =
        reason instanceof SQLException sql ? sql : new SQLException(String.valueOf(reason), reason);
    SqlErrors.on(failed.shard(), e);
    e.addSuppressed(new SqlErrors.Note("the transaction was rolled back on every shard"));
    return e;
  }

  private SQLException failure(int failed, SQLException e) {
    boolean unknown = PhysicalErrors.isConnectionBroken(e);
    if (failed == 0 && !unknown) {
      return nothingApplied(leases.get(0), e);
    }
    List<ShardId> rolledBack = shards(leases.subList(failed + 1, leases.size()));
    if (!unknown) {
      rolledBack.add(0, leases.get(failed).shard());
    }
    return new MultiTransactionException(
        new MultiTransactionException.Outcome(
            List.copyOf(shards(leases.subList(0, failed))),
            List.copyOf(rolledBack),
            unknown ? List.of(leases.get(failed).shard()) : List.of()),
        e);
  }

  private static List<ShardId> shards(List<Lease> leases) {
    List<ShardId> shards = new ArrayList<>();
    leases.forEach(lease -> shards.add(lease.shard()));
    return shards;
  }
}
