package io.shardwright.errors;

import static io.shardwright.errors.ErrorCategory.BUG;
import static io.shardwright.errors.ErrorCategory.CONFLICT;
import static io.shardwright.errors.ErrorCategory.EXTERNAL;
import static io.shardwright.errors.ErrorCategory.RESOURCE;
import static io.shardwright.errors.ErrorCategory.USER;

/**
 * Every error that Shardwright raises itself. A code is never renumbered or reused; each is
 * explained in docs/errors.md.
 */
public enum ErrorCode {
  // 0xx raised by the fence inside a shard; the shard's own SQLSTATE is the code
  BUCKET_MOVED("SW001", CONFLICT, "40001", true),
  SHARD_INCARNATION("SW002", EXTERNAL, "58000", false),

  // 1xx configuration
  CONFIGURATION_INVALID("SW101", USER, "F0000", false),
  CONFIGURATION_UNREADABLE("SW102", USER, "F0000", false),
  SHARD_IDENTITY_MISMATCH("SW103", USER, "F0000", false),
  NOT_APPLIED("SW104", USER, "55000", false),
  SCHEMA_INVALID("SW105", USER, "42P16", false),
  SETTING_INVALID("SW106", USER, "F0000", false),

  // 2xx statements that are refused before anything is sent
  STATEMENT_UNPARSABLE("SW201", USER, "42601", false),
  STATEMENT_UNSUPPORTED("SW202", USER, "0A000", false),
  TABLE_UNKNOWN("SW203", USER, "42P01", false),
  COLUMN_UNKNOWN("SW204", USER, "42703", false),
  ROUTE_KEY_MISSING("SW205", USER, "0A000", false),
  ROUTE_KEY_UPDATE("SW206", USER, "0A000", false),
  TABLES_NOT_COLOCATED("SW207", USER, "0A000", false),
  MERGE_UNSUPPORTED("SW208", USER, "0A000", false),
  SECOND_SHARD_IN_TRANSACTION("SW209", USER, "25000", false),
  PARAMETER_MISSING("SW210", USER, "07001", false),
  STATEMENT_TOO_LARGE("SW211", USER, "54000", false),
  JDBC_FEATURE_UNSUPPORTED("SW212", USER, "0A000", false),
  LIMIT_INVALID("SW213", USER, "2201W", false),
  JDBC_CALL_INVALID("SW214", USER, "HY010", false),
  HINT_INVALID("SW215", USER, "42601", false),
  ROUTE_CONTRADICTION("SW216", USER, "22023", false),
  TRANSACTION_ABORTED("SW217", USER, "25P02", false),

  // 3xx route key and id values
  ROUTE_KEY_NULL("SW301", USER, "23502", false),
  ROUTE_KEY_VALUE_INVALID("SW302", USER, "22023", false),
  BUCKET_ID_MISMATCH("SW303", USER, "23514", false),
  ID_GENE_MISMATCH("SW304", USER, "23514", false),
  ID_MALFORMED("SW305", USER, "22023", false),
  ID_CAPACITY_EXHAUSTED("SW306", RESOURCE, "53000", true),
  CLOCK_BEHIND("SW307", EXTERNAL, "58000", true),
  NODE_LEASE_LOST("SW308", EXTERNAL, "58000", true),
  NODES_EXHAUSTED("SW309", RESOURCE, "53000", true),
  ID_MISSING("SW310", USER, "23502", false),

