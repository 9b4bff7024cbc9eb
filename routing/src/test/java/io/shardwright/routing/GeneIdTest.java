package io.shardwright.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class GeneIdTest {

  record Vector(GeneIdLayout layout, long tick, GeneId id) {}

  static List<Vector> vectors() {
    return RoutingVector.rows("gene-id-v1.tsv").map(GeneIdTest::parse).toList();
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

  @ParameterizedTest
  @ValueSource(ints = {1024, 4096, 16_384})
  void decode_ofRandomFields_roundTrips(int buckets) {
    GeneIdLayout layout = GeneIdLayout.forBuckets(buckets);
    Random random = new Random(buckets);
    for (int i = 0; i < 10_000; i++) {
      int version = random.nextInt(1 << layout.versionBits());
      long tick = random.nextLong() & ((1L << layout.timeBits()) - 1);
      BucketId gene = new BucketId(random.nextInt(buckets));
      int node = random.nextInt(layout.nodes());
      int sequence = random.nextInt(layout.idsPerGeneNodeAndTick());

      long id = layout.compose(version, tick, gene, node, sequence);

      assertThat(GeneId.decode(id, layout))
          .isEqualTo(
              new GeneId(id, version, GeneIdLayout.EPOCH.plusMillis(tick), gene, node, sequence));
    }
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
    assertThatThrownBy(() -> GeneId.decode(-1, GeneIdLayout.forBuckets(4096)))
        .isInstanceOfSatisfying(
            ShardwrightException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.ID_MALFORMED));
  }
}
