package io.shardwright.examples.frameworks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.ibatis.datasource.unpooled.UnpooledDataSource;
import org.junit.jupiter.api.Test;

class MyBatisTest implements OrderStoreContract {
  private final TestingOrdersDatabase database = TestingOrdersDatabase.shared();
  private final OrderStore store = new MyBatisOrders(database.source(), database.ids());

  @Override
  public OrderStore store() {
    return store;
  }

  @Test
  void unpooledDataSource_byUrl_opensTheDriver() {
    UnpooledDataSource byUrl =
        new UnpooledDataSource(
            "io.shardwright.driver.ShardwrightDriver", database.url(), null, null);
    OrderStore orders = new MyBatisOrders(byUrl, database.ids());
    long tenant = TENANTS.incrementAndGet();

    Order placed = orders.place(OrderStoreContract.draft(tenant, 7, 1), List.of());

    assertThat(store.ofBuyer(tenant, 7)).containsExactly(placed);
  }
}
