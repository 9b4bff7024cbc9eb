package io.shardwright.cli;

import io.shardwright.config.ConfigurationException;
import io.shardwright.config.Problem;
import io.shardwright.driver.ShardwrightError;
import io.shardwright.errors.ErrorCategory;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Why a command did not do what it was asked.
 *
 * @param code SWnnn, or the SQLSTATE of an error that came from a database
 * @param message without the code
 * @param sqlState empty when there is none
 * @param problems of a configuration file
 */
record Failure(
    ExitCode exit,
    String code,
    String message,
    ErrorCategory category,
    boolean retryable,
    String sqlState,
    List<Problem> problems) {

  static Failure of(Throwable thrown) {
    if (thrown instanceof FailedException e) {
      return e.failure();
    }
    if (thrown instanceof ConfigurationException e) {
      return of(e.code(), e.detail(), e.problems());
    }
    if (thrown instanceof ShardwrightException e) {
      return of(e.code(), e.detail(), List.of());
    }
    if (thrown instanceof SQLException e) {
      return e instanceof ShardwrightError error
          ? of(error.code(), withoutCode(error.code(), e.getMessage()), List.of())
          : ofDatabase(e);
    }
    if (thrown instanceof OutOfMemoryError) {
      return new Failure(
          ExitCode.FAILED,
          ErrorCode.MERGE_TOO_LARGE.code(),
          "the heap of this process is full; narrow the statement, or set a larger one:"
              + " SHARDWRIGHT_JAVA_OPTS=-Xmx2g",
          ErrorCategory.RESOURCE,
          false,
          ErrorCode.MERGE_TOO_LARGE.sqlState(),
          List.of());
    }
    return of(
        ErrorCode.INVARIANT_BROKEN,
        "a bug in Shardwright: "
            + thrown
            + "; run the command again with --debug and report it with the stack trace",
        List.of());
  }

  static Failure usage(String message) {
    return of(ErrorCode.COMMAND_INVALID, message, List.of());
  }

  private static Failure of(ErrorCode code, String message, List<Problem> problems) {
    return new Failure(
        ExitCode.of(code),
        code.code(),
        message,
        code.category(),
        code.retryable(),
        code.sqlState(),
        problems);
  }

  private static String withoutCode(ErrorCode code, String message) {
    String prefix = code.code() + ": ";
    return message.startsWith(prefix) ? message.substring(prefix.length()) : message;
  }

  /** The class of the SQLSTATE says who can act. */
  private static Failure ofDatabase(SQLException e) {
    String state = e.getSQLState() == null ? "" : e.getSQLState();
    String kind = state.length() == 5 ? state.substring(0, 2) : "";
    ErrorCategory category =
        switch (kind) {
          case "40" -> ErrorCategory.CONFLICT;
          case "53", "54" -> ErrorCategory.RESOURCE;
          case "08", "57", "58", "XX", "F0", "" -> ErrorCategory.EXTERNAL;
          default -> ErrorCategory.USER;
        };
    boolean retryable = state.equals("40001") || state.equals("40P01");
    ExitCode exit =
        category == ErrorCategory.USER || state.equals("57014")
            ? ExitCode.REFUSED
            : ExitCode.FAILED;
    StringBuilder message = new StringBuilder(String.valueOf(e.getMessage()));
    for (Throwable note : e.getSuppressed()) {
      if (String.valueOf(note.getMessage()).startsWith("on shard ")) {
        message.append(" (").append(note.getMessage()).append(')');
      }
    }
    return new Failure(
        exit,
        state.isEmpty() ? "unknown" : state,
        message.toString(),
        category,
        retryable,
        state,
        List.of());
  }

  /** The same with more in its message. */
  Failure with(String longerMessage) {
    return new Failure(exit, code, longerMessage, category, retryable, sqlState, problems);
  }

  /** One paragraph. */
  String paragraph() {
    return "error: " + code + ": " + message;
  }

  Map<String, Object> json() {
    List<Map<String, Object>> list = new ArrayList<>();
    for (Problem problem : problems) {
      list.add(
          Json.object(
              "line", problem.line(),
              "column", problem.column(),
              "key", problem.key(),
              "message", problem.message(),
              "instead", problem.instead()));
    }
    return Json.object(
        "code", code,
        "message", message,
        "category", category.name().toLowerCase(Locale.ROOT),
        "retryable", retryable,
        "sqlState", sqlState,
        "problems", list);
  }
}
