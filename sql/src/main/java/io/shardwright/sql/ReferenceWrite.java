package io.shardwright.sql;

import java.util.Locale;
import java.util.Set;

/**
 * A write to a reference table is repeated on every shard, so it must mean the same everywhere:
 * nothing in it may depend on the shard's clock, sequences or random numbers.
 */
final class ReferenceWrite {
  private static final Set<String> CLOCKS =
      Set.of(
          "CURRENT_TIMESTAMP",
          "CURRENT_DATE",
          "CURRENT_TIME",
          "LOCALTIMESTAMP",
          "LOCALTIME",
          "DEFAULT");

  /** Texts that PostgreSQL reads as the time of the moment when they stand for a date or time. */
  private static final Set<String> CLOCK_TEXTS = Set.of("now", "today", "tomorrow", "yesterday");

  private static final Set<String> BEFORE_PARENTHESIS =
      Set.of(
          "VALUES",
          "IN",
          "AND",
          "OR",
          "NOT",
          "WHERE",
          "SET",
          "CONFLICT",
          "RETURNING",
          "ON",
          "ANY",
          "ALL",
          "BETWEEN",
          "CASE",
          "WHEN",
          "THEN",
          "ELSE");

  private ReferenceWrite() {}

  static void requireDeterministic(SqlTokens tokens, String table) {
    RowColumns.refuse(tokens);
    for (int i = 0; i < tokens.size(); i++) {
      String word = tokens.get(i).keyword();
      if (word.equals("RETURNING") && !tokens.dialect().countsReturnedRows()) {
        throw BlockReader.unsupported("RETURNING of a write to reference table " + table);
      }
      boolean call =
          tokens.get(i).isName()
              && tokens.isSymbolAt(i + 1, "(")
              && !BEFORE_PARENTHESIS.contains(word)
              && !tokens.functions().isScalar(tokens.get(i).text().toLowerCase(Locale.ROOT))
              && !isTableName(tokens, i);
      boolean clockText =
          tokens.get(i).kind() == SqlTokens.Kind.STRING
              && CLOCK_TEXTS.contains(
                  tokens.get(i).text().replace("'", "").strip().toLowerCase(Locale.ROOT));
      boolean clock =
          CLOCKS.contains(word) || (word.equals("NOW") && tokens.isSymbolAt(i + 1, "("));
      if (call || clock || clockText) {
        throw BlockReader.unsupported(
            tokens.get(i).text()
                + " in a write to reference table "
                + table
                + ", which could have another value on each shard,");
      }
      if (word.equals("SELECT")) {
        throw BlockReader.unsupported("a subquery in a write to reference table " + table);
      }
    }
  }

  /** {@code INSERT INTO t (a, b)}: the name before the column list is no call. */
  private static boolean isTableName(SqlTokens tokens, int index) {
    int at = index;
    while (tokens.isSymbolAt(at - 1, ".")) {
      at -= 2;
    }
    return tokens.isAt(at - 1, "INTO") || tokens.isAt(at - 1, "AS");
  }
}
