package io.shardwright.cli;

import io.shardwright.errors.ErrorCategory;
import io.shardwright.errors.ErrorCode;

/** What the process tells its caller. Documented in docs/cli.md; a number never changes meaning. */
enum ExitCode {
  OK(0),
  /** The command ran; a check or validation found problems. */
  PROBLEMS_FOUND(1),
  /** The command line itself is wrong. */
  USAGE(2),
  /** The configuration, or what it leads to, has to be corrected. */
  CONFIGURATION(3),
  /** The statement was refused, by Shardwright or by the database. */
  REFUSED(4),
  /** A shard, the catalog, a server of the demo or a bound of the machine failed. */
  FAILED(5),
  /** Something was sent and nobody knows whether all of it was applied. */
  OUTCOME_UNKNOWN(6),
  /** A bug of Shardwright. */
  BUG(70),
  /** Whoever read the output went away; as a program that SIGPIPE ends. */
  OUTPUT_CLOSED(141);

  private final int number;

  ExitCode(int number) {
    this.number = number;
  }

  int number() {
    return number;
  }

  static ExitCode of(ErrorCode code) {
    return switch (code) {
      case CONFIGURATION_INVALID,
          CONFIGURATION_UNREADABLE,
          SHARD_IDENTITY_MISMATCH,
          NOT_APPLIED,
          SHARD_LOGIN_FAILED,
          CATALOG_LOGIN_FAILED,
          CATALOG_FORMAT_UNSUPPORTED,
          CATALOG_READ_ONLY,
          CATALOG_MISMATCH ->
          CONFIGURATION;
      case SCHEMA_INVALID, SCHEMA_DRIFT, REFERENCE_DRIFT, INDEX_UNSOUND, CHECK_FAILED ->
          PROBLEMS_FOUND;
      case COMMAND_INVALID -> USAGE;
      case OUTCOME_UNKNOWN, MULTI_SHARD_WRITE_PARTIAL -> OUTCOME_UNKNOWN;
      default -> of(code.category());
    };
  }

  private static ExitCode of(ErrorCategory category) {
    return switch (category) {
      case USER -> REFUSED;
      case CONFLICT, RESOURCE, EXTERNAL -> FAILED;
      case BUG -> BUG;
    };
  }
}
