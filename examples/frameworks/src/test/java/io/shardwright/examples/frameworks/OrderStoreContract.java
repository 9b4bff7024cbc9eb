package io.shardwright.examples.frameworks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.shardwright.examples.frameworks.Order.Draft;
import io.shardwright.examples.frameworks.Order.Item;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What every framework does over two shards. Each test has a tenant of its own. */
@ExtendWith(TestingOrdersDatabase.Closing.class)
interface OrderStoreContract {
  Instant NOON = Instant.parse("2026-05-04T12:00:00Z");
  AtomicLong TENANTS = new AtomicLong(100);
  List<Item> ITEMS =
      List.of(
          new Item(1, "85123A", 6, new BigDecimal("2.550")),
          new Item(2, "71053", 6, new BigDecimal("3.390")),
          new Item(3, "84406B", 8, new BigDecimal("2.750")));

  OrderStore store();

  @AfterEach
  default void connectionsAreGivenBack() {
    assertThat(TestingOrdersDatabase.shared().source().activeConnections())
        .allSatisfy((shard, active) -> assertThat(active).as("%s", shard).isZero());
  }

  @Test
  default void place_thenList_givesTheBuyersOrdersNewestFirst() {
    long tenant = TENANTS.incrementAndGet();
    Order first = store().place(draft(tenant, 7, 1), ITEMS);
    Order second = store().place(draft(tenant, 7, 2), List.of());
    store().place(draft(tenant, 8, 3), ITEMS);

    assertThat(store().ofBuyer(tenant, 7)).containsExactly(second, first);
    assertThat(store().items(first)).isEqualTo(ITEMS);
    assertThat(store().items(second)).isEmpty();
    assertThat(first.orderId()).isNotEqualTo(second.orderId());
  }

  @Test
  default void changeStatus_atTheSeenVersion_changesIt() {
    long tenant = TENANTS.incrementAndGet();
    Order placed = store().place(draft(tenant, 7, 1), List.of());

    Order paid = store().changeStatus(placed, "paid");

    assertThat(paid.version()).isEqualTo(placed.version() + 1);
    assertThat(store().ofBuyer(tenant, 7)).containsExactly(paid);
    assertThat(paid.status()).isEqualTo("paid");
  }

  @Test
  default void changeStatus_atAnOldVersion_isAConflict() {
    long tenant = TENANTS.incrementAndGet();
    Order placed = store().place(draft(tenant, 7, 1), List.of());
    Order paid = store().changeStatus(placed, "paid");

    assertThatThrownBy(() -> store().changeStatus(placed, "cancelled"))
        .isInstanceOf(OrderStore.StaleOrderException.class);
    assertThat(store().ofBuyer(tenant, 7)).containsExactly(paid);
  }

  @Test
  default void page_overAllShards_concatenatesToTheFullList() {
    long tenant = TENANTS.incrementAndGet();
    List<Order> newestFirst = new ArrayList<>();
    for (int i = 0; i < 25; i++) {
      newestFirst.add(0, store().place(draft(tenant, i % 9, i), List.of()));
    }

    List<Order> pages = new ArrayList<>();
    List<Order> page = store().page(tenant, null, 10);
    List<Integer> sizes = new ArrayList<>();
    while (!page.isEmpty()) {
      sizes.add(page.size());
      pages.addAll(page);
      page = store().page(tenant, page.get(page.size() - 1), 10);
    }

    assertThat(sizes).containsExactly(10, 10, 5);
    assertThat(pages).isEqualTo(newestFirst);
    assertThat(store().totalCent(tenant)).isEqualTo(25 * 1_000 + 24 * 25 / 2);
  }

  @Test
  default void placeBatch_ofManyBuyers_reachesAllShards() {
    long tenant = TENANTS.incrementAndGet();
    List<Draft> drafts = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      drafts.add(draft(tenant, i, i));
    }

    store().placeBatch(drafts);

    assertThat(store().page(tenant, null, 100)).hasSize(40);
    for (int i = 0; i < 40; i++) {
      assertThat(store().ofBuyer(tenant, i))
          .singleElement()
          .extracting(Order::buyerId)
          .isEqualTo((long) i);
    }
  }

  @Test
  default void place_whenAnItemFails_leavesNothing() {
    long tenant = TENANTS.incrementAndGet();
    Item tooDear = new Item(4, "DOT", 1, new BigDecimal("12345678901.000"));
    List<Item> items = List.of(ITEMS.get(0), tooDear, ITEMS.get(1));

    assertThat(messages(() -> store().place(draft(tenant, 7, 1), items)))
        .contains("numeric field overflow");

    assertThat(store().ofBuyer(tenant, 7)).isEmpty();
  }

  @Test
  default void placeTogether_ofTwoShards_isRefusedAndLeavesNothing() {
    long tenant = TENANTS.incrementAndGet();
    List<Draft> drafts = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      drafts.add(draft(tenant, i, i));
    }

    assertThat(messages(() -> store().placeTogether(drafts))).contains("SW209");

    assertThat(store().page(tenant, null, 100)).isEmpty();
  }

  static Draft draft(long tenant, long buyer, int number) {
    return new Draft(tenant, buyer, "key-" + number, 1_000 + number, NOON.plusSeconds(number));
  }

  /** Of the failure and of all that caused it. */
  private static String messages(ThrowingCallable call) {
    StringBuilder messages = new StringBuilder();
    Throwable failure = catchThrowable(call);
    assertThat(failure).isNotNull();
    for (Throwable at = failure; at != null; at = at.getCause()) {
      messages.append(at.getMessage()).append('\n');
    }
    return messages.toString();
  }
}
