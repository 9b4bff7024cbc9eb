package io.shardwright.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class BucketFunctionTest {
  private static final BucketFunction TENANT_AND_BUYER =
      new BucketFunction(List.of(KeyType.INTEGER, KeyType.INTEGER), HashAlgorithm.XXH64, 4096);

  static List<RoutingVector> vectors() {
    return RoutingVector.all();
  }

  @ParameterizedTest
  @MethodSource("vectors")
  void bucket_ofVector_isPinned(RoutingVector vector) {
    BucketFunction function =
        new BucketFunction(vector.types(), HashAlgorithm.XXH64, vector.buckets());

    assertThat(HashAlgorithm.XXH64.hash(HexFormat.of().parseHex(vector.canonical())))
        .isEqualTo(vector.hash());
    assertThat(function.bucket(vector.values())).contains(vector.bucket());
  }

  @ParameterizedTest
  @MethodSource("vectors")
  void canonicalBytes_ofVector_arePinned(RoutingVector vector) {
    List<byte[]> components =
        IntStream.range(0, vector.types().size())
            .mapToObj(i -> bytes(vector.types().get(i), vector.values().get(i)))
            .toList();

    assertThat(
            HexFormat.of()
                .formatHex(components.size() == 1 ? components.get(0) : tuple(components)))
        .isEqualTo(vector.canonical());
  }

  @Test
  void vectors_coverEveryType_aloneAndInTuples() {
    Set<KeyType> alone = new HashSet<>();
    Set<KeyType> inTuples = new HashSet<>();
    vectors().forEach(v -> (v.types().size() == 1 ? alone : inTuples).addAll(v.types()));

    assertThat(alone).containsExactlyInAnyOrder(KeyType.values());
    assertThat(inTuples).containsExactlyInAnyOrder(KeyType.values());
  }

  @Test
  void hash_ofInt64_equalsThatOfItsBigEndianBytes() {
    Random random = new Random(1);
    for (int i = 0; i < 10_000; i++) {
      long value = random.nextLong() >> random.nextInt(Long.SIZE);
      byte[] bytes = ByteBuffer.allocate(Long.BYTES).putLong(value).array();

      assertThat(HashAlgorithm.XXH64.hashInt64(value)).isEqualTo(HashAlgorithm.XXH64.hash(bytes));
    }
  }

  @Test
  void bucket_ofAnyKey_isInRangeAndTheSameAgain() {
    Random random = new Random(2);
    for (int buckets : new int[] {1, 2, 3, 1000, 1024, 4096, 16_384, 65_535, 65_536}) {
      BucketFunction function =
          new BucketFunction(List.of(KeyType.INTEGER), HashAlgorithm.XXH64, buckets);
      BucketFunction again =
          new BucketFunction(List.of(KeyType.INTEGER), HashAlgorithm.XXH64, buckets);
      for (int i = 0; i < 2_000; i++) {
        List<Long> key = List.of(random.nextLong());
        BucketId bucket = function.bucket(key).orElseThrow();

        assertThat(bucket.value()).isBetween(0, buckets - 1);
        assertThat(again.bucket(key)).contains(bucket);
      }
    }
  }

  @Test
  void bucket_ofSequentialKeys_reachesEveryBucketEvenly() {
    int buckets = 1024;
    int keysPerBucket = 100;
    BucketFunction function =
        new BucketFunction(List.of(KeyType.INTEGER), HashAlgorithm.XXH64, buckets);
    int[] keys = new int[buckets];
    for (long key = 0; key < (long) buckets * keysPerBucket; key++) {
      keys[function.bucket(List.of(key)).orElseThrow().value()]++;
    }

    // Five standard deviations of a fair throw of 102,400 keys into 1,024 buckets.
    assertThat(Arrays.stream(keys).min().orElseThrow()).isGreaterThanOrEqualTo(50);
    assertThat(Arrays.stream(keys).max().orElseThrow()).isLessThanOrEqualTo(150);
  }

  @Test
  void bucket_ofTablesWithOtherIntegerWidths_agrees() {
    Random random = new Random(3);
    for (int i = 0; i < 2_000; i++) {
      int tenant = random.nextInt();
      int buyer = random.nextInt();
      BucketId bucket = TENANT_AND_BUYER.bucket(List.of(tenant, buyer)).orElseThrow();

      assertThat(TENANT_AND_BUYER.bucket(List.of((long) tenant, String.valueOf(buyer))))
          .contains(bucket);
      assertThat(
              TENANT_AND_BUYER.bucket(
                  List.of(BigDecimal.valueOf(tenant).setScale(2), (double) buyer)))
          .contains(bucket);
    }
  }

  @Test
  void bucket_ofTuple_dependsOnWhereComponentsEnd() {
    BucketFunction texts =
        new BucketFunction(List.of(KeyType.TEXT, KeyType.TEXT), HashAlgorithm.XXH64, 65_536);

    assertThat(texts.bucket(List.of("a", "bc"))).isNotEqualTo(texts.bucket(List.of("ab", "c")));
    assertThat(texts.bucket(List.of("", "abc"))).isNotEqualTo(texts.bucket(List.of("abc", "")));
  }

  @Test
  void bucket_ofTuple_dependsOnTheOrderOfColumns() {
    assertThat(TENANT_AND_BUYER.bucket(List.of(1, 2)))
        .isNotEqualTo(TENANT_AND_BUYER.bucket(List.of(2, 1)));
  }

  @Test
  void bucket_ofOneColumn_hashesTheBytesWithoutLength() {
    long hash = HashAlgorithm.XXH64.hash("hello".getBytes(StandardCharsets.UTF_8));

    assertThat(
            new BucketFunction(List.of(KeyType.TEXT), HashAlgorithm.XXH64, 1000)
                .bucket(List.of("hello")))
        .contains(new BucketId((int) Long.remainderUnsigned(hash, 1000)));
  }

  @Test
  void bucket_withNullOrImpossibleComponent_isEmpty() {
    assertThat(TENANT_AND_BUYER.bucket(Arrays.asList(1, null))).isEmpty();
    assertThat(TENANT_AND_BUYER.bucket(Arrays.asList(null, 1))).isEmpty();
    assertThat(TENANT_AND_BUYER.bucket(List.of(1, new BigDecimal("0.5")))).isEmpty();
    assertThat(
            new BucketFunction(List.of(KeyType.TEXT), HashAlgorithm.XXH64, 16)
                .bucket(Collections.singletonList(null)))
        .isEmpty();
  }

  @Test
  void bucket_withAnotherTypesValue_isRefused() {
    assertThatThrownBy(() -> TENANT_AND_BUYER.bucket(List.of(1, "abc")))
        .isInstanceOfSatisfying(
            ShardwrightException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.ROUTE_KEY_VALUE_INVALID));
  }

  @Test
  void bucket_withAnotherNumberOfValues_isRefused() {
    assertThatThrownBy(() -> TENANT_AND_BUYER.bucket(List.of(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("2 key values expected: 1");
  }

  @Test
  void construction_outsideItsBounds_isRefused() {
    List<KeyType> one = List.of(KeyType.INTEGER);
    for (int buckets : new int[] {-1, 0, 65_537}) {
      assertThatThrownBy(() -> new BucketFunction(one, HashAlgorithm.XXH64, buckets))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(String.valueOf(buckets));
    }
    for (int columns : new int[] {0, 9}) {
      List<KeyType> types = Collections.nCopies(columns, KeyType.INTEGER);
      assertThatThrownBy(() -> new BucketFunction(types, HashAlgorithm.XXH64, 16))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("not " + columns);
    }
  }

  private static byte[] bytes(KeyType type, Object value) {
    return type.bytes(type.canonical(value).orElseThrow());
  }

  private static byte[] tuple(List<byte[]> components) {
    ByteBuffer tuple =
        ByteBuffer.allocate(components.stream().mapToInt(c -> Integer.BYTES + c.length).sum());
    components.forEach(component -> tuple.putInt(component.length).put(component));
    return tuple.array();
  }
}
