package io.shardwright.driver;

import io.shardwright.errors.ErrorCode;
import io.shardwright.routing.ShardId;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Schema changes of MariaDB.
 *
 * <p>Problem: each statement commits by itself, so it cannot be in one transaction with its log.
 * Idea: it is recorded as started, made, and recorded as done. A statement on one table is made as
 * a whole or not at all, also in a crash, so the table's definition tells which: a shard where it
 * was started is compared with the shards that have it and with those where nobody began. Other
 * statements are accepted only when they may be repeated.
 */
final class MariaDbDdl extends DdlSteps {
  /** Named locks are the server's, so the name holds the database. */
  private static final String LOCK = "CONCAT('shardwright ddl ', MD5(DATABASE()))";

  private static final String NAME = "((?:`(?:[^`]|``)+`|[\\w$.])+)";
  private static final Pattern COMMENTS =
      Pattern.compile("--[^\n]*|#[^\n]*|/\\*.*?\\*/", Pattern.DOTALL);
  private static final Pattern SPACE = Pattern.compile("\\s+");
  private static final Pattern OF_TABLE =
      Pattern.compile(
          "(?:(?:CREATE|ALTER|DROP)(?: OR REPLACE)?(?: ONLINE| IGNORE)* TABLE"
              + "(?: IF (?:NOT )?EXISTS)?"
              + "|(?:CREATE|DROP)(?: OR REPLACE)?(?: UNIQUE| FULLTEXT| SPATIAL)? INDEX .*? ON) "
              + NAME
              + ".*",
          Pattern.CASE_INSENSITIVE);
  private static final Pattern SEVERAL_TABLES =
      Pattern.compile("DROP TABLE[^,]*,.*|RENAME TABLES? .*", Pattern.CASE_INSENSITIVE);
  private static final Pattern REPEATABLE =
      Pattern.compile(
          "CREATE OR REPLACE .*|(?:CREATE|DROP) .*\\bIF (?:NOT )?EXISTS\\b.*|ALTER VIEW .*",
          Pattern.CASE_INSENSITIVE);
  private static final Pattern NEXT_NUMBER = Pattern.compile(" AUTO_INCREMENT=\\d+");

  @Override
  String tryLock() {
    return "SELECT GET_LOCK(" + LOCK + ", 0)";
  }

  @Override
  String unlock() {
    return "SELECT RELEASE_LOCK(" + LOCK + ")";
  }

  @Override
  DdlStatement statement(String sql) throws SQLException {
    DdlStatement ddl = DdlStatement.untransacted(sql);
    String bare = bare(ddl.sql());
    if (SEVERAL_TABLES.matcher(bare).matches()) {
      throw SqlErrors.of(
          ErrorCode.DDL_UNSUPPORTED,
          "a statement on several tables may be made for some of them only; nothing was sent; send"
              + " one statement for each table (ALTER TABLE ... RENAME TO for RENAME TABLE)");
    }
    if (table(ddl).isEmpty() && !REPEATABLE.matcher(bare).matches()) {
      throw SqlErrors.of(
          ErrorCode.DDL_UNSUPPORTED,
          "this statement could not be repeated after a broken connection; nothing was sent; write"
              + " OR REPLACE, IF NOT EXISTS or IF EXISTS into it");
    }
    return ddl;
  }

  private static String bare(String sql) {
    return SPACE.matcher(COMMENTS.matcher(sql).replaceAll(" ")).replaceAll(" ").strip();
  }

  /** The one table that the statement changes, as it is written. */
  private static Optional<String> table(DdlStatement ddl) {
    Matcher matcher = OF_TABLE.matcher(bare(ddl.sql()));
    return matcher.matches() ? Optional.of(matcher.group(1)) : Optional.empty();
  }

  @Override
  void apply(Run run, ShardId shard) throws SQLException {
    Connection connection = run.connection(shard);
    long sequence = run.change().sequence();
    if (!DdlLog.isStarted(connection, sequence) || !isMade(run, shard)) {
      DdlLog.addStarted(connection, sequence, run.ddl());
      try {
        execute(connection, run.ddl().sql(), run.timeoutSeconds());
      } catch (SQLException e) {
        if (!PhysicalErrors.isConnectionBroken(e)) {
          DdlLog.removeStarted(connection, sequence);
        }
        throw e;
      }
    }
    DdlLog.markDone(connection, sequence);
  }

  /** A statement that failed has changed nothing, and its start was taken back. */
  @Override
  boolean forget(Connection connection, long sequence, DdlStatement ddl, SQLException e) {
    return true;
  }

  /**
   * Whether a shard where the change was started has it.
   *
   * @throws SQLException SW502 when no other shard tells
   */
  private static boolean isMade(Run run, ShardId shard) throws SQLException {
    Optional<String> table = table(run.ddl());
    if (table.isEmpty()) {
      return false;
    }
    String own = definition(run.connection(shard), table.get());
    Set<Boolean> differences = new HashSet<>();
    for (ShardId other : run.leases().keySet()) {
      boolean done = run.change().done().contains(other);
      boolean untouched =
          !done && !DdlLog.isStarted(run.connection(other), run.change().sequence());
      if (!other.equals(shard) && (done || untouched)) {
        if (own.equals(definition(run.connection(other), table.get()))) {
          return done;
        }
        differences.add(untouched);
      }
    }
    if (differences.size() == 1) {
      return differences.contains(true);
    }
    throw SqlErrors.of(
        ErrorCode.DDL_INCOMPLETE,
        "schema change "
            + run.change().sequence()
            + " was started on shard "
            + shard
            + ", whose connection broke, and the other shards do not tell whether it was made; look"
            + " at SHOW CREATE TABLE "
            + table.get()
            + " there, and set state to 'done' in its shardwright_ddl, or delete the row");
  }

  /** Without what rows change; empty when there is no such table. */
  private static String definition(Connection connection, String table) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SHOW CREATE TABLE " + table)) {
      row.next();
      return NEXT_NUMBER.matcher(row.getString(2)).replaceAll("").toLowerCase(Locale.ROOT);
    } catch (SQLException e) {
      if (PhysicalErrors.isMissingTable(e)) {
        return "";
      }
      throw e;
    }
  }
}
