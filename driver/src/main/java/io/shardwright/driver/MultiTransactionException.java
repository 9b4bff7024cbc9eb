package io.shardwright.driver;

import io.shardwright.errors.ErrorCode;
import io.shardwright.routing.ShardId;
import java.sql.SQLNonTransientException;
import java.util.List;

/**
 * The commit of a transaction over several shards ({@code transaction=multi}) succeeded on some and
 * not on others. Never repeat the transaction as it is: compare the rows by route key and complete
 * or undo them shard by shard. The cause is the physical driver's exception.
 */
public final class MultiTransactionException extends SQLNonTransientException
    implements ShardwrightError {
  private static final long serialVersionUID = 1L;

  private final Outcome outcome;

  /**
   * Every shard of the transaction is in one of the lists, each in shard order.
   *
   * @param unknown the connection broke after COMMIT was sent: applied as a whole or not at all
   */
  record Outcome(List<ShardId> committed, List<ShardId> rolledBack, List<ShardId> unknown)
      implements java.io.Serializable {}

  MultiTransactionException(Outcome outcome, Throwable cause) {
    super(
        ErrorCode.MULTI_TRANSACTION_PARTIAL.code()
            + ": the commit of a transaction over several shards failed: committed on "
            + outcome.committed()
            + ", rolled back on "
            + outcome.rolledBack()
            + ", unknown on "
            + outcome.unknown()
            + " ("
            + cause.getMessage()
            + "); do not repeat it as it is: compare the rows by route key and complete or undo them"
            + " shard by shard",
        ErrorCode.MULTI_TRANSACTION_PARTIAL.sqlState(),
        SqlErrors.number(ErrorCode.MULTI_TRANSACTION_PARTIAL),
        cause);
    this.outcome = outcome;
  }

  public List<ShardId> committed() {
    return outcome.committed();
  }

  public List<ShardId> rolledBack() {
    return outcome.rolledBack();
  }

  public List<ShardId> unknown() {
    return outcome.unknown();
  }

  @Override
  public ErrorCode code() {
    return ErrorCode.MULTI_TRANSACTION_PARTIAL;
  }
}
