package io.shardwright.server;

import io.shardwright.driver.ShardwrightError;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.query.Blocker;
import io.shardwright.query.IncompleteException;
import io.shardwright.query.QueryAnswer.Coverage;
import io.shardwright.query.RequestProblem;
import io.shardwright.query.RequestRefusedException;
import io.shardwright.query.SettlementWaitsException;
import java.io.EOFException;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a failed query is answered with.
 *
 * @param message without the code
 */
record Failures(
    int status,
    ErrorCode code,
    String message,
    List<RequestProblem> problems,
    Optional<Coverage> coverage,
    List<Blocker> blockers) {
  private static final Logger LOG = LoggerFactory.getLogger(Failures.class);

  private static final int BAD_REQUEST = 400;
  private static final int UNAUTHENTICATED = 401;
  private static final int NOT_FOUND = 404;
  private static final int CONFLICT = 409;
  private static final int TOO_MANY = 429;
  private static final int BUG = 500;
  private static final int UNAVAILABLE = 503;
  private static final int TIMEOUT = 504;

  static Failures of(Exception e) {
    if (e instanceof RequestRefusedException refused) {
      return new Failures(
          status(refused.code()),
          refused.code(),
          refused.detail(),
          refused.problems(),
          Optional.empty(),
          List.of());
    }
    if (e instanceof IncompleteException incomplete) {
      return new Failures(
          status(incomplete.code()),
          incomplete.code(),
          incomplete.detail(),
          List.of(),
          Optional.of(incomplete.coverage()),
          List.of());
    }
    if (e instanceof SettlementWaitsException waits) {
      return new Failures(
          status(waits.code()),
          waits.code(),
          waits.detail(),
          List.of(),
          Optional.empty(),
          waits.blockers());
    }
    if (e instanceof ShardwrightException known) {
      if (known.code() == ErrorCode.GATEWAY_DIRECTORY) {
        // Its message names no path.
        LOG.error("what a caller asked for", e);
      }
      tellOfBug(known.code(), e);
      return of(known.code(), known.detail());
    }
    if (e instanceof SQLException sql) {
      return of(sql);
    }
    if (e instanceof EOFException || e instanceof TimeoutException) {
      return of(ErrorCode.QUERY_INVALID, "the request did not arrive whole; send it again");
    }
    LOG.error("a bug in Shardwright", e);
    return of(ErrorCode.INVARIANT_BROKEN, "a bug in Shardwright, which its log tells of");
  }

  private static Failures of(SQLException e) {
    if (e instanceof ShardwrightError error) {
      tellOfBug(error.code(), e);
      String prefix = error.code().code() + ": ";
      String message = e.getMessage();
      return of(
          error.code(), message.startsWith(prefix) ? message.substring(prefix.length()) : message);
    }
    String state = String.valueOf(e.getSQLState());
    if (state.startsWith("22")) {
      // Its text may show the value, which the caller wrote.
      return of(ErrorCode.QUERY_INVALID, "a value does not fit its column: " + e.getMessage());
    }
    LOG.error("a shard refused the statement of a query", e);
    return of(
        ErrorCode.SHARD_UNAVAILABLE,
        "a shard refused the statement (SQLSTATE " + state + "); the log of the gateway tells why");
  }

  /** The caller's message has no stack trace. */
  private static void tellOfBug(ErrorCode code, Exception e) {
    if (code == ErrorCode.INVARIANT_BROKEN) {
      LOG.error("a bug in Shardwright", e);
    }
  }

  /** The same failure with something before its message. */
  Failures because(String before) {
    return new Failures(status, code, before + message, problems, coverage, blockers);
  }

  static Failures of(ErrorCode code, String message) {
    return new Failures(status(code), code, message, List.of(), Optional.empty(), List.of());
  }

  private static int status(ErrorCode code) {
    return switch (code) {
      case SCATTER_TIMEOUT -> TIMEOUT;
      case TOKEN_INVALID -> UNAUTHENTICATED;
      case WRITES_UNPROVEN -> CONFLICT;
      case JOB_UNKNOWN -> NOT_FOUND;
      case SHARD_POOL_EXHAUSTED, BUCKET_MOVED -> UNAVAILABLE;
      default ->
          switch (code.category()) {
            case USER -> BAD_REQUEST;
            case RESOURCE, CONFLICT -> TOO_MANY;
            case EXTERNAL -> UNAVAILABLE;
            case BUG -> BUG;
          };
    };
  }

  byte[] body() {
    return Bodies.error(this);
  }
}
