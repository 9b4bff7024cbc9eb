package io.shardwright.advisor.advice;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyTableTest {
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void add_countsAsAMapOfLists(int width) {
    SplittableRandom random = new SplittableRandom(width);
    List<String> texts = List.of("", "a", "ab", "b", "é", "漢字", "1", "12", "\0", "x".repeat(400));
    KeyTable table = new KeyTable(width, Integer.MAX_VALUE, Integer.MAX_VALUE);
    Map<List<String>, Long> expected = new HashMap<>();

    for (int i = 0; i < 20_000; i++) {
      List<String> key =
          IntStream.range(0, width)
              .mapToObj(
                  n ->
                      random.nextBoolean()
                          ? texts.get(random.nextInt(texts.size()))
                          : Integer.toString(random.nextInt(3_000)))
              .toList();
      long times = random.nextInt(1, 5);
      assertThat(table.add(key, times)).isTrue();
      expected.merge(key, times, Long::sum);
    }

    Map<List<String>, Long> counted = new HashMap<>();
    IntStream.range(0, table.size()).forEach(n -> counted.put(table.key(n), table.count(n)));
    assertThat(counted).isEqualTo(expected);
  }

  @Test
  void add_beyondTheBounds_countsKnownKeysOnly() {
    KeyTable few = new KeyTable(1, 2, Integer.MAX_VALUE);
    KeyTable small = new KeyTable(1, Integer.MAX_VALUE, 20);
    for (KeyTable table : List.of(few, small)) {
      assertThat(table.add(List.of("first"), 1)).isTrue();
      assertThat(table.add(List.of("second"), 1)).isTrue();
      assertThat(table.add(List.of("third"), 1)).isFalse();
      assertThat(table.add(List.of("first"), 4)).isTrue();

      assertThat(table.size()).isEqualTo(2);
      assertThat(table.count(0)).isEqualTo(5);
      assertThat(table.key(1)).containsExactly("second");
    }
  }
}
