package io.shardwright.cli;

import static io.shardwright.config.DatabaseProduct.POSTGRESQL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.config.DatabaseProduct;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScriptTest {
  private static List<String> split(String text) {
    return Script.split(text, POSTGRESQL).stream().map(Script.Statement::sql).toList();
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
        Script.split(
            "-- first\n\nCREATE TABLE\n  t (a int);\n\nINSERT INTO t VALUES (1)", POSTGRESQL);
    assertThat(statements.get(0).line()).isEqualTo(3);
    assertThat(statements.get(0).words()).isEqualTo("CREATE TABLE t");
    assertThat(statements.get(1).line()).isEqualTo(6);
    assertThat(Script.split("drop table if  exists s.\"T\" cascade", POSTGRESQL).get(0).words())
        .isEqualTo("drop table if exists s.\"T\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "  \n", ";;", "-- nothing\n", "/* nothing */"})
  void split_nothing_isUsage(String text) {
    assertThatThrownBy(() -> Script.split(text, POSTGRESQL))
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
    assertThatThrownBy(() -> Script.split(text, POSTGRESQL))
        .hasMessageContaining("SW201")
        .hasMessageContaining("line 2")
        .hasMessageContaining("nothing was run");
  }

  @Test
  void split_commandOfPsql_isRefused() {
    assertThatThrownBy(() -> Script.split("SELECT 1;\n\\d orders", POSTGRESQL))
        .hasMessageContaining("line 2")
        .hasMessageContaining("psql");
  }

  @Test
  void split_largeScript_isLinear() {
    String script = "INSERT INTO t VALUES ('x');\n".repeat(200_000);
    assertThat(Script.split(script, POSTGRESQL))
        .hasSize(200_000)
        .last()
        .extracting("line")
        .isEqualTo(200_000);
  }

  private static List<String> splitMariaDb(String text) {
    return Script.split(text, DatabaseProduct.MARIADB).stream().map(Script.Statement::sql).toList();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT 'a\\';b', ';'",
        "SELECT \"a\\\";b\", \"it's; fine\"",
        "SELECT `a;b``;` FROM t",
        "SELECT 1 # a; b\n + 2",
        "SELECT 1 -- a; b\n + 2",
        "SELECT /* a; /* b; */ 1",
        "/*!40101 SET NAMES utf8mb4; */",
        "SELECT $a$ FROM `;`",
      })
  void split_semicolonInsideOnMariaDb_isNoEnd(String statement) {
    assertThat(splitMariaDb(statement)).containsExactly(statement);
    assertThat(splitMariaDb(statement + "\n;\nSELECT 2;")).containsExactly(statement, "SELECT 2");
  }

  @Test
  void split_onMariaDb_cutsWhereOnlyPostgreSqlGoesOn() {
    assertThat(splitMariaDb("SELECT 5--1; SELECT $$ a; SELECT $$")).hasSize(3);
    assertThat(splitMariaDb("SELECT /* a /* b */ 1; SELECT 2")).hasSize(2);
  }

  @Test
  void split_commandOfTheMariaDbClient_isRefused() {
    assertThatThrownBy(() -> splitMariaDb("SELECT 1;\nDELIMITER //\n"))
        .hasMessageContaining("SW603")
        .hasMessageContaining("line 2 sets DELIMITER");
    assertThatThrownBy(() -> splitMariaDb("SELECT 1;\nSELECT `a"))
        .hasMessageContaining("the quoted name that begins in line 2");
  }
}
