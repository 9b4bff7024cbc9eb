package io.shardwright.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.sql.SqlTokens.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MariaDbLexerTest {

  @Test
  void of_everyQuoteForm_keepsItWhole() {
    assertThat(
            texts("'it''s' 'a\\'b' \"x\"\"y\" `a``b` N'n\\'' x'41' b'01' _utf8mb4'x' _latin1 'y'"))
        .containsExactly(
            "'it''s'",
            "'a\\'b'",
            "\"x\"\"y\"",
            "`a``b`",
            "N'n\\''",
            "x'41'",
            "b'01'",
            "_utf8mb4'x'",
            "_latin1 'y'");
    assertThat(kinds("'a' \"b\" `c` _utf8mb4'x'"))
        .containsExactly(Kind.STRING, Kind.STRING, Kind.QUOTED, Kind.STRING);
  }

  @Test
  void of_comments_areNoTokens() {
    assertThat(texts("a # ? '\n b -- ' ?\n c /* ? /* ' */ d /*+ hint */ e --\tx\n f --"))
        .containsExactly("a", "b", "c", "d", "e", "f");
  }

  @Test
  void of_dashesWithoutBlank_areTwoMinuses() {
    assertThat(texts("1--1")).containsExactly("1", "-", "-", "1");
  }

  @Test
  void of_postgresQuotes_haveNoMeaning() {
    assertThat(texts("$$a ? b$$ E'x'")).containsExactly("$$a", "?", "b$$", "E", "'x'");
    assertThat(texts("a::int")).containsExactly("a", ":", ":", "int");
  }

  @Test
  void of_numbersAndNames_areToldByWhatFollows() {
    assertThat(texts("1 1.5 .5 1e5 1e-5 1. 0x1F 0b01 1a 1e 0xZ t.1a t.5 1_000 a$b"))
        .containsExactly(
            "1", "1.5", ".5", "1e5", "1e-5", "1.", "0x1F", "0b01", "1a", "1e", "0xZ", "t", ".",
            "1a", "t", ".", "5", "1_000", "a$b");
    assertThat(kinds("1e5 1e 0x1F 0xZ t.5"))
        .containsExactly(
            Kind.NUMBER, Kind.WORD, Kind.NUMBER, Kind.WORD, Kind.WORD, Kind.SYMBOL, Kind.WORD);
  }

  @Test
  void of_logicalOperators_areOneToken() {
    assertThat(texts("a&&b||c <=> d := e"))
        .containsExactly("a", "&&", "b", "||", "c", "<", "=", ">", "d", ":", "=", "e");
  }

  @ParameterizedTest
  @ValueSource(strings = {"select 1 /*! + 1 */", "select /*!50000 1 */", "/*M! select */ 1"})
  void of_executableComment_isRefused(String sql) {
    assertRefused(sql, ErrorCode.STATEMENT_UNSUPPORTED, "executable comment");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
      select 'a\\' | quote is never closed
      select `a | quote is never closed
      select "a | quote is never closed
      select /* a | comment is never closed
      select (1 | never closed
      select 1; select 2 | one statement per call
      """)
  void of_malformedText_isRefused(String sql, String message) {
    assertThatThrownBy(() -> tokens(sql))
        .isInstanceOf(ShardwrightException.class)
        .hasMessageContaining(message);
  }

  @Test
  void of_nulOutsideQuotes_isRefused() {
    assertRefused("select 1 \0 from t", ErrorCode.STATEMENT_UNPARSABLE, "NUL");
    assertThat(texts("select '\0'")).containsExactly("select", "'\0'");
  }

  /** No text between tokens but blanks and comments, none of them overlooked. */
  @Test
  void of_randomText_isWholeInTokensAndGaps() {
    String[] pieces = {
      "a",
      "`b``c`",
      "'d\\'e'",
      "\"f\"",
      "1.5e3",
      "?",
      " ",
      "\n",
      "/* x */",
      "-- y\n",
      "# z\n",
      "+",
      "||",
      "&&",
      "t.1a",
      "0x1f",
      "_utf8mb4 'g'",
      "<=",
      "é",
      ",",
      "\t",
      ".5",
      "x'41'"
    };
    Random random = new Random(20_260_101);
    for (int run = 0; run < 3_000; run++) {
      StringBuilder sql = new StringBuilder("select ");
      for (int i = random.nextInt(12); i > 0; i--) {
        sql.append(pieces[random.nextInt(pieces.length)]);
      }
      SqlTokens tokens;
      try {
        tokens = tokens(sql.toString());
      } catch (ShardwrightException e) {
        // "? 1" without the blank is refused
        assertThat(e.getMessage()).as(sql.toString()).contains("followed by a digit");
        continue;
      }
      int at = 0;
      for (int i = 0; i < tokens.size(); i++) {
        assertThat(tokens.sql().substring(at, tokens.get(i).start()))
            .as(sql.toString())
            .matches("(?s)(\\s|/\\*.*?\\*/|-- [^\n]*\n|#[^\n]*\n)*");
        assertThat(tokens.get(i).text())
            .isEqualTo(tokens.sql().substring(tokens.get(i).start(), tokens.get(i).end()));
        at = tokens.get(i).end();
      }
      assertThat(tokens.sql().substring(at))
          .as(sql.toString())
          .matches("(?s)(\\s|/\\*.*?\\*/|-- [^\n]*\n|#[^\n]*\n)*");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
      'a\\nb\\q\\'c''d' | ~a
      bq'c'd~
      "x""y" | x"y
      '50\\%\\_' | 50\\%\\_
      '\\\\' | \\
      """)
  void string_escapes_areTheDatabases(String literal, String value) {
    assertThat(MariaDbPlans.DIALECT.string(literal)).contains(value);
  }

  private static SqlTokens tokens(String sql) {
    return SqlTokens.of(MariaDbPlans.DIALECT, sql);
  }

  private static void assertRefused(String sql, ErrorCode code, String part) {
    assertThatThrownBy(() -> tokens(sql))
        .isInstanceOfSatisfying(
            ShardwrightException.class, e -> assertThat(e.code()).isEqualTo(code))
        .hasMessageContaining(part);
  }

  private static List<String> texts(String sql) {
    SqlTokens tokens = tokens(sql);
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < tokens.size(); i++) {
      texts.add(tokens.get(i).text());
    }
    return texts;
  }

  private static List<Kind> kinds(String sql) {
    SqlTokens tokens = tokens(sql);
    List<Kind> kinds = new ArrayList<>();
    for (int i = 0; i < tokens.size(); i++) {
      kinds.add(tokens.get(i).kind());
    }
    return kinds;
  }
}
