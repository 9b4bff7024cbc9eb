package io.shardwright.advisor.logs;

/** What a file of statements can be. */
public enum LogFormat {
  MYSQL_SLOW("MySQL or MariaDB slow log", Family.MYSQL),
  MYSQL_GENERAL("MySQL or MariaDB general log", Family.MYSQL),
  MYSQL_DIGESTS("export of events_statements_summary_by_digest", Family.MYSQL),
  POSTGRESQL_STDERR("PostgreSQL log, plain or through syslog", Family.POSTGRESQL),
  POSTGRESQL_CSV("PostgreSQL csvlog", Family.POSTGRESQL),
  POSTGRESQL_JSON("PostgreSQL jsonlog", Family.POSTGRESQL),
  POSTGRESQL_DIGESTS("export of pg_stat_statements", Family.POSTGRESQL),
  MYSQL_TABLE("table of statements with MySQL's columns", Family.MYSQL),
  STATEMENT_TABLE("table of statements", Family.UNKNOWN),
  SHARDINGSPHERE("log of ShardingSphere with sql-show", Family.UNKNOWN),
  VTGATE("query log of Vitess vtgate", Family.MYSQL),
  SQL_SCRIPT("plain SQL", Family.UNKNOWN);

  /** Whose lexical rules the statements follow. */
  public enum Family {
    MYSQL,
    POSTGRESQL,
    /** Told from each statement. */
    UNKNOWN
  }

  private final String description;
  private final Family family;

  LogFormat(String description, Family family) {
    this.description = description;
    this.family = family;
  }

  public String description() {
    return description;
  }

  public Family family() {
    return family;
  }
}
