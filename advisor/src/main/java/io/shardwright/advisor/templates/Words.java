package io.shardwright.advisor.templates;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Words of SQL that are no names. */
final class Words {
  /** Written in capitals in templates; all reserved, so that no name is among them. */
  private static final Set<String> KEYWORDS =
      Set.of(
          ("SELECT FROM WHERE AND OR NOT IN IS NULL LIKE ILIKE BETWEEN EXISTS CASE WHEN THEN ELSE END AS"
                  + " ON USING JOIN INNER LEFT RIGHT FULL OUTER CROSS NATURAL STRAIGHT_JOIN GROUP BY"
                  + " ORDER HAVING LIMIT OFFSET FETCH FOR UNION INTERSECT EXCEPT ALL ANY SOME DISTINCT"
                  + " INSERT INTO VALUES UPDATE SET DELETE REPLACE RETURNING WITH RECURSIVE LATERAL"
                  + " ASC DESC TRUE FALSE DEFAULT CREATE TABLE DROP ALTER INDEX PRIMARY KEY UNIQUE"
                  + " CONFLICT DO NOTHING DUPLICATE INTERVAL CAST COLLATE ESCAPE ARRAY BEGIN COMMIT"
                  + " ROLLBACK START TRANSACTION SHOW USE EXPLAIN WINDOW OVER PARTITION REGEXP RLIKE"
                  + " DIV MOD XOR BINARY SEPARATOR NULLS FIRST LAST ROWS ONLY NEXT SHARE LOCK MODE"
                  + " NOWAIT SKIP LOCKED IGNORE")
              .split(" ", -1));

  /**
   * Reserved where an expression may stand, so that they are no column unless quoted or qualified.
   */
  private static final Set<String> RESERVED =
      Set.of(
          ("SELECT FROM WHERE AND OR NOT IN IS NULL LIKE ILIKE BETWEEN EXISTS CASE WHEN THEN ELSE END AS"
                  + " ON USING JOIN INNER LEFT RIGHT FULL OUTER CROSS NATURAL STRAIGHT_JOIN GROUP BY"
                  + " ORDER HAVING LIMIT OFFSET FETCH FOR UNION INTERSECT EXCEPT ALL ANY SOME DISTINCT"
                  + " INTO SET WITH LATERAL ASC DESC TRUE FALSE DEFAULT INTERVAL CAST COLLATE ARRAY REGEXP"
                  + " RLIKE DIV XOR BINARY RETURNING CURRENT_DATE CURRENT_TIME CURRENT_TIMESTAMP"
                  + " LOCALTIME LOCALTIMESTAMP CURRENT_USER SESSION_USER SYSDATE UTC_DATE UTC_TIME"
                  + " UTC_TIMESTAMP SYMMETRIC ISNULL NOTNULL")
              .split(" ", -1));

  private static final Set<String> UNITS =
      Set.of(
          ("MICROSECOND SECOND MINUTE HOUR DAY WEEK MONTH QUARTER YEAR DAY_HOUR DAY_MINUTE DAY_SECOND"
                  + " HOUR_MINUTE HOUR_SECOND MINUTE_SECOND YEAR_MONTH")
              .split(" ", -1));

  /** Keywords in small letters and in capitals, to capitals. */
  private static final Map<String, String> SPELLINGS = new HashMap<>();

  static {
    for (String word : KEYWORDS) {
      SPELLINGS.put(word, word);
      SPELLINGS.put(word.toLowerCase(Locale.ROOT), word);
    }
  }

  private Words() {}

  static boolean isKeyword(String word) {
    return capitals(word) != null;
  }

  /** The keyword in capitals; null for another word. */
  static String capitals(String word) {
    String known = SPELLINGS.get(word);
    if (known != null || word.length() < 2) {
      return known;
    }
    // Neither all small nor all capital letters: rare.
    boolean mixed = Character.isUpperCase(word.charAt(0)) != Character.isUpperCase(word.charAt(1));
    String upper = mixed ? word.toUpperCase(Locale.ROOT) : word;
    return mixed && KEYWORDS.contains(upper) ? upper : null;
  }

  static boolean isNoColumn(String word) {
    return RESERVED.contains(word.toUpperCase(Locale.ROOT));
  }

  static boolean isUnit(String word) {
    return UNITS.contains(word.toUpperCase(Locale.ROOT));
  }
}
