package io.shardwright.driver;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * One statement of the corpus, on one kind of database.
 *
 * @param where file and line
 * @param expected what becomes of it
 * @param wanted what a user would expect of its construct; differs from {@code expected} where the
 *     driver refuses more than it should
 * @param plainSql the text that says the same to one database, mostly {@code sql}
 * @param sqlState with which the database itself, and so the driver, refuses it; empty: it succeeds
 * @param fixed the columns whose sequence the statement decides; empty: the answer is a bag
 * @param keys generated keys that are asked for; "all": without naming them
 */
record CorpusStatement(
    String where,
    String family,
    String construct,
    Expected expected,
    Expected wanted,
    String sql,
    String plainSql,
    List<Object> parameters,
    Optional<String> sqlState,
    Fixed fixed,
    List<String> keys) {

  CorpusStatement expecting(Expected other) {
    return new CorpusStatement(
        where, family, construct, other, wanted, sql, plainSql, parameters, sqlState, fixed, keys);
  }

  String file() {
    return where.substring(0, where.indexOf(':'));
  }

  int line() {
    return Integer.parseInt(where.substring(where.indexOf(':') + 1));
  }

  /** Where a statement goes. */
  enum Reach {
    ONE_SHARD("single"),
    NAMED_SHARDS("multi"),
    ALL_SHARDS("scatter"),
    ANY_SHARD("any shard"),
    EVERY_SHARD("every shard"),
    NOWHERE("refused");

    private final String word;

    Reach(String word) {
      this.word = word;
    }

    String word() {
      return word;
    }
  }

  /**
   * What becomes of a statement.
   *
   * @param code of the refusal, empty unless nowhere
   */
  record Expected(Reach reach, String code) {
    static Expected refused(String code) {
      return new Expected(Reach.NOWHERE, code);
    }

    boolean isRefused() {
      return reach == Reach.NOWHERE;
    }

    @Override
    public String toString() {
      return (reach.word() + " " + code).strip();
    }
  }

  /**
   * The columns, from 1 on, whose values stand in the same sequence on every database.
   *
   * @param all true: whole rows do, as ORDER BY leaves no ties
   */
  record Fixed(boolean all, List<Integer> columns) {
    static final Fixed ROWS = new Fixed(true, List.of());
    static final Fixed NOTHING = new Fixed(false, List.of());
  }

  /** Its first ORDER BY outside parentheses, or nothing. */
  static OptionalInt orderBy(String sql) {
    String upper = sql.toUpperCase(java.util.Locale.ROOT);
    return IntStream.range(0, upper.length())
        .filter(i -> upper.startsWith("ORDER BY", i) && depth(upper, i) == 0)
        .findFirst();
  }

  private static long depth(String sql, int end) {
    String before = sql.substring(0, end);
    return before.chars().filter(c -> c == '(').count()
        - before.chars().filter(c -> c == ')').count();
  }

  @Override
  public String toString() {
    return where + " " + construct + ": " + sql.replaceAll("\\s+", " ");
  }
}
