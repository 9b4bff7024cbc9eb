package io.shardwright.examples.frameworks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.persistence.OptimisticLockException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class HibernateTest implements OrderStoreContract {
  private static HibernateOrders store;

  @BeforeAll
  static void open() {
    TestingOrdersDatabase database = TestingOrdersDatabase.shared();
    // Hibernate compares its entities with the tables that it finds.
    store = new HibernateOrders(database.source(), database.ids(), "validate");
  }

  @AfterAll
  static void close() {
    store.close();
  }

  @Override
  public OrderStore store() {
    return store;
  }

  @Test
  void twoSessions_changingOneOrder_theSecondFails() {
    long tenant = TENANTS.incrementAndGet();
    Order placed = store.place(OrderStoreContract.draft(tenant, 7, 1), List.of());

    assertThatThrownBy(
            () ->
                store
                    .sessions()
                    .inTransaction(
                        slow -> {
                          OrderEntity seen = slow.find(OrderEntity.class, placed.orderId());
                          store
                              .sessions()
                              .inTransaction(
                                  quick ->
                                      quick.find(OrderEntity.class, placed.orderId()).status =
                                          "paid");
                          seen.status = "cancelled";
                        }))
        .isInstanceOf(OptimisticLockException.class);
    assertThat(store.ofBuyer(tenant, 7)).extracting(Order::status).containsExactly("paid");
  }

  @Test
  void joinFetch_insideTheGroup_readsOrdersWithItemsOfAllShards() {
    long tenant = TENANTS.incrementAndGet();
    for (int buyer = 0; buyer < 8; buyer++) {
      store.place(OrderStoreContract.draft(tenant, buyer, buyer), ITEMS);
    }

    List<Integer> lines =
        store
            .sessions()
            .fromSession(
                session ->
                    session
                        .createSelectionQuery(
                            "select o from Orders o join fetch o.items where o.tenantId = :tenant",
                            OrderEntity.class)
                        .setParameter("tenant", tenant)
                        .setFetchSize(100) // streams: without the key it must not be unbounded
                        .getResultList()
                        .stream()
                        .map(order -> order.items.size())
                        .toList());

    assertThat(lines).hasSize(8).containsOnly(3);
  }
}
