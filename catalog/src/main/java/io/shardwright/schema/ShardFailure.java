package io.shardwright.schema;

import io.shardwright.catalog.SqlFailure;
import io.shardwright.config.Configuration.Shard;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import java.sql.SQLException;

/** What a shard's SQLException means to someone who runs a tool. */
final class ShardFailure {
  private ShardFailure() {}

  static ShardwrightException of(Shard shard, SQLException e) {
    String at = "shard " + shard.id() + " at " + shard.endpoint();
    String key = "shards." + shard.id();
    if (SqlFailure.isLogin(e)) {
      return new ShardwrightException(
          ErrorCode.SHARD_LOGIN_FAILED,
          at
              + " refused user "
              + shard.endpoint().user()
              + " ("
              + e.getMessage()
              + "); check "
              + key
              + ".user and "
              + key
              + ".password",
          e);
    }
    if (SqlFailure.isMissingRight(e)) {
      return new ShardwrightException(
          ErrorCode.SCHEMA_INVALID,
          at
              + ": user "
              + shard.endpoint().user()
              + " lacks a right ("
              + e.getMessage()
              + "); run apply as the owner of the tables",
          e);
    }
    return new ShardwrightException(
        ErrorCode.SHARD_UNAVAILABLE,
        at
            + " could not be used ("
            + e.getMessage()
            + "), the other shards were; check that the server runs and "
            + key
            + ".url leads to it, then run this again",
        e);
  }
}
