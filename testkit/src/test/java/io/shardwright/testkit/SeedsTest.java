package io.shardwright.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SeedsTest {
  private static final Gen<List<Integer>> LISTS = Gen.lists(Gen.integers(0, 1_000_000), 0, 50);

  @AfterEach
  void forgetSeed() {
    System.clearProperty("shardwright.seed");
  }

  @Test
  void check_aPropertyThatHolds_runsEverySeedOnce() {
    List<List<Integer>> cases = new ArrayList<>();

    Seeds.check(25, LISTS, cases::add);

    assertThat(cases).hasSize(25);
    assertThat(cases.stream().distinct().count()).isGreaterThan(15);
  }

  @Test
  void check_theSameSeeds_givesTheSameCases() {
    List<List<Integer>> first = new ArrayList<>();
    List<List<Integer>> second = new ArrayList<>();

    Seeds.check(10, LISTS, first::add);
    Seeds.check(10, LISTS, second::add);

    assertThat(first).isEqualTo(second);
  }

  @Test
  void check_aBoundOnElements_shrinksToTheOneSmallestElement() {
    assertThatThrownBy(
            () ->
                Seeds.checkThat(
                    50, LISTS, list -> list.stream().allMatch(number -> number < 4_321)))
        .hasMessageContaining("fails for\n  [4321]\n");
  }

  @Test
  void check_aBoundOnTheSum_shrinksToFewElementsAtTheBound() {
    List<List<Integer>> failing = new ArrayList<>();

    Throwable failure =
        catchThrowable(
            () ->
                Seeds.checkThat(
                    50,
                    Gen.lists(Gen.integers(0, 100), 0, 50),
                    list -> {
                      boolean holds = sum(list) < 150;
                      if (!holds) {
                        failing.add(list);
                      }
                      return holds;
                    }));

    List<Integer> reported =
        failing.stream()
            .filter(list -> failure.getMessage().contains("fails for\n  " + list + "\n"))
            .findFirst()
            .orElseThrow();
    assertThat(sum(reported)).isEqualTo(150);
    assertThat(reported).hasSizeBetween(2, 5);
  }

  @Test
  void check_aBoundOnAnyLong_shrinksToTheBound() {
    assertThatThrownBy(() -> Seeds.checkThat(50, Gen.anyLong(), number -> number < 1_000_000))
        .hasMessageContaining("fails for\n  1000000\n");
  }

  @Test
  void check_aFailure_namesASeedThatFailsAgainAlone() {
    Throwable failure =
        catchThrowable(
            () -> Seeds.checkThat(200, LISTS, list -> !list.contains(7) && list.size() < 9));
    Matcher seed = Pattern.compile("-Dshardwright.seed=(\\d+)").matcher(failure.getMessage());
    assertThat(seed.find()).isTrue();
    System.setProperty("shardwright.seed", seed.group(1));

    assertThatThrownBy(() -> Seeds.checkThat(200, LISTS, list -> list.size() < 9))
        .hasMessageContaining("seed " + seed.group(1) + " ");
  }

  @Test
  void check_anException_isTheCause() {
    assertThatThrownBy(
            () ->
                Seeds.check(
                    5,
                    Gen.integers(3, 9),
                    number -> {
                      throw new IllegalStateException("always");
                    }))
        .hasMessageContaining("fails for\n  3\n")
        .hasCauseInstanceOf(IllegalStateException.class);
  }

  @Test
  void lists_withBounds_keepThem() {
    Seeds.check(
        300,
        Gen.lists(Gen.longs(-5, 5), 2, 4),
        list -> {
          assertThat(list).hasSizeBetween(2, 4);
          assertThat(list).allSatisfy(number -> assertThat(number).isBetween(-5L, 5L));
        });
  }

  @Test
  void texts_alwaysRoundTripThroughUtf8() {
    Seeds.check(
        500,
        Gen.texts(20),
        text -> {
          byte[] bytes = text.getBytes(java.nio.charset.StandardCharsets.UTF_8);
          assertThat(new String(bytes, java.nio.charset.StandardCharsets.UTF_8)).isEqualTo(text);
        });
  }

  @Test
  void flatMap_drawsDependentValues() {
    Gen<List<Integer>> sameLength =
        Gen.integers(1, 5).flatMap(size -> Gen.lists(Gen.oneOf(List.of(1, 2)), size, size));

    Seeds.check(50, sameLength, list -> assertThat(list).hasSizeBetween(1, 5));
  }

  private static int sum(List<Integer> list) {
    return list.stream().mapToInt(Integer::intValue).sum();
  }
}
