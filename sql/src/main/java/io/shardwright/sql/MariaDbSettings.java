package io.shardwright.sql;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** The settings of a MariaDB server under which statements mean what the planner takes them for. */
public final class MariaDbSettings {
  /** Modes that change how a text is read, and the combinations that hold one of them. */
  private static final Set<String> REFUSED =
      Set.of(
          "ANSI",
          "ANSI_QUOTES",
          "DB2",
          "EMPTY_STRING_IS_NULL",
          "HIGH_NOT_PRECEDENCE",
          "MAXDB",
          "MSSQL",
          "NO_BACKSLASH_ESCAPES",
          "ORACLE",
          "PAD_CHAR_TO_FULL_LENGTH",
          "PIPES_AS_CONCAT",
          "POSTGRESQL");

  private MariaDbSettings() {}

  /**
   * What is wrong with a server, for a message; empty when nothing is.
   *
   * @param sqlMode {@code @@sql_mode}
   * @param lowerCaseTableNames {@code @@lower_case_table_names}
   */
  public static Optional<String> problem(String sqlMode, int lowerCaseTableNames) {
    List<String> modes =
        Arrays.stream(sqlMode.toUpperCase(Locale.ROOT).split(",")).map(String::strip).toList();
    Optional<String> refused = modes.stream().filter(REFUSED::contains).findFirst();
    if (refused.isPresent()) {
      return Optional.of(
          "sql_mode has " + refused.get() + ", with which statements read otherwise");
    }
    if (!modes.contains("STRICT_TRANS_TABLES") && !modes.contains("STRICT_ALL_TABLES")) {
      return Optional.of(
          "sql_mode lacks STRICT_TRANS_TABLES, without which a route key could be stored as another"
              + " value than the one that chose the shard");
    }
    return lowerCaseTableNames == 0
        ? Optional.empty()
        : Optional.of("lower_case_table_names is " + lowerCaseTableNames + ", only 0 is supported");
  }
}
