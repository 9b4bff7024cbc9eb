package io.shardwright.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.routing.BucketSet.Range;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BucketSetTest {
  @Test
  void parse_rangesInAnyOrder_printsFewestAscending() {
    BucketSet set = BucketSet.parse("400, 0-3,4,2-6");

    assertThat(set).hasToString("0-6,400");
    assertThat(set.size()).isEqualTo(8);
    assertThat(set.end()).isEqualTo(401);
    assertThat(set.ranges()).containsExactly(new Range(0, 6), new Range(400, 400));
    assertThat(BucketSet.parse(set.toString())).isEqualTo(set);
    assertThat(set).contains(new BucketId(400), new BucketId(0)).hasSize(8);
  }

  @Test
  void parse_empty_isEmpty() {
    assertThat(BucketSet.parse("")).isEqualTo(BucketSet.EMPTY).hasToString("");
    assertThat(BucketSet.EMPTY.end()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "1-", "-1", "3-2", "1,,2", "1048577", "99999999999", "1 2"})
  void parse_notBuckets_namesThem(String text) {
    assertThatThrownBy(() -> BucketSet.parse(text)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void operations_leaveTheirOperandsAlone() {
    BucketSet left = BucketSet.parse("0-9");
    BucketSet right = BucketSet.of(List.of(new BucketId(5), new BucketId(12)));

    assertThat(left.plus(right)).hasToString("0-9,12");
    assertThat(left.minus(right)).hasToString("0-4,6-9");
    assertThat(left.and(right)).hasToString("5");
    assertThat(left.containsAll(BucketSet.parse("3-4"))).isTrue();
    assertThat(left.containsAll(right)).isFalse();
    assertThat(left).hasToString("0-9");
  }
}
