package io.shardwright.query;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import java.time.Duration;
import java.util.List;

/** A settlement is not made yet; it goes on being made, and may be asked for again. */
public final class SettlementWaitsException extends ShardwrightException {
  private static final long serialVersionUID = 1L;

  private final transient List<Blocker> blockers;
  private final Duration retryAfter;

  SettlementWaitsException(String message, List<Blocker> blockers, Duration retryAfter) {
    super(ErrorCode.SETTLEMENT_WAITS, message);
    this.blockers = List.copyOf(blockers);
    this.retryAfter = retryAfter;
  }

  /** What it waits for; none while clocks have not passed the cut-off, or rows are read. */
  public List<Blocker> blockers() {
    return blockers;
  }

  public Duration retryAfter() {
    return retryAfter;
  }
}
