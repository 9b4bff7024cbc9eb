package io.shardwright.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.sql.SqlTokens.Kind;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SqlTokensTest {

  @Test
  void of_everyQuoteForm_keepsItWhole() {
    assertThat(texts("'it''s' E'a\\'b' $$x?$$ $t$ $$ ; $t$ \"a\"\"b\" U&'d\\0061' B'01'"))
        .containsExactly(
            "'it''s'", "E'a\\'b'", "$$x?$$", "$t$ $$ ; $t$", "\"a\"\"b\"", "U&'d\\0061'", "B'01'");
  }

  @Test
  void of_parametersInStringsAndComments_areNone() {
    SqlTokens tokens =
        SqlTokens.of(
            Dialect.postgreSql(),
            "select ?, '?', \"?\" /* ? /* ? */ ? */, $$?$$ -- ?\n, a ?? 'k', ? from t");

    assertThat(tokens.parameters()).hasSize(2);
    assertThat(tokens.parameterAt(tokens.parameters().get(1).start())).isEqualTo(1);
  }

  @Test
  void of_nestedParentheses_givesBothOfAPairTheDepthOutside() {
    SqlTokens tokens = SqlTokens.of(Dialect.postgreSql(), "a (b (c) d) e");

    assertThat(tokens.get(1).depth()).isZero();
    assertThat(tokens.get(tokens.closing(1)).depth()).isZero();
    assertThat(tokens.get(tokens.closing(1) + 1).text()).isEqualTo("e");
    assertThat(tokens.get(4).depth()).isEqualTo(2);
  }

  @Test
  void of_lineComment_endsAtACarriageReturnToo() {
    assertThat(texts("a -- x\r b -- y\n c -- z")).containsExactly("a", "b", "c");
  }

  @Test
  void of_escapeString_goesOnInTheNextLine() {
    assertThat(texts("E'a'\n'\\' AND x' b 'c'\n'\\'"))
        .containsExactly("E'a'", "'\\' AND x'", "b", "'c'", "'\\'");
  }

  @Test
  void isKeyword_behindAnAlias_isTrue() {
    SqlTokens tokens =
        SqlTokens.of(Dialect.postgreSql(), "select count(*) as as from t where x.from as from");

    assertThat(tokens.isKeyword(7, "FROM")).isTrue();
    assertThat(tokens.isKeyword(12, "FROM")).isFalse();
    assertThat(tokens.isKeyword(14, "FROM")).isFalse();
  }

  @Test
  void of_numbers_keepExponentsAndSigns() {
    assertThat(texts("1e-5 .5 1_000 0x1F 3.14::numeric"))
        .containsExactly("1e-5", ".5", "1_000", "0x1F", "3.14", "::", "numeric");
  }

  @Test
  void of_semicolonAtTheEnd_isNoToken() {
    assertThat(texts("select 1 ; ; ")).containsExactly("select", "1");
  }

  @Test
  void of_malformedText_namesThePlace() {
    assertRefused("select 'abc", ErrorCode.STATEMENT_UNPARSABLE, "quote is never closed", "8");
    assertRefused("select /* a", ErrorCode.STATEMENT_UNPARSABLE, "comment is never closed", "8");
    assertRefused("select (1", ErrorCode.STATEMENT_UNPARSABLE, "never closed");
    assertRefused("select 1)", ErrorCode.STATEMENT_UNPARSABLE, "no opening");
    assertRefused("select $a$ x", ErrorCode.STATEMENT_UNPARSABLE, "dollar quote");
    assertRefused("  -- nothing\n", ErrorCode.STATEMENT_UNPARSABLE, "empty");
    assertRefused("select ?1", ErrorCode.STATEMENT_UNPARSABLE, "no numbers");
    assertRefused("select 1; select 2", ErrorCode.STATEMENT_UNSUPPORTED, "one statement per call");
    assertRefused("(".repeat(201) + ")".repeat(201), ErrorCode.STATEMENT_TOO_LARGE, "200");
  }

  @Test
  void of_surrogatesAndTabs_keepsOffsetsInChars() {
    SqlTokens tokens =
        SqlTokens.of(Dialect.postgreSql(), "select\t'\uD83D\uDE00',\t\tx\r\n from t");

    assertThat(tokens.sql().substring(tokens.get(3).start(), tokens.get(3).end())).isEqualTo("x");
    assertThat(tokens.get(3).kind()).isEqualTo(Kind.WORD);
  }

  private static void assertRefused(String sql, ErrorCode code, String... parts) {
    assertThatThrownBy(() -> SqlTokens.of(Dialect.postgreSql(), sql))
        .isInstanceOfSatisfying(
            ShardwrightException.class, e -> assertThat(e.code()).isEqualTo(code))
        .hasMessageContainingAll(parts);
  }

  private static List<String> texts(String sql) {
    SqlTokens tokens = SqlTokens.of(Dialect.postgreSql(), sql);
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < tokens.size(); i++) {
      texts.add(tokens.get(i).text());
    }
    return texts;
  }
}
