package io.shardwright.ids;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.BucketId;
import io.shardwright.testkit.Gen;
import io.shardwright.testkit.Seeds;
import io.shardwright.testkit.TestingClock;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Laws of the texts: each value has one, and a text that means something is that one. */
class IdTextLawTest {
  private static final TestingClock CLOCK = new TestingClock(Instant.parse("2026-03-01T12:00:00Z"));
  private static final Gen<Long> NUMBERS = Gen.anyLong().map(value -> value & Long.MAX_VALUE);
  private static final PublicIds PUBLIC = new PublicIds(Map.of(1, key("a"), 2, key("b")), 2);

  private static final List<String> PATTERNS =
      List.of(
          "h2r_{base36 user_id}_{base36 id}",
          "r_h2r_{base36 user_id}_{base36 id}",
          "{base62 id}",
          "A{decimal(2) a}{decimal(1) b}{base36 c}-{base62(11) d}",
          "{decimal a}.{decimal b}.{decimal c}");

  /** Texts near the format: its own characters, broken in places. */
  private static Gen<String> near(String alphabet, int lengthMax) {
    return Gen.lists(
            Gen.integers(0, alphabet.length() - 1).map(i -> alphabet.substring(i, i + 1)),
            0,
            lengthMax)
        .map(parts -> String.join("", parts));
  }

  @Test
  void base62_ofAnyText_isRefusedOrTheOneTextOfItsNumber() {
    Seeds.check(
        5_000, NUMBERS, value -> assertThat(Base62.decode(Base62.encode(value))).isEqualTo(value));
    Seeds.check(
        5_000,
        near("0019AZaz_", 12),
        text -> {
          try {
            assertThat(Base62.encode(Base62.decode(text))).isEqualTo(text);
          } catch (ShardwrightException e) {
            assertThat(e.code()).isEqualTo(ErrorCode.ID_MALFORMED);
          }
        });
  }

  @Test
  void base62_ofWidthEleven_sortsAsItsNumbers() {
    Seeds.check(
        2_000,
        Gen.lists(NUMBERS, 2, 2),
        pair ->
            assertThat(
                    Integer.signum(
                        Radix.BASE62
                            .format(pair.get(0), 11)
                            .compareTo(Radix.BASE62.format(pair.get(1), 11))))
                .isEqualTo(Long.compare(pair.get(0), pair.get(1))));
  }

  @Test
  void publicId_isReversibleAndNoTwoIdsShareOne() {
    Set<String> texts = new HashSet<>();
    Set<Long> ids = new HashSet<>();
    Seeds.check(
        2_000,
        NUMBERS,
        id -> {
          String text = PUBLIC.encode(id);
          assertThat(text).hasSize(PublicIds.TEXT_CHARS).startsWith("2");
          assertThat(PUBLIC.decode(text)).isEqualTo(new PublicIds.PublicId(2, id));
          assertThat(texts.add(text)).isEqualTo(ids.add(id));
        });
  }

  @Test
  void publicId_ofAnyText_isRefusedOrTheOneTextOfItsId() {
    int[] taken = {0};
    Seeds.check(
        2_000,
        Gen.lists(Gen.integers(0, 61), 11, 11)
            .map(
                digits ->
                    digits.stream()
                        .map(digit -> Radix.BASE62.format(digit))
                        .collect(Collectors.joining("", "2", ""))),
        text -> {
          try {
            assertThat(PUBLIC.encode(PUBLIC.decode(text).id())).isEqualTo(text);
            taken[0]++;
          } catch (ShardwrightException e) {
            assertThat(e.code()).isEqualTo(ErrorCode.ID_MALFORMED);
          }
        });
    // 2^63 of the 62^11 texts, 18 %, mean an id: a guess is not told from an id by the text alone.
    assertThat(taken[0]).isBetween(200, 600);
  }

  /** Neighbouring ids show nothing: about half of the 64 bits differ. */
  @Test
  void publicId_ofNeighbours_looksUnrelated() {
    long changed = 0;
    for (long id = 0; id < 1_000; id++) {
      long one = Radix.BASE62.parseUnsigned(PUBLIC.encode(id).substring(1)).orElseThrow();
      long two = Radix.BASE62.parseUnsigned(PUBLIC.encode(id + 1).substring(1)).orElseThrow();
      changed += Long.bitCount(one ^ two);
    }
    assertThat(changed / 1_000.0).isBetween(31.0, 33.0);
  }

  @Test
  void publicId_afterTheKeyChanged_isReadByItsVersion() {
    PublicIds before = new PublicIds(Map.of(1, key("a")), 1);
    String old = before.encode(77);

    assertThat(PUBLIC.decode(old)).isEqualTo(new PublicIds.PublicId(1, 77));
    assertThat(PUBLIC.encode(77)).isNotEqualTo(old).startsWith("2");
    assertThatThrownBy(() -> before.decode(PUBLIC.encode(77)))
        .hasMessageContaining("names key version 2, the known ones are [1]");
    IdVectorsTest.assertMalformed(() -> PUBLIC.decode(old.substring(1)));
    IdVectorsTest.assertMalformed(() -> PUBLIC.decode(old + "0"));
    IdVectorsTest.assertMalformed(() -> PUBLIC.decode("1zzzzzzzzzzz"));
    IdVectorsTest.assertMalformed(() -> PUBLIC.decode(""));
  }

