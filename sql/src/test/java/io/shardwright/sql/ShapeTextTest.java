package io.shardwright.sql;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShapeTextTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "select a from t where k = 7 and t = 'x'      | select a from t where k = ? and t = ?",
        "select a from t where k in (1, ?, 'x', 4)    | select a from t where k in (?, ...)",
        "select a from t where k in (1,2)             | select a from t where k in (?, ...)",
        "select a from t where k in (1)               | select a from t where k in (?)",
        "select a from t where k in (1, x, 2, 3)      | select a from t where k in (?, x, ?, ...)",
        "insert into t (a, b) values (1, 'x'), (?, ?), (3, 4) | insert into t (a, b) values (?, ...), ...",
        "insert into t (a, b) values (1, now()), (2, now())   | insert into t (a, b) values (?, now()), ...",
        "select /* a comment */ 1 -- end              | select ?",
        "select f(1, 2), g(3) from t limit 5          | select f(?, ...), g(?) from t limit ?",
        "select a from t where k = -1 or k = $$x$$    | select a from t where k = -? or k = ?",
        "select \"A\", \"a b\" from t                     | select \"A\", \"a b\" from t",
        "select 1 +1, 1 + 1                           | select ? +?, ? + ?",
        "select (1), ((1)), ((2))                     | select (?), ((?)), ...",
      })
  void shape_holdsNoValue(String sql, String shape) {
    assertThat(Plans.PLANNER.shape(sql)).isEqualTo(shape);
  }

  @Test
  void shape_ofHugeLists_isShort() {
    assertThat(Plans.PLANNER.shape("select a from t where k in (1" + ", 2".repeat(5_000) + ")"))
        .isEqualTo("select a from t where k in (?, ...)");
    assertThat(Plans.PLANNER.shape("select " + "a, ".repeat(5_000) + "b from t").length())
        .isEqualTo(ShapeText.MAX_CHARS);
  }

  @Test
  void shape_ofAnyText_isGiven() {
    assertThat(Plans.PLANNER.shape("select 'secret")).isEqualTo("(unreadable)");
    assertThat(Plans.PLANNER.shape("hello world 7")).isEqualTo("hello world ?");
  }
}
