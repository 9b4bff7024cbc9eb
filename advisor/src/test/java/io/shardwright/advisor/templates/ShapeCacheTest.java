package io.shardwright.advisor.templates;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.advisor.logs.LogFormat.Family;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.sql.TokenText;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ShapeCacheTest {
  /** What a text is put together from: all that numbers and quotes may touch. */
  private static final List<String> PIECES =
      List.of(
          "1",
          "23",
          "4.5",
          ".5",
          "6.",
          "1e3",
          "0x1F",
          "1a",
          "a1",
          "t.1",
          "t1.c2",
          "$1",
          "$2",
          "?",
          "'x'",
          "'it''s'",
          "'a\\'b'",
          "'/*! 7 */'",
          "''",
          "'x''",
          "E'a\\'b'",
          "N'n'",
          "x'41'",
          "_utf8'u'",
          "_utf8 'u'",
          "U&'u'",
          "\"name\"",
          "\"na\"\"me\"",
          "\"7\"",
          "`tick`",
          "`ti``ck7`",
          "$$it's$$",
          "$a$ '1' $a$",
          "/* 1 'c' */",
          "/* a /* b */",
          "/*! SET 1 */",
          "/*M!1 */",
          "/* shardwright: scatter=allow */",
          "/**/",
          "-- 1 'c'",
          "# 1 'c'\n",
          "-",
          "+",
          "--1",
          "(",
          ")",
          "[",
          "]",
          ",",
          ".",
          ";",
          "=",
          "<",
          "@1",
          "@v",
          ":1",
          ":n",
          "::int",
          " ",
          " ",
          " ",
          "\n",
          "SELECT",
          "FROM t",
          "WHERE",
          "IN",
          "VALUES",
          "NULL",
          "LIMIT",
          "AND",
          "é",
          "é1",
          "\0",
          "\u0002",
          "\u0003",
          "\\",
          "'",
          "\"",
          "`");

  private final SplittableRandom random = new SplittableRandom(7);

  @ParameterizedTest
  @EnumSource(
      value = Family.class,
      names = {"MYSQL", "POSTGRESQL"})
  void find_textsOfOneShape_haveTheSameTokensButForTheirLiterals(Family family) {
    ShapeCache<String> shapes = new ShapeCache<>();
    int hits = 0;
    for (int i = 0; i < 200_000; i++) {
      String text = text();
      String first = shapes.find(text, family);
      if (first == null) {
        shapes.keep(text);
        first = text;
      } else if (!first.equals(text)) {
        hits++;
        assertThat(template(text, family))
            .as("%s <> %s", first, text)
            .isEqualTo(template(first, family));
      }
      assertLiterals(shapes, first, text, family);
    }
    assertThat(hits).isGreaterThan(2_000);
  }

  private String text() {
    StringBuilder text = new StringBuilder();
    int pieces = random.nextInt(1, 5);
    for (int i = 0; i < pieces; i++) {
      text.append(PIECES.get(random.nextInt(PIECES.size())));
      text.append(random.nextBoolean() ? " " : "");
    }
    return text.toString();
  }

  private static String template(String text, Family family) {
    try {
      return Templates.text(text, family);
    } catch (ShardwrightException e) {
      return "refused";
    }
  }

  /** A token is the shape's literal in both texts, or the same text in both. */
  private static void assertLiterals(
      ShapeCache<String> shapes, String first, String text, Family family) {
    if (!shapes.hasShape() || template(text, family).equals("refused")) {
      return;
    }
    TokenText tokens = Templates.tokens(text, family);
    TokenText firstTokens = Templates.tokens(first, family);
    assertThat(tokens.size()).isEqualTo(firstTokens.size());
    for (int i = 0; i < tokens.size(); i++) {
      int literal = shapes.literalWithin(tokens.start(i), tokens.end(i));
      if (literal < 0) {
        assertThat(tokens.text(i)).as("%s <> %s", first, text).isEqualTo(firstTokens.text(i));
      } else {
        assertThat(tokens.text(i)).endsWith(shapes.literal(literal));
      }
      shapes.find(first, family);
      assertThat(shapes.literalWithin(firstTokens.start(i), firstTokens.end(i)))
          .as("%s <> %s", first, text)
          .isEqualTo(literal);
      shapes.find(text, family);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT * FROM t WHERE a = %s AND b IN (%s, -%s) LIMIT %s",
        "INSERT INTO t (a, b) VALUES (%s, 'x'), (%s, %s)",
        "/* trace=%s */ SELECT 1 FROM t%n WHERE a=%s"
      })
  void find_otherLiterals_isKnown(String pattern) {
    for (Family family : List.of(Family.MYSQL, Family.POSTGRESQL)) {
      ShapeCache<String> shapes = new ShapeCache<>();
      assertThat(shapes.find(String.format(pattern, 1, 2, 3, 4), family)).isNull();
      shapes.keep("kept");

      assertThat(shapes.find(String.format(pattern, 77, 8.5, 9, 10), family)).isEqualTo("kept");
      assertThat(shapes.find(String.format(pattern, "x", 2, 3, 4), family))
          .isEqualTo(pattern.startsWith("/*") ? "kept" : null);
    }
    assertThat(new ShapeCache<String>().find("SELECT 1", Family.UNKNOWN)).isNull();
  }

  @Test
  void keep_moreShapesThanTheBound_forgetsThem() {
    ShapeCache<Integer> shapes = new ShapeCache<>();
    for (int i = 0; i < 20_001; i++) {
      assertThat(shapes.find("SELECT a" + i, Family.MYSQL)).isNull();
      shapes.keep(i);
    }

    assertThat(shapes.find("SELECT a1", Family.MYSQL)).isNull();
    assertThat(shapes.find("SELECT a20000", Family.MYSQL)).isEqualTo(20_000);
  }
}
