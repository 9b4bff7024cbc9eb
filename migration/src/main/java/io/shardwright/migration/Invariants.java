package io.shardwright.migration;

import io.shardwright.config.Configuration.Invariant;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.BucketSet;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds rows that break the application's own rules, on one shard after the other. A query reads
 * what one statement, or the snapshot that the connection is in, shows.
 */
final class Invariants {
  /** Of one query; more are not counted. */
  private static final int ROWS_MAX = 1_000;

  private static final int SHOWN_MAX = 5;
  private static final int SHOWN_MAX_CHARS = 100;

  /** A query that never ends would hold the move up without a word. */
  private static final int TIMEOUT_SECONDS = 300;

  private final List<Invariant> invariants;

  /** By invariant and shard. */
  private final Map<String, Broken> broken = new LinkedHashMap<>();

  Invariants(List<Invariant> invariants) {
    this.invariants = List.copyOf(invariants);
  }

  private static final class Broken {
    private long rows;
    private boolean more;
    private final List<String> first = new ArrayList<>();
  }

  /**
   * @param side of the move, for people
   */
  void check(MoverConnection shard, String side, BucketSet buckets) throws SQLException {
    for (Invariant invariant : invariants) {
      String label =
          "invariant " + invariant.name() + " on the " + side + ", shard " + shard.shard();
      try (Statement statement = shard.connection().createStatement()) {
        statement.setMaxRows(ROWS_MAX);
        statement.setQueryTimeout(TIMEOUT_SECONDS);
        try (ResultSet row = statement.executeQuery(invariant.of(buckets))) {
          while (row.next()) {
            add(broken.computeIfAbsent(label, name -> new Broken()), row);
          }
        }
      } catch (SQLException e) {
        throw new ShardwrightException(
            ErrorCode.CHECK_FAILED,
            label
                + " could not be checked: "
                + e.getMessage()
                + "; correct its sql, or grant the"
                + " mover what it needs, then resume the move",
            e);
      }
    }
  }

  private static void add(Broken broken, ResultSet row) throws SQLException {
    broken.rows++;
    broken.more |= row.getRow() == ROWS_MAX;
    if (broken.first.size() < SHOWN_MAX) {
      StringBuilder text = new StringBuilder();
      for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
        text.append(i == 1 ? "" : ", ").append(row.getString(i));
      }
      broken.first.add(
          text.length() <= SHOWN_MAX_CHARS ? text.toString() : text.substring(0, SHOWN_MAX_CHARS));
    }
  }

  /** For people, one text for each invariant and side; empty: all hold. */
  List<String> broken() {
    List<String> texts = new ArrayList<>();
    broken.forEach(
        (label, found) ->
            texts.add(
                label
                    + " is broken by "
                    + found.rows
                    + (found.more ? " rows or more" : found.rows == 1 ? " row" : " rows")
                    + ", the first of them ("
                    + String.join("), (", found.first)
                    + ")"));
    return texts;
  }
}