  // 4xx shards and catalog
  SHARD_UNAVAILABLE("SW401", EXTERNAL, "08001", true),
  SHARD_POOL_EXHAUSTED("SW402", RESOURCE, "53300", true),
  SHARD_LOGIN_FAILED("SW403", USER, "28000", false),
  OUTCOME_UNKNOWN("SW404", EXTERNAL, "08007", false),
  MULTI_SHARD_WRITE_PARTIAL("SW405", EXTERNAL, "40003", false),
  SCATTER_TIMEOUT("SW406", RESOURCE, "57014", true),
  MERGE_TOO_LARGE("SW407", RESOURCE, "53200", false),
  CONNECTION_CLOSED("SW408", USER, "08003", false),
  LOCK_TIMEOUT("SW409", CONFLICT, "40001", true),
  CATALOG_UNAVAILABLE("SW411", EXTERNAL, "08001", true),
  CATALOG_LOGIN_FAILED("SW412", USER, "28000", false),
  CATALOG_CONFLICT("SW413", CONFLICT, "40001", true),
  CATALOG_FORMAT_UNSUPPORTED("SW414", USER, "0A000", false),
  CATALOG_READ_ONLY("SW415", USER, "25006", false),
  CATALOG_MISMATCH("SW416", USER, "F0000", false),
  ROWS_EXCEEDED("SW417", RESOURCE, "54000", false),
  MULTI_TRANSACTION_PARTIAL("SW418", EXTERNAL, "40003", false),
  INDEX_NOT_MAINTAINED("SW419", CONFLICT, "40001", true),

  // 5xx schema changes
  DDL_PENDING("SW501", CONFLICT, "55000", false),
  DDL_INCOMPLETE("SW502", EXTERNAL, "55000", true),
  DDL_UNSUPPORTED("SW503", USER, "0A000", false),
  DDL_IN_TRANSACTION("SW504", USER, "25001", false),
  SCHEMA_DRIFT("SW505", USER, "55000", false),
  REFERENCE_DRIFT("SW506", CONFLICT, "55000", false),
  INDEX_UNSOUND("SW507", CONFLICT, "55000", false),

  // 6xx tools
  EMBEDDED_SERVER_FAILED("SW601", EXTERNAL, "58000", true),
  CHECK_FAILED("SW602", EXTERNAL, "XX001", false),
  COMMAND_INVALID("SW603", USER, "22023", false),

  // 7xx warnings
  MANY_SHARDS("SW701", RESOURCE, "01W01", false),
  PARTIAL_ANSWER("SW702", EXTERNAL, "01W02", true),

  // 8xx queries across all shards
  QUERY_INVALID("SW801", USER, "22023", false),
  CURSOR_INVALID("SW802", USER, "22023", false),
  QUERY_INCOMPLETE("SW803", EXTERNAL, "58000", true),
  QUERY_NOT_INDEXED("SW804", USER, "55000", false),
  QUERY_RATE("SW805", RESOURCE, "53400", true),
  TOKEN_INVALID("SW806", USER, "28000", false),
  QUERY_OVERLOAD("SW807", RESOURCE, "53400", true),
  GATEWAY_DIRECTORY("SW808", EXTERNAL, "58030", true),
  JOB_UNKNOWN("SW809", USER, "02000", false),
  SETTLEMENT_WAITS("SW811", EXTERNAL, "55000", true),
  SETTLEMENT_REFUSED("SW812", USER, "55000", false),
  SETTLEMENT_DAMAGED("SW813", EXTERNAL, "58030", false),
  WRITES_UNPROVEN("SW814", EXTERNAL, "55000", false),

  // 9xx
  INVARIANT_BROKEN("SW901", BUG, "XX000", false);

  private final String code;
  private final ErrorCategory category;
  private final String sqlState;
  private final boolean retryable;

  ErrorCode(String code, ErrorCategory category, String sqlState, boolean retryable) {
    this.code = code;
    this.category = category;
    this.sqlState = sqlState;
    this.retryable = retryable;
  }

  /** The stable code, e.g. {@code SW205}. */
  public String code() {
    return code;
  }

  public ErrorCategory category() {
    return category;
  }

  public String sqlState() {
    return sqlState;
  }

  /**
   * True when the identical call may succeed later and repeating it cannot apply anything twice.
   */
  public boolean retryable() {
    return retryable;
  }
}
