package io.shardwright.examples.frameworks;

import static org.assertj.core.api.Assertions.assertThat;

import org.jooq.Table;
import org.junit.jupiter.api.Test;

class JooqTest implements OrderStoreContract {
  private final JooqOrders store =
      new JooqOrders(TestingOrdersDatabase.shared().source(), TestingOrdersDatabase.shared().ids());

  @Override
  public OrderStore store() {
    return store;
  }

  @Test
  void meta_showsEachTableOnce() {
    assertThat(store.jooq().meta().getSchemas("public").get(0).getTables())
        .extracting(Table::getName)
        .contains("orders", "order_items", "countries")
        .doesNotHaveDuplicates();
  }
}
