package io.shardwright.driver;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.ShardId;
import java.sql.SQLDataException;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLIntegrityConstraintViolationException;
import java.sql.SQLInvalidAuthorizationSpecException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLNonTransientException;
import java.sql.SQLSyntaxErrorException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransactionRollbackException;
import java.sql.SQLTransientConnectionException;
import java.sql.SQLTransientException;
import java.sql.SQLWarning;

/**
 * Errors as JDBC wants them: the subclass of SQLException that fits the SQLSTATE, the code first in
 * the message and its number as vendor code.
 */
final class SqlErrors {
  private SqlErrors() {}

  static SQLException of(ShardwrightException e) {
    return create(e.code(), e.getMessage(), e);
  }

  static SQLException of(ErrorCode code, String message) {
    return of(code, message, null);
  }

  static SQLException of(ErrorCode code, String message, Throwable cause) {
    return create(code, code.code() + ": " + message, cause);
  }

  static SQLException unsupported(String what, String instead) {
    return of(ErrorCode.JDBC_FEATURE_UNSUPPORTED, what + " is not supported; " + instead);
  }

  static SQLWarning warning(ErrorCode code, String message) {
    return new SQLWarning(code.code() + ": " + message, code.sqlState(), number(code));
  }

  /** 205 of SW205. */
  static int number(ErrorCode code) {
    return Integer.parseInt(code.code().substring(2));
  }

  /**
   * The database's own exception, with the shard's name among its suppressed ones. The exception
   * stays the same object: SQLSTATE, class and the physical driver's details are kept.
   */
  static <E extends SQLException> E on(ShardId shard, E e) {
    for (Throwable note : e.getSuppressed()) {
      if (note instanceof Note) {
        return e;
      }
    }
    e.addSuppressed(new Note("on shard " + shard));
    return e;
  }

  private static SQLException create(ErrorCode code, String message, Throwable cause) {
    String state = code.sqlState();
    return switch (state.substring(0, 2)) {
      case "0A" -> new Unsupported(code, message, cause);
      case "42" -> new Syntax(code, message, cause);
      case "23" -> new Constraint(code, message, cause);
      case "22" -> new Data(code, message, cause);
      case "28" -> new Login(code, message, cause);
      case "08" ->
          code.retryable()
              ? new Unavailable(code, message, cause)
              : new Closed(code, message, cause);
      default -> createByKind(code, message, cause);
    };
  }

  private static SQLException createByKind(ErrorCode code, String message, Throwable cause) {
    return switch (code.sqlState()) {
      case "40001" -> new Rollback(code, message, cause);
      case "57014" -> new Timeout(code, message, cause);
      default ->
          code.retryable()
              ? new Transient(code, message, cause)
              : new Refused(code, message, cause);
    };
  }

  /** Something that the database's own exception cannot say; among its suppressed ones. */
  static final class Note extends Exception {
    private static final long serialVersionUID = 1L;

    Note(String text) {
      super(text, null, false, false);
    }
  }

  private static final class Unsupported extends SQLFeatureNotSupportedException
      implements ShardwrightError {
    private static final long serialVersionUID = 1L;
    private final ErrorCode code;

    Unsupported(ErrorCode code, String message, Throwable cause) {
      super(message, code.sqlState(), number(code), cause);
      this.code = code;
    }

    @Override
    public ErrorCode code() {
      return code;
    }
  }

  private static final class Syntax extends SQLSyntaxErrorException implements ShardwrightError {
    private static final long serialVersionUID = 1L;
    private final ErrorCode code;

    Syntax(ErrorCode code, String message, Throwable cause) {
      super(message, code.sqlState(), number(code), cause);
      this.code = code;
    }

    @Override
    public ErrorCode code() {
      return code;
    }
  }

  private static final class Constraint extends SQLIntegrityConstraintViolationException
      implements ShardwrightError {
    private static final long serialVersionUID = 1L;
    private final ErrorCode code;

    Constraint(ErrorCode code, String message, Throwable cause) {
      super(message, code.sqlState(), number(code), cause);
      this.code = code;
    }

    @Override
    public ErrorCode code() {
      return code;
    }
  }

  private static final class Data extends SQLDataException implements ShardwrightError {
    private static final long serialVersionUID = 1L;
    private final ErrorCode code;

    Data(ErrorCode code, String message, Throwable cause) {
      super(message, code.sqlState(), number(code), cause);
      this.code = code;
    }

    @Override
    public ErrorCode code() {
      return code;
    }
  }

  private static final class Login extends SQLInvalidAuthorizationSpecException
      implements ShardwrightError {
    private static final long serialVersionUID = 1L;
    private final ErrorCode code;

    Login(ErrorCode code, String message, Throwable cause) {
      super(message, code.sqlState(), number(code), cause);
      this.code = code;
    }

    @Override
    public ErrorCode code() {
      return code;
    }
  }

  private static final class Unavailable extends SQLTransientConnectionException
      implements ShardwrightError {
    private static final long serialVersionUID = 1L;
    private final ErrorCode code;

    Unavailable(ErrorCode code, String message, Throwable cause) {
      super(message, code.sqlState(), number(code), cause);
      this.code = code;
    }

    @Override
    public ErrorCode code() {
      return code;
    }
  }

  private static final class Closed extends SQLNonTransientConnectionException
      implements ShardwrightError {
    private static final long serialVersionUID = 1L;
    private final ErrorCode code;

    Closed(ErrorCode code, String message, Throwable cause) {
      super(message, code.sqlState(), number(code), cause);
      this.code = code;
    }

    @Override
    public ErrorCode code() {
      return code;
    }
  }

  private static final class Rollback extends SQLTransactionRollbackException
      implements ShardwrightError {
    private static final long serialVersionUID = 1L;
    private final ErrorCode code;

    Rollback(ErrorCode code, String message, Throwable cause) {
      super(message, code.sqlState(), number(code), cause);
      this.code = code;
    }

    @Override
    public ErrorCode code() {
      return code;
    }
  }

  private static final class Timeout extends SQLTimeoutException implements ShardwrightError {
    private static final long serialVersionUID = 1L;
    private final ErrorCode code;

    Timeout(ErrorCode code, String message, Throwable cause) {
      super(message, code.sqlState(), number(code), cause);
      this.code = code;
    }

    @Override
    public ErrorCode code() {
      return code;
    }
  }

  private static final class Transient extends SQLTransientException implements ShardwrightError {
    private static final long serialVersionUID = 1L;
    private final ErrorCode code;

    Transient(ErrorCode code, String message, Throwable cause) {
      super(message, code.sqlState(), number(code), cause);
      this.code = code;
    }

    @Override
    public ErrorCode code() {
      return code;
    }
  }

  private static final class Refused extends SQLNonTransientException implements ShardwrightError {
    private static final long serialVersionUID = 1L;
    private final ErrorCode code;

    Refused(ErrorCode code, String message, Throwable cause) {
      super(message, code.sqlState(), number(code), cause);
      this.code = code;
    }

    @Override
    public ErrorCode code() {
      return code;
    }
  }
}
