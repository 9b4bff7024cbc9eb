package io.shardwright.query;

import io.shardwright.driver.ShardwrightError;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;

/** When jobs ask shards again. */
public final class Retries {
  public static final Duration PAUSE_MIN = Duration.ofMillis(100);
  private static final Duration PAUSE_MAX = Duration.ofSeconds(5);

  private Retries() {}

  /** The pause after this one: twice as long, 5 s at most. */
  public static Duration longer(Duration pause) {
    Duration twice = pause.multipliedBy(2);
    return twice.compareTo(PAUSE_MAX) < 0 ? twice : PAUSE_MAX;
  }

  /**
   * Whether the same question may be answered later.
   *
   * @param e of Shardwright, or an SQLException
   */
  public static boolean mayPass(Exception e) {
    Optional<ErrorCode> code = code(e);
    if (code.isPresent()) {
      return code.get().retryable() || code.get() == ErrorCode.BUCKET_MOVED;
    }
    String state = String.valueOf(((SQLException) e).getSQLState());
    return !state.startsWith("22") && !state.startsWith("42");
  }

  /** Empty: it is of a database. */
  static Optional<ErrorCode> code(Exception e) {
    if (e instanceof ShardwrightException known) {
      return Optional.of(known.code());
    }
    return e instanceof ShardwrightError error ? Optional.of(error.code()) : Optional.empty();
  }
}
