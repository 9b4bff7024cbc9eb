package io.shardwright.migration;

import io.shardwright.catalog.SqlFailure;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.ShardId;
import java.sql.SQLException;

/** What a shard answered to a mover, as Shardwright's errors. */
final class ShardFailures {
  private ShardFailures() {}

  static ShardwrightException unavailable(ShardId shard, SQLException e) {
    if (SqlFailure.isLogin(e) || SqlFailure.isMissingRight(e)) {
      return new ShardwrightException(
          ErrorCode.SHARD_LOGIN_FAILED,
          "shard "
              + shard
              + " refused the mover ("
              + e.getMessage()
              + "); check mover: in shardwright.yaml and the grants of docs/moves.md",
          e);
    }
    return new ShardwrightException(
        ErrorCode.SHARD_UNAVAILABLE, "shard " + shard + " cannot be used: " + e.getMessage(), e);
  }
}
