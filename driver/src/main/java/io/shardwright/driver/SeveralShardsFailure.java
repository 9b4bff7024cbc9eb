package io.shardwright.driver;

import io.shardwright.errors.ErrorCode;
import io.shardwright.sql.Plan;
import io.shardwright.sql.Route;
import java.sql.SQLException;
import java.util.Optional;

/** What the caller gets when one shard fails of a statement that runs on several. */
record SeveralShardsFailure(
    ShardwrightConnection connection, ShardwrightStatement statement, Plan plan, Route route) {

  SQLException of(ShardCall call, Exception reason) {
    if (!(reason instanceof SQLException e)) {
      return SqlErrors.of(
          ErrorCode.INVARIANT_BROKEN, "shard " + call.shard() + ": " + reason, reason);
    }
    if (e instanceof ShardwrightError) {
      return e;
    }
    boolean write = plan.kind() != Plan.Kind.SELECT;
    if (!call.ownsLease() && (write || PhysicalErrors.isConnectionBroken(e))) {
      return connection.failed(call, plan, e);
    }
    connection.statementFailed(call.shard());
    if (PhysicalErrors.isConnectionBroken(e)) {
      connection.broken(call);
      return SqlErrors.of(
          ErrorCode.SHARD_UNAVAILABLE,
          "the connection to shard "
              + call.shard()
              + " broke while the statement ran on "
              + route.statements().size()
              + " shards ("
              + e.getMessage()
              + "); "
              + (write ? "nothing was applied on any shard; " : "")
              + "it may be repeated",
          e);
    }
    if (PhysicalErrors.isInterrupted(e) && statement.deadline().isUp()) {
      String outcome = write ? "; nothing of it was applied" : "";
      return statement.deadline().exceeded(" on shard " + call.shard() + outcome, e);
    }
    Optional<SQLException> fence = connection.fence(call.shard(), e);
    if (fence.isPresent()) {
      return fence.get();
    }
    if (PhysicalErrors.isIndexGuard(e)) {
      return connection.indexGuard(call.shard(), e);
    }
    if (write && PhysicalErrors.isLockTimeout(e)) {
      return MultiShardWrite.lockTimeout(call.shard(), e);
    }
    SqlErrors.on(call.shard(), e);
    if (write) {
      e.addSuppressed(new SqlErrors.Note("nothing was applied on any shard"));
    }
    return e;
  }
}
