package io.shardwright.ids;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.GeneIdLayout;
import io.shardwright.testkit.Gen;
import io.shardwright.testkit.Seeds;
import io.shardwright.testkit.TestingClock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class GeneIdTest {
  private static final GeneIdLayout LAYOUT = GeneIdLayout.forBuckets(4096);
  private static final TestingClock CLOCK = new TestingClock(Instant.parse("2026-03-01T12:00:00Z"));

  record Vector(GeneIdLayout layout, long tick, GeneId id) {}

  static List<Vector> vectors() {
    return Vectors.rows("gene-id-v1.tsv").stream().map(GeneIdTest::parse).toList();
  }

  private static Vector parse(String[] cells) {
    return new Vector(
        GeneIdLayout.forBuckets(Integer.parseInt(cells[0])),
        Long.parseLong(cells[2]),
        new GeneId(
            Long.parseLong(cells[7]),
            Integer.parseInt(cells[1]),
            Instant.parse(cells[3]),
            new BucketId(Integer.parseInt(cells[4])),
            Integer.parseInt(cells[5]),
            Integer.parseInt(cells[6])));
  }

  @ParameterizedTest
  @MethodSource("vectors")
  void compose_ofVector_isPinned(Vector vector) {
    GeneId id = vector.id();

    assertThat(
            vector
                .layout()
                .compose(id.version(), vector.tick(), id.gene(), id.node(), id.sequence()))
        .isEqualTo(id.value());
  }

  @ParameterizedTest
  @MethodSource("vectors")
  void decode_ofVector_isPinned(Vector vector) {
    assertThat(GeneId.decode(vector.id().value(), vector.layout())).isEqualTo(vector.id());
    assertThat(vector.layout().gene(vector.id().value())).isEqualTo(vector.id().gene());
  }

  /** Every number is one id: taking it apart and putting it together is the identity. */
  @ParameterizedTest
  @ValueSource(ints = {1024, 4096, 16_384})
  void compose_ofWhatDecodeSays_isTheNumberItself(int buckets) {
    GeneIdLayout layout = GeneIdLayout.forBuckets(buckets);

    Seeds.check(
        5_000,
        Gen.longs(0, Long.MAX_VALUE - 1),
        value -> {
          GeneId id = GeneId.decode(value, layout);
          long tick = Duration.between(GeneIdLayout.EPOCH, id.createdAt()).toMillis();

          assertThat(layout.compose(id.version(), tick, id.gene(), id.node(), id.sequence()))
              .isEqualTo(value);
          assertThat(id.gene().value()).isBetween(0, buckets - 1);
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {1024, 4096, 16_384})
  void layout_holdsWhatTheContractPromises(int buckets) {
    GeneIdLayout layout = GeneIdLayout.forBuckets(buckets);

    assertThat(GeneIdLayout.existsFor(buckets)).isTrue();
    assertThat(layout.nodes()).isGreaterThanOrEqualTo(64);
    assertThat(Duration.ofMillis(1L << layout.timeBits()).toDays()).isGreaterThan(30 * 366);
    assertThat(1 << layout.versionBits()).isEqualTo(4);
    assertThat(1 << layout.geneBits()).isEqualTo(buckets);
  }

  @Test
  void layout_ofOtherBucketCounts_doesNotExist() {
    for (int buckets : new int[] {0, 1, 1000, 2048, 65_536}) {
      assertThat(GeneIdLayout.existsFor(buckets)).isFalse();
      assertThatThrownBy(() -> GeneIdLayout.forBuckets(buckets))
          .isInstanceOfSatisfying(
              ShardwrightException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.CONFIGURATION_INVALID))
          .hasMessageContaining("not for " + buckets);
    }
  }

  @Test
  void layout_thatDoesNotFill63Bits_isRefused() {
    assertThatThrownBy(() -> new GeneIdLayout(4096, 2, 41, 12, 6, 3))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new GeneIdLayout(4000, 2, 40, 12, 6, 3))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void decode_ofNegativeNumber_isRefused() {
    assertMalformed(() -> GeneId.decode(-1, LAYOUT), "is negative");
  }

  @Test
  void parse_ofIssuedId_isItsDecoding() {
    long id = new GeneIdGenerator(LAYOUT, 2, NodeLease.fixed(7), CLOCK).next(new BucketId(4095));

    GeneId parsed = GeneId.parse(Long.toString(id), LAYOUT, 2, CLOCK);

    assertThat(parsed).isEqualTo(GeneId.decode(id, LAYOUT));
    assertThat(parsed.text()).isEqualTo(Long.toString(id));
    assertThat(id).as("JavaScript needs the text").isGreaterThan(1L << 53);
  }

  @Test
  void parse_ofWhatNoGeneratorHasIssued_namesTheReason() {
    long now = Duration.between(GeneIdLayout.EPOCH, CLOCK.instant()).toMillis();
    long ahead = GeneId.AHEAD_MAX.toMillis();

    GeneId.parse(id(1, now + ahead), LAYOUT, 1, CLOCK);
    assertMalformed(
        () -> GeneId.parse(id(1, now + ahead + 1), LAYOUT, 1, CLOCK), "but the clock reads 2026");
    assertMalformed(
        () -> GeneId.parse(id(2, now), LAYOUT, 1, CLOCK),
        "is of generation 2, the group's generation is 1");
    assertMalformed(() -> GeneId.parse(id(1, 0), LAYOUT, 1, CLOCK), "has tick 0");
    assertMalformed(() -> GeneId.parse(-5, LAYOUT, 1, CLOCK), "is negative");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "+1",
        "-1",
        " 1",
        "1 ",
        "01",
        "00",
        "1e3",
        "0x1",
        "9223372036854775808",
        "\u0661"
      })
  void parse_ofAnotherTextForANumber_isRefused(String text) {
    assertMalformed(() -> GeneId.parse(text, LAYOUT, 0, CLOCK), "is no whole number from 0 to");
  }

  private static long id(int version, long tick) {
    return LAYOUT.compose(version, tick, new BucketId(3), 0, 0);
  }

  private static void assertMalformed(ThrowingCallable call, String why) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            ShardwrightException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.ID_MALFORMED))
        .hasMessageContaining(why);
  }
}
