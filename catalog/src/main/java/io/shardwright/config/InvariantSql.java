package io.shardwright.config;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The text of an invariant, as far as it has to be understood: where {@code :buckets} stands
 * outside of quotes and comments, and which words do. The servers understand the rest.
 */
final class InvariantSql {
  private static final String BUCKETS = ":buckets";

  /** Words by which a query would change or lock something. */
  private static final Set<String> CHANGING =
      Set.of(
          "INSERT",
          "UPDATE",
          "DELETE",
          "MERGE",
          "REPLACE",
          "TRUNCATE",
          "INTO",
          "CREATE",
          "ALTER",
          "DROP",
          "CALL",
          "LOCK",
          "GRANT");

  private final String sql;
  private final List<String> words = new ArrayList<>();
  private final List<Integer> places = new ArrayList<>();
  private boolean several;
  private boolean backslash;

  private InvariantSql(String sql) {
    this.sql = sql;
  }

  static InvariantSql of(String text) {
    String sql = text.strip();
    InvariantSql read =
        new InvariantSql(sql.endsWith(";") ? sql.substring(0, sql.length() - 1) : sql);
    int at = 0;
    while (at < read.sql.length()) {
      at = read.next(at);
    }
    return read;
  }

  /** Returns where the next token begins. */
  private int next(int at) {
    char c = sql.charAt(at);
    if (c == '\'' || c == '"' || c == '`') {
      int end = sql.indexOf(c, at + 1);
      end = end < 0 ? sql.length() : end + 1;
      backslash |= c == '\'' && sql.substring(at, end).indexOf('\\') >= 0;
      return end;
    }
    if (sql.startsWith("--", at)) {
      return after("\n", at);
    }
    if (sql.startsWith("/*", at)) {
      return after("*/", at);
    }
    if (sql.startsWith("::", at)) {
      return at + 2;
    }
    if (sql.startsWith(BUCKETS, at) && wordEnd(at + 1) == at + BUCKETS.length()) {
      places.add(at);
      return at + BUCKETS.length();
    }
    if (Character.isJavaIdentifierStart(c)) {
      int end = wordEnd(at);
      words.add(sql.substring(at, end).toUpperCase(Locale.ROOT));
      return end;
    }
    several |= c == ';';
    return at + 1;
  }

  private int after(String end, int at) {
    int found = sql.indexOf(end, at);
    return found < 0 ? sql.length() : found + end.length();
  }

  private int wordEnd(int from) {
    int end = from;
    while (end < sql.length() && Character.isJavaIdentifierPart(sql.charAt(end))) {
      end++;
    }
    return end;
  }

  Optional<Mistake> mistake() {
    Set<String> changing = new HashSet<>(words);
    changing.retainAll(CHANGING);
    if (words.isEmpty() || !Set.of("SELECT", "WITH").contains(words.get(0))) {
      return Optional.of(
          new Mistake("is not a query", "write one SELECT that finds what breaks the invariant"));
    }
    if (several) {
      return Optional.of(new Mistake("is more than one statement", "write one SELECT"));
    }
    if (!changing.isEmpty()) {
      return Optional.of(
          new Mistake(
              "has the word " + new TreeSet<>(changing).iterator().next(),
              "write a SELECT that changes and locks nothing; quote a column of that name"));
    }
    if (backslash) {
      return Optional.of(
          new Mistake(
              "has a backslash in a text, which the servers read in different ways",
              "write the text without it"));
    }
    return places.isEmpty()
        ? Optional.of(
            new Mistake(
                "does not say " + BUCKETS,
                "restrict it to the buckets in question: WHERE o.bucket_id IN (:buckets)"))
        : Optional.empty();
  }

  String withBuckets(String list) {
    StringBuilder text = new StringBuilder();
    int from = 0;
    for (int place : places) {
      text.append(sql, from, place).append(list);
      from = place + BUCKETS.length();
    }
    return text.append(sql, from, sql.length()).toString();
  }
}
