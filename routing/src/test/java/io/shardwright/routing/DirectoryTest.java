package io.shardwright.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.Directory.Entry;
import java.math.BigDecimal;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DirectoryTest {
  private static final List<KeyType> TWO = List.of(KeyType.INTEGER, KeyType.INTEGER);

  private static BucketFunction function(List<KeyType> types, int buckets, Entry... entries) {
    return new BucketFunction(
        types,
        HashAlgorithm.XXH64,
        buckets,
        ReservedBuckets.of(types, new Directory(List.of(entries))));
  }

  @Test
  void bucket_ofVector_isPinned() {
    List<String[]> vectors = RoutingVector.rows("directory-v1.tsv").toList();
    for (String[] cells : vectors) {
      List<KeyType> types =
          Arrays.stream(cells[0].split(","))
              .map(name -> KeyType.valueOf(name.toUpperCase(Locale.ROOT)))
              .toList();
      List<Entry> entries = new ArrayList<>();
      for (String entry : cells[2].split(" ", -1)) {
        String[] parts = entry.split("[=+]", -1);
        List<String> key =
            Arrays.stream(parts[0].split(",", -1))
                .map(value -> URLDecoder.decode(value, StandardCharsets.UTF_8))
                .toList();
        entries.add(new Entry(key, Integer.parseInt(parts[1]), Integer.parseInt(parts[2])));
      }
      BucketFunction function =
          function(types, Integer.parseInt(cells[1]), entries.toArray(Entry[]::new));

      assertThat(function.bucket(List.of(cells[3].split("\\|", -1))))
          .as("%s %s", cells[2], cells[3])
          .contains(new BucketId(Integer.parseInt(cells[4])));
    }
    assertThat(vectors).hasSizeGreaterThan(50);
  }

  @Test
  void keysOfNoEntry_areWhereTheyAreWithoutADirectory() {
    BucketFunction plain = new BucketFunction(TWO, HashAlgorithm.XXH64, 1024);
    BucketFunction with =
        function(
            TWO, 1024, new Entry(List.of("7"), 1024, 4), new Entry(List.of("8", "1"), 1028, 1));
    Random random = new Random(7);
    Set<Integer> ofSeven = new HashSet<>();
    for (int i = 0; i < 10_000; i++) {
      List<Long> key = List.of((long) random.nextInt(20), (long) random.nextInt(5));
      int bucket = with.bucket(key).orElseThrow().value();
      if (key.get(0) == 7) {
        ofSeven.add(bucket);
      } else if (key.equals(List.of(8L, 1L))) {
        assertThat(bucket).isEqualTo(1028);
      } else {
        assertThat(with.bucket(key)).isEqualTo(plain.bucket(key));
      }
    }
    assertThat(ofSeven).isSubsetOf(1024, 1025, 1026, 1027);
    assertThat(with.allBuckets()).isEqualTo(1029);
  }

  @Test
  void valuesOfEveryJavaType_areOneKey() {
    BucketFunction function =
        function(List.of(KeyType.INTEGER), 16, new Entry(List.of("7.0"), 16, 1));
    for (Object seven : List.of(7, 7L, (short) 7, "7", "7.00", 7.0, new BigDecimal("7.000"))) {
      assertThat(function.bucket(List.of(seven))).contains(new BucketId(16));
    }
    assertThat(function.bucket(List.of(7.5))).isEmpty();
    assertThat(function.bucket(Collections.singletonList(null))).isEmpty();
  }

  @Test
  void entries_thatCannotBe_areRefused_withoutTheirValues() {
    assertRefused(
        List.of(KeyType.INTEGER), "no column of type INTEGER", new Entry(List.of("abc"), 16, 1));
    assertRefused(List.of(KeyType.INTEGER), "names 2 columns", new Entry(List.of("1", "2"), 16, 1));
    assertRefused(List.of(KeyType.INTEGER), "one bucket", new Entry(List.of("1"), 16, 2));
    assertRefused(List.of(KeyType.DATE), "of type DATE", new Entry(List.of("2026-01-31"), 16, 1));
    assertRefused(
        TWO,
        "the key of another entry",
        new Entry(List.of("1"), 16, 1),
        new Entry(List.of("01"), 17, 1));
  }

  private static void assertRefused(List<KeyType> types, String why, Entry... entries) {
    assertThatThrownBy(() -> function(types, 16, entries))
        .isInstanceOf(ShardwrightException.class)
        .hasMessageContaining("SW101")
        .hasMessageContaining(why)
        .hasMessageNotContaining("abc")
        .hasMessageNotContaining("2026");
  }

  @Test
  void directory_growsAtItsEnd() {
    Directory small = new Directory(List.of(new Entry(List.of("7"), 16, 2)));
    Directory grown =
        new Directory(List.of(new Entry(List.of("7"), 16, 2), new Entry(List.of("8"), 18, 1)));

    assertThat(small.isBeginningOf(grown)).isTrue();
    assertThat(small.isBeginningOf(small)).isTrue();
    assertThat(Directory.EMPTY.isBeginningOf(small)).isTrue();
    assertThat(grown.isBeginningOf(small)).isFalse();
    assertThat(new Directory(List.of(new Entry(List.of("7"), 16, 3))).isBeginningOf(grown))
        .isFalse();
    assertThat(grown.upTo(18)).isEqualTo(small);
    assertThat(grown.reserved()).isEqualTo(3);
    assertThatThrownBy(
            () ->
                new Directory(
                    List.of(new Entry(List.of("7"), 16, 2), new Entry(List.of("8"), 19, 1))))
        .hasMessageContaining("does not follow");
    assertThatThrownBy(() -> function(List.of(KeyType.INTEGER), 8, new Entry(List.of("7"), 16, 1)))
        .hasMessageContaining("begin at 8");
  }
}
