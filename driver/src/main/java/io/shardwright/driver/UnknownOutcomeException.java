package io.shardwright.driver;

import io.shardwright.errors.ErrorCode;
import io.shardwright.routing.ShardId;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;

/**
 * The connection broke after a write or COMMIT was sent and before its answer: the work may or may
 * not be applied. Never repeat it blindly; first read what it would have written (by its key or a
 * client key), then decide. The cause is the physical driver's exception.
 */
public final class UnknownOutcomeException extends SQLNonTransientConnectionException
    implements ShardwrightError {
  private static final long serialVersionUID = 1L;

  UnknownOutcomeException(String message, Throwable cause) {
    super(
        ErrorCode.OUTCOME_UNKNOWN.code() + ": " + message,
        ErrorCode.OUTCOME_UNKNOWN.sqlState(),
        SqlErrors.number(ErrorCode.OUTCOME_UNKNOWN),
        cause);
  }

  static UnknownOutcomeException atCommit(ShardId shard, SQLException cause) {
    return new UnknownOutcomeException(
        "the connection to shard "
            + shard
            + " broke after COMMIT was sent: the transaction is applied as a whole or not at all;"
            + " read a row that it wrote, by its key, before repeating anything",
        cause);
  }

  @Override
  public ErrorCode code() {
    return ErrorCode.OUTCOME_UNKNOWN;
  }
}
