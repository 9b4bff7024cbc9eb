package io.shardwright.advisor.templates;

/** What a statement does. */
public enum StatementKind {
  /** COPY ... TO, too. */
  SELECT,
  /** COPY ... FROM, too. */
  INSERT,
  /** MERGE, too. */
  UPDATE,
  DELETE,
  TRANSACTION,
  DDL,
  /** Settings, SHOW, EXPLAIN, calls, cursors: columns are not read of these. */
  OTHER;

  /** True when tables and columns are read of it. */
  public boolean isRead() {
    return this == SELECT || isWrite();
  }

  public boolean isWrite() {
    return this == INSERT || this == UPDATE || this == DELETE;
  }
}