  @Test
  void publicId_withKeysThatAreNone_isRefused() {
    assertThatThrownBy(() -> new PublicIds(Map.of(1, new byte[15]), 1))
        .hasMessageContaining("has 15 bytes; use at least 16");
    assertThatThrownBy(() -> new PublicIds(Map.of(62, key("a")), 62))
        .hasMessageContaining("outside 0 to 61");
    assertThatThrownBy(() -> new PublicIds(Map.of(1, key("a")), 2))
        .hasMessageContaining("no key of the current version 2");
  }

  @Test
  void keyCodec_ofAnyValues_comesBack() {
    for (String pattern : PATTERNS) {
      KeyCodec codec = KeyCodec.of(pattern);
      Seeds.check(
          1_000,
          Gen.lists(NUMBERS, codec.columns().size(), codec.columns().size()),
          values -> {
            try {
              assertThat(codec.decode(codec.encode(values))).contains(values);
            } catch (ShardwrightException e) {
              assertThat(e).hasMessageContaining("needs more than");
            }
          });
    }
  }

  /** Else a number could be forged that names the same row. */
  @Test
  void keyCodec_ofAnyText_isRefusedOrTheOneTextOfItsValues() {
    for (String pattern : PATTERNS) {
      KeyCodec codec = KeyCodec.of(pattern);
      int[] taken = {0};
      Seeds.check(
          3_000,
          broken(pattern),
          text -> {
            Optional<List<Long>> values = codec.decode(text);
            values.ifPresent(v -> assertThat(codec.encode(v)).isEqualTo(text));
            taken[0] += values.isPresent() ? 1 : 0;
          });
      assertThat(taken[0]).as(pattern).isBetween(20, 2_999);
    }
  }

