package io.shardwright.errors;

/**
 * An error with a code from the catalogue. Modules without JDBC types throw it; the driver turns it
 * into a {@link java.sql.SQLException} with the same code, message and SQLSTATE.
 */
public class ShardwrightException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final ErrorCode code;
  private final String detail;

  /**
   * @param message names the thing, the value, the rule and the next step, without the code
   */
  public ShardwrightException(ErrorCode code, String message) {
    this(code, message, null);
  }

  public ShardwrightException(ErrorCode code, String message, Throwable cause) {
    super(code.code() + ": " + message, cause);
    this.code = code;
    this.detail = message;
  }

  public ErrorCode code() {
    return code;
  }

  /** The message without the code. */
  public String detail() {
    return detail;
  }
}
