package io.shardwright.query;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import java.time.Duration;

/** A query that may be asked later; nothing was sent to a shard. */
public final class RefusedForNowException extends ShardwrightException {
  private static final long serialVersionUID = 1L;

  private final Duration retryAfter;

  RefusedForNowException(ErrorCode code, String message, Duration retryAfter) {
    super(code, message);
    this.retryAfter = retryAfter;
  }

  /**
   * @param message without the code
   */
  public static RefusedForNowException overload(String message) {
    return new RefusedForNowException(ErrorCode.QUERY_OVERLOAD, message, Duration.ofSeconds(1));
  }

  public Duration retryAfter() {
    return retryAfter;
  }
}
