package io.shardwright.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScriptTest {
  private static List<String> split(String text) {
    return Script.split(text).stream().map(Script.Statement::sql).toList();
  }

  @Test
  void split_cutsAtSemicolonsAndKeepsTheRest() {
    assertThat(split("SELECT 1; SELECT 2 ;\n;;SELECT 3"))
        .containsExactly("SELECT 1", "SELECT 2", "SELECT 3");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT ';'",
        "SELECT 'it''s; fine'",
        "SELECT E'a\\';b'",
        "SELECT e'\\\\', ';'",
        "SELECT \"a;b\" FROM t",
        "SELECT \"a\"\";\"",
        "SELECT $$ a; b $$",
        "SELECT $tag$ a; $$ b; $tag$",
        "SELECT /* a; /* b; */ c; */ 1",
        "SELECT 1 -- a; b\n + 2",
        "CREATE RULE r AS ON INSERT TO t DO (DELETE FROM a; DELETE FROM b)",
        "CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT CASE WHEN true THEN 1 END; SELECT 2;"
            + " END",
        "SELECT a[1], $1, '\\', ';' FROM t",
        "SELECT 'begin' AS begin, atomic FROM t",
        "SELECT e '\\' , 1",
      })
  void split_semicolonInside_isNoEnd(String statement) {
    assertThat(split(statement)).containsExactly(statement);
    assertThat(split(statement + ";\nSELECT 2;")).containsExactly(statement, "SELECT 2");
  }

  @Test
  void split_comments_stayWithTheirStatement() {
    assertThat(split("/* hint */ SELECT 1; -- the end\n")).containsExactly("/* hint */ SELECT 1");
  }

  @Test
  void split_tellsLinesAndNames() {
    List<Script.Statement> statements =
        Script.split("-- first\n\nCREATE TABLE\n  t (a int);\n\nINSERT INTO t VALUES (1)");
    assertThat(statements.get(0).line()).isEqualTo(3);
    assertThat(statements.get(0).words()).isEqualTo("CREATE TABLE t");
    assertThat(statements.get(1).line()).isEqualTo(6);
    assertThat(Script.split("drop table if  exists s.\"T\" cascade").get(0).words())
        .isEqualTo("drop table if exists s.\"T\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "  \n", ";;", "-- nothing\n", "/* nothing */"})
  void split_nothing_isUsage(String text) {
    assertThatThrownBy(() -> Script.split(text))
        .hasMessageContaining("SW603")
        .hasMessageContaining("empty");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT 1;\nSELECT 'a",
        "SELECT 1;\n\"a",
        "SELECT 1;\n$x$ $y$",
        "SELECT 1;\n/* /* */",
        "SELECT 1;\nE'a\\"
      })
  void split_unclosed_namesTheLine(String text) {
    assertThatThrownBy(() -> Script.split(text))
        .hasMessageContaining("SW201")
        .hasMessageContaining("line 2")
        .hasMessageContaining("nothing was run");
  }

  @Test
  void split_commandOfPsql_isRefused() {
    assertThatThrownBy(() -> Script.split("SELECT 1;\n\\d orders"))
        .hasMessageContaining("line 2")
        .hasMessageContaining("psql");
  }

  @Test
  void split_largeScript_isLinear() {
    String script = "INSERT INTO t VALUES ('x');\n".repeat(200_000);
    assertThat(Script.split(script)).hasSize(200_000).last().extracting("line").isEqualTo(200_000);
  }
}
