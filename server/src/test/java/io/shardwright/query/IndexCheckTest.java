package io.shardwright.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class IndexCheckTest {
  private static final IndexCheck CHECK =
      new IndexCheck(
          "orders",
          Set.of("status", "buyer_id"),
          "created_at",
          "amount",
          List.of(List.of("bucket_id", "order_id"), List.of("buyer_id")),
          List.of("order_id"));

  @Test
  void serves() {
    assertThat(CHECK.serves(List.of("created_at"))).isTrue();
    assertThat(CHECK.serves(List.of("status", "created_at", "order_id"))).isTrue();
    assertThat(CHECK.serves(List.of("status", "amount"))).as("in order").isTrue();
    assertThat(CHECK.serves(List.of("buyer_id", "seller_id"))).as("the route key").isTrue();
  }

  @Test
  void servesNot() {
    assertThat(CHECK.serves(List.of())).isFalse();
    assertThat(CHECK.serves(List.of("status"))).isFalse();
    assertThat(CHECK.serves(List.of("status", "seller_id", "created_at"))).isFalse();
    assertThat(CHECK.serves(List.of("order_id", "created_at"))).isFalse();
    assertThat(CHECK.serves(List.of("", "created_at"))).as("an expression first").isFalse();
    assertThat(CHECK.serves(List.of("bucket_id", "order_id"))).as("not fixed").isFalse();
  }
}
