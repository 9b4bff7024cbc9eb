package io.shardwright.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PaddingTest {
  @ParameterizedTest
  @CsvSource({
    "1, 1",
    "8, 8",
    "9, 10",
    "10, 10",
    "17, 20",
    "62, 64",
    "64, 64",
    "65, 80",
    "1024, 1024",
    "1025, 1025",
    "64000, 64000"
  })
  void length_ofSoManyValues(int values, int length) {
    assertThat(Padding.of(values)).isEqualTo(length);
  }

  @Test
  void length_addsAtMostAQuarter_andThereAreFew() {
    for (int values = 1; values <= 1024; values++) {
      int length = Padding.of(values);
      assertThat(length).isBetween(values, values + values / 4);
      assertThat(Padding.of(length)).as("of itself").isEqualTo(length);
    }
    assertThat(IntStream.rangeClosed(1, 1024).map(Padding::of).distinct().count()).isEqualTo(36);
  }
}
