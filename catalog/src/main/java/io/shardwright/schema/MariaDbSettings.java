package io.shardwright.schema;

import io.shardwright.schema.ShardSchema.Misfit;
import io.shardwright.schema.ShardSchema.ServerSettings;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The settings of one MariaDB server as sessions of this login have them.
 *
 * @param sortedBytesMax of a text or byte string; the server orders by no more of it
 */
record MariaDbSettings(ServerSettings server, long sortedBytesMax, List<Misfit> misfits) {
  /** What decides the answer to a statement, and so must be equal on all shards. */
  private static final List<String> COMPARED =
      List.of(
          "character_set_collations",
          "character_set_server",
          "check_constraint_checks",
          "collation_server",
          "default_week_format",
          "div_precision_increment",
          "explicit_defaults_for_timestamp",
          "foreign_key_checks",
          "group_concat_max_len",
          "innodb_snapshot_isolation",
          "lc_time_names",
          "lower_case_table_names",
          "max_sort_length",
          "old_mode",
          "sql_mode",
          "sql_select_limit",
          "time_zone",
          "transaction_isolation",
          "tx_isolation");

  private static final List<String> READ =
      List.of("character_set_database", "collation_database", "system_time_zone", "version");

  /** Modes in which a text means something else than Shardwright reads in it. */
  private static final Set<String> MISREAD =
      Set.of(
          "ANSI_QUOTES",
          "EMPTY_STRING_IS_NULL",
          "HIGH_NOT_PRECEDENCE",
          "NO_BACKSLASH_ESCAPES",
          "ORACLE",
          "PIPES_AS_CONCAT");

  private static final Pattern RELEASE = Pattern.compile("\\d+\\.\\d+");

  static MariaDbSettings read(Connection connection) throws SQLException {
    Map<String, String> all = new TreeMap<>();
    String names = "'" + String.join("', '", COMPARED) + "', '" + String.join("', '", READ) + "'";
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SHOW SESSION VARIABLES WHERE Variable_name IN (" + names + ")")) {
      while (row.next()) {
        all.put(row.getString(1), row.getString(2));
      }
    }
    all.computeIfPresent(
        "time_zone",
        (name, zone) ->
            zone.equals("SYSTEM") ? "SYSTEM (" + all.get("system_time_zone") + ")" : zone);
    Set<String> modes = modes(all.get("sql_mode"));
    all.put("sql_mode", String.join(",", modes));
    Map<String, String> compared = new TreeMap<>(all);
    compared.keySet().retainAll(COMPARED);
    String version = all.get("version");
    Matcher release = RELEASE.matcher(version);
    return new MariaDbSettings(
        new ServerSettings(
            version,
            release.lookingAt() ? release.group() : version,
            Optional.empty(),
            all.get("character_set_database"),
            all.get("collation_database"),
            Optional.empty(),
            compared),
        Long.parseLong(all.get("max_sort_length")),
        misfits(modes, all));
  }

  /** IGNORE_SPACE is set by mariadb-java-client for itself. */
  private static Set<String> modes(String sqlMode) {
    Set<String> modes = new TreeSet<>(List.of(sqlMode.split(",", -1)));
    modes.removeAll(Set.of("", "IGNORE_SPACE"));
    return modes;
  }

  private static List<Misfit> misfits(Set<String> modes, Map<String, String> all) {
    List<Misfit> misfits = new ArrayList<>();
    for (String mode : modes) {
      if (MISREAD.contains(mode)) {
        misfits.add(
            new Misfit(
                Optional.empty(),
                "sql_mode holds " + mode + ", with which statements mean something else",
                "take it out of sql_mode, in the server's settings and in the url"));
      }
    }
    if (!modes.contains("STRICT_TRANS_TABLES") && !modes.contains("STRICT_ALL_TABLES")) {
      misfits.add(
          new Misfit(
              Optional.empty(),
              "sql_mode holds neither STRICT_TRANS_TABLES nor STRICT_ALL_TABLES, so that the server"
                  + " changes values that do not fit, after the key was hashed",
              "add STRICT_TRANS_TABLES to sql_mode"));
    }
    for (String checks : List.of("check_constraint_checks", "foreign_key_checks")) {
      if (!"ON".equals(all.get(checks))) {
        misfits.add(
            new Misfit(
                Optional.empty(),
                checks + " is " + all.get(checks) + ", so that constraints are not kept",
                "set it to ON"));
      }
    }
    return misfits;
  }
}
