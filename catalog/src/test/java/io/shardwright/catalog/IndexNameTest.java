package io.shardwright.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.catalog.IndexName.Event;
import java.util.List;
import org.junit.jupiter.api.Test;

class IndexNameTest {
  @Test
  void names_ofAShortIndex_areReadable() {
    IndexName name = new IndexName("orders", "by_order_no");

    assertThat(name.placement()).isEqualTo("orders.by_order_no");
    assertThat(IndexName.parse("orders.by_order_no")).isEqualTo(name);
    assertThat(
            List.of(
                name.object(),
                name.entryTable(),
                name.claimTable(),
                name.changeTable(),
                name.function(),
                name.trigger(Event.INSERT)))
        .containsExactly(
            "orders_by_order_no",
            "shardwright_entry_orders_by_order_no",
            "shardwright_claim_orders_by_order_no",
            "shardwright_change_orders_by_order_no",
            "shardwright_index_orders_by_order_no",
            "!shardwright_insert_orders_by_order_no");
  }

  @Test
  void names_ofLongOnes_fitAndDiffer() {
    IndexName one = new IndexName("a".repeat(30), "b".repeat(29) + "1");
    IndexName other = new IndexName("a".repeat(30), "b".repeat(29) + "2");

    assertThat(one.object()).hasSize(40).isEqualTo("a".repeat(30) + "__5f9335ce");
    assertThat(other.object()).hasSize(40).isNotEqualTo(one.object());
    assertThat(one.trigger(Event.TRUNCATE)).hasSizeLessThanOrEqualTo(ObjectName.MAX_BYTES);
  }

  @Test
  void names_whoseGroupMayEndElsewhere_differ() {
    assertThat(new IndexName("a_b", "c").object())
        .startsWith("a_b_c_")
        .isNotEqualTo(new IndexName("a", "b_c").object());
    assertThat(new IndexName("a", "b_c").object()).isEqualTo("a_b_c");
  }
}