  /** The pattern's own literals, with texts near numbers for its fields. */
  private static Gen<String> broken(String pattern) {
    List<String> literals = List.of(pattern.split("\\{[^}]*}", -1));
    int fields = literals.size() - 1;
    String digits = pattern.contains("{decimal a}") ? "1172330_" : "1172zaZ0_";
    return Gen.lists(near(digits, 4), fields, fields)
        .map(
            values -> {
              StringBuilder text = new StringBuilder(literals.get(0));
              for (int i = 0; i < fields; i++) {
                boolean wide = pattern.contains("(11) d") && i == fields - 1;
                text.append(wide ? "0000000" : "")
                    .append(values.get(i))
                    .append(literals.get(i + 1));
              }
              return text.toString();
            });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "abc|has no field",
        "|has no field",
        "{base36 a}{base36 b}|does not tell where a ends",
        "{base36 a}x|does not tell where a ends",
        "{decimal a}0|does not tell where a ends",
        "{base64 a}|has encoding 'base64': use decimal, base36 or base62",
        "{a}|has {a}: write {encoding column}",
        "{base36(0) a}|has width 0",
        "{base36(20) a}|has width 20",
        "{base36 a|has a { without }",
        "a}{base36 a}|has a } without {",
        "{base36 a}-{base36 a}|has column a twice"
      })
  void keyCodec_ofPatternThatCannotBeRead_saysWhy(String patternAndReason) {
    int bar = patternAndReason.indexOf('|');
    assertThatThrownBy(() -> KeyCodec.of(patternAndReason.substring(0, bar)))
        .isInstanceOfSatisfying(
            ShardwrightException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.CONFIGURATION_INVALID))
        .hasMessageContaining(patternAndReason.substring(bar + 1));
  }

  @Test
  void keyCodec_ofValuesThatDoNotFit_isRefused() {
    KeyCodec codec = KeyCodec.of("{decimal(2) a}");
    assertThat(codec.encode(List.of(7L))).isEqualTo("07");
    assertThatThrownBy(() -> codec.encode(List.of(100L)))
        .hasMessageContaining("value 100 of a needs more than 2 digits");
    assertThatThrownBy(() -> codec.encode(List.of(-1L))).hasMessageContaining("is negative");
  }

  /** Every single wrong digit and every swap of two neighbours is found. */
  @Test
  void orderNumber_withOneMistake_isRefused() {
    OrderNumberFormat format = new OrderNumberFormat("SO", 4096);
    String text =
        format.text(
            new OrderNumber(1, Instant.parse("2026-03-01T12:00:00Z"), new BucketId(659), 12, 3456));
    for (int i = 2; i < text.length(); i++) {
      for (char digit = '0'; digit <= '9'; digit++) {
        String wrong = text.substring(0, i) + digit + text.substring(i + 1);
        assertThat(format.parse(wrong).isPresent()).isEqualTo(wrong.equals(text));
      }
      if (i + 1 < text.length()) {
        String swapped =
            text.substring(0, i) + text.charAt(i + 1) + text.charAt(i) + text.substring(i + 2);
        assertThat(format.parse(swapped).isPresent()).isEqualTo(swapped.equals(text));
      }
    }
  }

  @Test
  void orderNumbers_ofOneGenerator_areStrictlyParsedAndDifferent() {
    OrderNumberFormat format = new OrderNumberFormat("SO", 16_384);
    OrderNumberGenerator generator =
        new OrderNumberGenerator(format, 3, NodeLease.fixed(63), CLOCK);
    Set<String> seen = new HashSet<>();
    String last = "";
    for (int i = 0; i < 25_000; i++) {
      String text = generator.next(new BucketId(9_999));
      OrderNumber number = format.parse(text, 3, CLOCK);

      assertThat(seen.add(text)).isTrue();
      assertThat(text).isGreaterThan(last);
      assertThat(number.gene()).isEqualTo(new BucketId(9_999));
      assertThat(number.createdAt()).isEqualTo(CLOCK.instant().plusSeconds(i / 10_000));
      last = text;
    }
    assertThat(Instant.ofEpochMilli(generator.usedUntilMillis()))
        .isEqualTo(CLOCK.instant().plusMillis(2_999));
  }

  @Test
  void orderNumber_ofOtherGenerationOrTheFuture_isRefused() {
    OrderNumberFormat format = new OrderNumberFormat("", 1024);
    String text =
        format.text(new OrderNumber(1, CLOCK.instant().plusSeconds(300), new BucketId(1), 0, 0));

    assertThat(format.parse(text, 1, CLOCK).version()).isEqualTo(1);
    assertThatThrownBy(() -> format.parse(text, 2, CLOCK)).hasMessageContaining("generation 1");
    TestingClock behind = new TestingClock(CLOCK.instant().minusSeconds(1));
    assertThatThrownBy(() -> format.parse(text, 1, behind)).hasMessageContaining("clock reads");
    assertThatThrownBy(() -> format.parse("1", 1, CLOCK)).hasMessageContaining("no order number");
    assertThatThrownBy(() -> new OrderNumberFormat("so", 1024)).hasMessageContaining("prefix");
  }

  @Test
  void htOrderNumber_isReadStrictly() {
    assertThat(HtOrderNumber.parse("HT20250630235959" + "05" + "0042"))
        .hasValueSatisfying(
            number -> {
              assertThat(number.createdAt()).isEqualTo("2025-06-30T23:59:59");
              assertThat(number.gene()).isEqualTo(5);
              assertThat(number.random()).isEqualTo(42);
            });
    for (String other :
        List.of(
            "",
            "HT",
            "ht20250630235959050042",
            "HT20250631235959050042",
            "HT20250630245959050042",
            "HT20250630235959320042",
            "HT2025063023595905004",
            "HT202506302359590500421",
            "HT2025063023595905004x",
            "HT20250630235959\u0660\u06650042")) {
      assertThat(HtOrderNumber.parse(other)).as(other).isEmpty();
    }
  }

  /** (int) (id ^ id >>> 32), spread, lowest five bits; computed by hand. */
  @Test
  void htOrderNumber_geneIsTheOldHash() {
    assertThat(HtOrderNumber.geneOf(5)).isEqualTo(5);
    assertThat(HtOrderNumber.geneOf(65_536)).isEqualTo(1);
    assertThat(HtOrderNumber.geneOf(0x1_0000_0000L)).isEqualTo(1);
    assertThat(HtOrderNumber.geneOf(-1)).isZero();
    assertThat(HtOrderNumber.geneOf(0x8000_001FL)).isEqualTo(31);
  }

  @Test
  void snowflake_parse_refusesWhatWasNotIssued() {
    SnowflakeGenerator generator = new SnowflakeGenerator(NodeLease.fixed(1023), CLOCK);
    long id = 0;
    for (int i = 0; i < 5_000; i++) {
      long next = generator.next();
      assertThat(next).isGreaterThan(id);
      id = next;
    }
    assertThat(SnowflakeId.parse(Long.toString(id), CLOCK).node()).isEqualTo(1023);
    assertThat(Instant.ofEpochMilli(generator.usedUntilMillis()))
        .isEqualTo(SnowflakeId.decode(id).createdAt());

    String issued = Long.toString(id);
    TestingClock early = new TestingClock(CLOCK.instant().minus(Duration.ofMinutes(6)));
    IdVectorsTest.assertMalformed(() -> SnowflakeId.parse(issued, early));
    IdVectorsTest.assertMalformed(() -> SnowflakeId.parse("4095", CLOCK));
    IdVectorsTest.assertMalformed(() -> SnowflakeId.parse("-1", CLOCK));
    IdVectorsTest.assertMalformed(() -> SnowflakeId.decode(-1));
  }

  private static byte[] key(String of) {
    return (of + "-0123456789abcdef").getBytes(StandardCharsets.US_ASCII);
  }
}
