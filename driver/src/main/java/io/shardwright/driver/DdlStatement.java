package io.shardwright.driver;

import io.shardwright.errors.ErrorCode;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A schema change and how it can run.
 *
 * @param sha256 of the text without surrounding space and final semicolons
 * @param transactional false for those that run outside transactions only
 * @param index the index that a CREATE or DROP INDEX CONCURRENTLY names
 */
record DdlStatement(String sql, String sha256, boolean transactional, Optional<Index> index) {
  private static final Pattern COMMENTS = Pattern.compile("--[^\n]*|/\\*.*?\\*/", Pattern.DOTALL);
  private static final Pattern SPACE = Pattern.compile("\\s+");
  private static final String NAME = "((?:\"(?:[^\"]|\"\")+\"|[\\w$.])+)";
  private static final Pattern CREATE_INDEX =
      Pattern.compile(
          "CREATE (?:UNIQUE )?INDEX CONCURRENTLY (?:IF NOT EXISTS )?(?!ON )" + NAME + " ON .*",
          Pattern.CASE_INSENSITIVE);
  private static final Pattern DROP_INDEX =
      Pattern.compile(
          "DROP INDEX CONCURRENTLY (?:IF EXISTS )?" + NAME + "( RESTRICT)?",
          Pattern.CASE_INSENSITIVE);
  private static final Pattern NO_TRANSACTION =
      Pattern.compile(
          "(VACUUM|CREATE DATABASE|DROP DATABASE|ALTER DATABASE|CREATE TABLESPACE|DROP TABLESPACE"
              + "|ALTER SYSTEM|CLUSTER|REINDEX|CREATE SUBSCRIPTION|DROP SUBSCRIPTION"
              + "|ALTER SUBSCRIPTION)\\b.*");

  /** An index that is made or dropped without locking writers out. */
  record Index(String name, boolean created) {}

  /**
   * @throws SQLException SW503 for statements that can neither run in a transaction nor be resumed
   */
  static DdlStatement of(String sql) throws SQLException {
    String text = trimmed(sql);
    String bare = SPACE.matcher(COMMENTS.matcher(text).replaceAll(" ")).replaceAll(" ").strip();
    String upper = bare.toUpperCase(Locale.ROOT);
    Optional<Index> index = index(bare);
    boolean concurrently = upper.contains(" CONCURRENTLY");
    if (index.isEmpty() && (concurrently || NO_TRANSACTION.matcher(upper).matches())) {
      throw SqlErrors.of(
          ErrorCode.DDL_UNSUPPORTED,
          "this statement cannot run in a transaction, so a failure on one shard could not be"
              + " resumed safely; nothing was sent; "
              + (concurrently
                  ? "of those with CONCURRENTLY use CREATE INDEX with a name, or DROP INDEX of one"
                      + " index"
                  : "run it on each shard with the database's own client"));
    }
    return new DdlStatement(text, sha256(text), index.isEmpty(), index);
  }

  /** Of a database whose schema changes commit by themselves. */
  static DdlStatement untransacted(String sql) {
    String text = trimmed(sql);
    return new DdlStatement(text, sha256(text), false, Optional.empty());
  }

  private static String trimmed(String sql) {
    String text = sql.strip();
    while (text.endsWith(";")) {
      text = text.substring(0, text.length() - 1).strip();
    }
    return text;
  }

  private static Optional<Index> index(String bare) {
    Matcher create = CREATE_INDEX.matcher(bare);
    if (create.matches()) {
      return Optional.of(new Index(create.group(1), true));
    }
    Matcher drop = DROP_INDEX.matcher(bare);
    return drop.matches() ? Optional.of(new Index(drop.group(1), false)) : Optional.empty();
  }

  private static String sha256(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
