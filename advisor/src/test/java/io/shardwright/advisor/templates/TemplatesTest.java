package io.shardwright.advisor.templates;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.advisor.logs.LogFormat.Family;
import io.shardwright.advisor.logs.LogRecord;
import io.shardwright.testkit.Seeds;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TemplatesTest {
  @Test
  void text_valuesListsBlanksAndQuotesAreGone() {
    assertThat(pg("select  *\n from Orders where id=5 -- x\n and a in (1,2, 3)"))
        .isEqualTo("SELECT * FROM orders WHERE id = ? AND a IN (...)");
    assertThat(my("SELECT `id` FROM `Orders` WHERE `k`='a''b' AND x = \"y\""))
        .isEqualTo("SELECT id FROM Orders WHERE k = ? AND x = ?");
    assertThat(pg("INSERT INTO t (a,b) VALUES (1,'x'),(2,'y')"))
        .isEqualTo("INSERT INTO t(a, b) VALUES (...)");
    assertThat(pg("INSERT INTO t (a,b) VALUES (1,now()),(2,now())"))
        .isEqualTo("INSERT INTO t(a, b) VALUES (?, now())");
    assertThat(
            pg(
                "UPDATE t SET a = a + -5, b = NULL WHERE c IS NULL AND d = $1 AND e = ANY(ARRAY[1,2])"))
        .isEqualTo(
            "UPDATE t SET a = a + ?, b = ? WHERE c IS NULL AND d = ? AND e = ANY (ARRAY(...))");
    assertThat(my("SELECT /*!40001 SQL_NO_CACHE */ a <= 5, b - 5 FROM t LIMIT 1,2"))
        .isEqualTo("SELECT SQL_NO_CACHE a <= ?, b - ? FROM t LIMIT ?, ?");
    assertThat(pg("SELECT \"Id\", \"order\", \"plain\" FROM t WHERE x::int = '5'::int"))
        .isEqualTo("SELECT \"Id\", \"order\", plain FROM t WHERE x::int = ?::int");
  }

  @Test
  void text_ofUnknownDialect_valuesInDoubleQuotesAreNoNames() {
    assertThat(unknown("SELECT * FROM users WHERE email = \"alice@example.com\""))
        .isEqualTo("SELECT * FROM users WHERE email = ?");
    assertThat(unknown("SELECT a FROM t WHERE lower(a) = lower(\"x y\") AND b LIKE BINARY \"z\""))
        .isEqualTo("SELECT a FROM t WHERE lower(a) = lower(?) AND b LIKE BINARY ?");
    assertThat(unknown("SELECT a FROM t WHERE a IN (SELECT b, \"Id\" FROM \"T\")"))
        .isEqualTo("SELECT a FROM t WHERE a IN (SELECT b, \"Id\" FROM \"T\")");
    assertThat(unknown("SELECT a FROM (SELECT a FROM t WHERE b IN (\"x\", \"y\")) q"))
        .isEqualTo("SELECT a FROM (SELECT a FROM t WHERE b IN (...)) q");
    assertThat(unknown("INSERT INTO \"T\" (a, b) VALUES (1, f(\"x\")), (2, \"y\")"))
        .isEqualTo("INSERT INTO \"T\"(a, b) VALUES (?, f(?))");
    assertThat(unknown("INSERT INTO t (a, b) VALUES (\"x\", 1), (\"y\", 2)"))
        .isEqualTo("INSERT INTO t(a, b) VALUES (...)");
    assertThat(unknown("INSERT INTO t (a, b) VALUES (upper(\"x\"), \"z\")"))
        .isEqualTo("INSERT INTO t(a, b) VALUES (upper(?), ?)");
    assertThat(
            unknown(
                "SELECT a FROM t WHERE a IN (\"x\", \"y\") AND b LIKE \"z%\" AND c BETWEEN \"k\" AND"
                    + " \"l\" AND d <> \"say \\\"hi\\\" x\""))
        .isEqualTo(
            "SELECT a FROM t WHERE a IN (...) AND b LIKE ? AND c BETWEEN ? AND ? AND d <> ?");
    assertThat(unknown("SELECT \"o\".\"Id\" FROM \"Orders\" \"o\" WHERE \"Key\" = \"it's\""))
        .isEqualTo("SELECT o.\"Id\" FROM \"Orders\" o WHERE \"Key\" = ?");
    assertThat(
            unknown(
                "SELECT * FROM \"A\" JOIN \"B\" ON \"A\".\"Id\" = \"B\".\"Id\" WHERE \"C\" = 1"))
        .isEqualTo("SELECT * FROM \"A\" JOIN \"B\" ON \"A\".\"Id\" = \"B\".\"Id\" WHERE \"C\" = ?");
  }

  private static String unknown(String sql) {
    return Templates.text(sql, Family.UNKNOWN);
  }

  @Test
  void text_ofDigestsIsThatOfTheStatements() {
    assertThat(my("SELECT * FROM `o` WHERE `status` IN (...) AND `id` = ? LIMIT ?"))
        .isEqualTo(my("select * from o where status in ('a','b') and id=7 limit 10"));
    assertThat(my("INSERT INTO `audit_log` VALUES (...) /* , ... */"))
        .isEqualTo(my("INSERT INTO audit_log VALUES (1,'a'),(2,'b')"));
    assertThat(my("SELECT COUNT ( * ) FROM `c` WHERE `c` . `a` > ?"))
        .isEqualTo(my("SELECT count(*) FROM c WHERE c.a > 5"));
    assertThat(pg("SELECT * FROM o WHERE id = $1")).isEqualTo(pg("SELECT * FROM o WHERE id = 5"));
    assertThat(Templates.text("select a from c where n = ?", Family.UNKNOWN))
        .isEqualTo(Templates.text("select a from c where n = 'x'", Family.UNKNOWN));
  }

  /** Statements of one form with other values, list lengths, cases and blanks have one template. */
  @Test
  void fingerprint_isTheSameForAllValues() {
    Seeds.check(
        300,
        choices -> {
          String number = Long.toString(choices.below(2_000_000) - 1_000_000);
          String text = "'" + "a''b".repeat((int) choices.below(4)) + "'";
          String list =
              IntStream.rangeClosed(0, (int) choices.below(6))
                  .mapToObj(i -> Long.toString(choices.below(100)))
                  .collect(Collectors.joining(choices.below(2) == 0 ? "," : " , "));
          String blank = choices.below(2) == 0 ? " " : "\n\t ";
          String and = choices.below(2) == 0 ? "and" : "AND";
          return "SELECT"
              + blank
              + "* FROM orders WHERE a = "
              + number
              + blank
              + and
              + " b = "
              + text
              + " AND c IN ("
              + list
              + ") AND d > "
              + choices.below(50)
              + ".5";
        },
        sql -> {
          String expected = "SELECT * FROM orders WHERE a = ? AND b = ? AND c IN (...) AND d > ?";
          assertThat(pg(sql)).isEqualTo(expected);
          assertThat(my(sql)).isEqualTo(expected);
          // A template is its own template.
          assertThat(pg(pg(sql))).isEqualTo(expected);
        });
    assertThat(Templates.fingerprint("SELECT ?")).matches("[0-9a-f]{16}");
    // Stored by users beside their reports: never change it.
    assertThat(Templates.fingerprint("")).isEqualTo("e3b0c44298fc1c14");
  }

  @Test
  void text_otherStatementsDiffer() {
    assertThat(
            List.of(
                pg("SELECT a FROM t WHERE b = 1"),
                pg("SELECT a FROM t WHERE c = 1"),
                pg("SELECT a FROM t WHERE b > 1"),
                pg("SELECT a FROM t WHERE b = c"),
                pg("SELECT a FROM t WHERE b IS NULL"),
                pg("SELECT a FROM t WHERE b IN (1)"),
                pg("SELECT a FROM u WHERE b = 1")))
        .doesNotHaveDuplicates();
    // Tables of MySQL are compared as they are written.
    assertThat(my("SELECT a FROM T")).isNotEqualTo(my("SELECT a FROM t"));
    assertThat(pg("SELECT a FROM T")).isEqualTo(pg("SELECT a FROM t"));
  }

  @Test
  void sums_ofOneTemplate() {
    Templates templates = new Templates();
    templates.add(
        record("SELECT * FROM o WHERE id = 1", 1, 10, "2024-01-01T00:00:05Z"), Family.MYSQL);
    templates.add(
        record("select * from o where id = 2", 4, 20, "2024-01-01T00:00:01Z"), Family.MYSQL);
    templates.add(
        record("UPDATE o SET a = 1 WHERE id = 2", 2, 5, "2024-01-01T00:00:09Z"), Family.MYSQL);

    Template first = templates.templates().get(0);
    assertThat(templates.templates()).hasSize(2);
    assertThat(templates.executions()).isEqualTo(7);
    assertThat(first.executions()).isEqualTo(5);
    assertThat(first.timed()).isEqualTo(5);
    assertThat(first.duration()).isEqualTo(Duration.ofMillis(30));
    assertThat(first.rowsExamined()).isEqualTo(60);
    assertThat(first.first()).contains(Instant.parse("2024-01-01T00:00:01Z"));
    assertThat(first.last()).contains(Instant.parse("2024-01-01T00:00:05Z"));
    assertThat(first.use().kind()).isEqualTo(StatementKind.SELECT);
    assertThat(first.fingerprint()).isEqualTo(Templates.fingerprint(first.text()));
  }

  @Test
  void unread_isCountedByShapeAndShowsNoValue() {
    Templates templates = new Templates();
    for (String value : List.of("secret1", "secret2")) {
      templates.add(
          record("SELECT 'open FROM t WHERE a = '" + value + "'", 3, 1, null), Family.POSTGRESQL);
    }
    templates.add(record("SELECT 1; DROP TABLE t", 1, 1, null), Family.POSTGRESQL);
    templates.add(record("SELECT a FROM WHERE b = 'secret3'", 1, 1, null), Family.POSTGRESQL);
    templates.add(record("SELECT a FROM WHERE b = 'secret4'", 1, 1, null), Family.POSTGRESQL);

    assertThat(templates.templates()).isEmpty();
    assertThat(templates.unread()).hasSize(3);
    assertThat(templates.unread().stream().mapToLong(Templates.Unread::executions).sum())
        .isEqualTo(9);
    assertThat(templates.unread()).allMatch(unread -> !unread.reason().isEmpty());
    assertThat(templates.unread().toString()).doesNotContain("secret");
  }

  @Test
  void locks_areSeen() {
    assertThat(Templates.use("SELECT * FROM t WHERE a = 1 FOR UPDATE", Family.MYSQL).locks())
        .isTrue();
    assertThat(Templates.use("SELECT * FROM t LOCK IN SHARE MODE", Family.MYSQL).locks()).isTrue();
    assertThat(Templates.use("SELECT * FROM t WHERE a = 1", Family.MYSQL).locks()).isFalse();
  }

  @Test
  void bounds_areKeptAndCounted() {
    Templates templates = new Templates();
    for (int i = 0; i < Templates.TEMPLATES_MAX + 7; i++) {
      templates.add(record("SELECT c" + i + " FROM t", 1, 1, null), Family.POSTGRESQL);
    }

    assertThat(templates.templates()).hasSize(Templates.TEMPLATES_MAX);
    assertThat(templates.beyond()).isEqualTo(7);
  }

  private static String pg(String sql) {
    return Templates.text(sql, Family.POSTGRESQL);
  }

  private static String my(String sql) {
    return Templates.text(sql, Family.MYSQL);
  }

  private static LogRecord record(String sql, long count, long millis, String time) {
    return new LogRecord(
        1,
        Optional.ofNullable(time).map(Instant::parse),
        Optional.of(Duration.ofMillis(millis)),
        Optional.empty(),
        OptionalLong.empty(),
        OptionalLong.of(millis * 2),
        OptionalLong.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        sql,
        List.of(),
        count);
  }
}
