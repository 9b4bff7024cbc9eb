package io.shardwright.examples.orders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.examples.orders.NewOrder.StatusEvent;
import io.shardwright.examples.orders.OrderQueries.Cursor;
import io.shardwright.examples.orders.OrderQueries.Summary;
import io.shardwright.examples.orders.OrderService.OrderKey;
import io.shardwright.examples.orders.OrderService.Placed;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** What order service and queries guarantee, on one database and on shards alike. */
abstract class OrderServiceContract {
  private static final OrderIds IDS = TestingOrders.IDS;
  private static final Instant NOON = Instant.parse("2011-03-01T12:00:00Z");
  private static final AtomicInteger BUYERS = new AtomicInteger();

  /** With the schema, shared by all tests: each uses a buyer of its own. */
  abstract DataSource database();

  private final long buyer = BUYERS.incrementAndGet();
  private final OrderService service = new OrderService(database(), IDS, InstantSource.system());
  private final OrderQueries queries = new OrderQueries(database());

  @Test
  void create_writesEveryRowOfTheOrder() throws SQLException {
    Placed placed = service.create(order("k", NOON, 2));

    assertThat(placed.created()).isTrue();
    assertThat(rowsOf(placed.key())).containsExactly(1, 2, 1, 1, 1, 1, 1);
    OrderQueries.Order read = queries.byId(placed.key().orderId()).orElseThrow();
    assertThat(read.summary())
        .isEqualTo(new Summary(placed.key(), OrderStatus.PLACED, 510, 2, NOON, 1));
    assertThat(read.items()).extracting(i -> i.line().description()).containsExactly("A 0", "A 1");
  }

  @Test
  void create_twice_returnsTheFirstOrderAndAddsNothing() throws SQLException {
    Placed first = service.create(order("k", NOON, 3));

    Placed second = service.create(order("k", NOON, 3));

    assertThat(second).isEqualTo(new Placed(first.key(), false));
    assertThat(rowsOf(first.key())).containsExactly(1, 3, 1, 1, 1, 1, 1);
  }

  @Test
  void create_withTheKeyOfAnotherOrder_isRefused() throws SQLException {
    service.create(order("k", NOON, 3));

    assertThatThrownBy(() -> service.create(order("k", NOON, 4)))
        .isInstanceOf(OrderConflictException.class)
        .hasMessageContaining("another amount");
  }

  @Test
  void create_theSameKeyOfAnotherBuyer_isAnotherOrder() throws SQLException {
    OrderKey mine = service.create(order("k", NOON, 1)).key();
    long other = BUYERS.incrementAndGet();

    Placed theirs = service.create(order(other, "k", NOON, 1));

    assertThat(theirs.created()).isTrue();
    assertThat(theirs.key().orderId()).isNotEqualTo(mine.orderId());
  }

  @Test
  void create_byEightClientsAtOnce_createsOneOrder() throws Exception {
    int clients = 8;
    ExecutorService threads = Executors.newFixedThreadPool(clients);
    CyclicBarrier start = new CyclicBarrier(clients);
    Callable<Placed> submit =
        () -> {
          start.await();
          return service.create(order("k", NOON, 2));
        };
    List<Placed> answers = new ArrayList<>();
    for (Future<Placed> answer :
        threads.invokeAll(java.util.Collections.nCopies(clients, submit))) {
      answers.add(answer.get());
    }
    threads.shutdown();
    assertThat(threads.awaitTermination(10, TimeUnit.SECONDS)).isTrue();

    assertThat(answers).filteredOn(Placed::created).hasSize(1);
    assertThat(answers.stream().map(Placed::key).distinct()).hasSize(1);
    assertThat(rowsOf(answers.get(0).key())).containsExactly(1, 2, 1, 1, 1, 1, 1);
  }

  @Test
  void create_afterACommitWhoseAnswerWasLost_findsTheOrder() throws SQLException {
    OrderService unlucky =
        new OrderService(TestingOrders.losingCommit(database(), true), IDS, InstantSource.system());
    assertThatThrownBy(() -> unlucky.create(order("k", NOON, 2))).hasMessage("connection lost");

    Placed repeated = service.create(order("k", NOON, 2));

    assertThat(repeated.created()).isFalse();
    assertThat(rowsOf(repeated.key())).containsExactly(1, 2, 1, 1, 1, 1, 1);
  }

  @Test
  void create_afterACommitThatNeverArrived_createsTheOrder() throws SQLException {
    OrderService unlucky =
        new OrderService(
            TestingOrders.losingCommit(database(), false), IDS, InstantSource.system());
    assertThatThrownBy(() -> unlucky.create(order("k", NOON, 2))).hasMessage("connection lost");

    Placed repeated = service.create(order("k", NOON, 2));

    assertThat(repeated.created()).isTrue();
    assertThat(queries.ofBuyer(1, buyer, Optional.empty(), 10)).hasSize(1);
  }

  @Test
  void create_ofACreditNote_appendsToTheRefundedOrder() throws SQLException {
    OrderKey sale = service.create(paidOrder("sale")).key();

    OrderKey credit = service.create(creditNote("credit", Optional.of("sale"))).key();

    Summary refunded = queries.byId(sale.orderId()).orElseThrow().summary();
    assertThat(refunded.status()).isEqualTo(OrderStatus.REFUNDED);
    assertThat(refunded.version()).isEqualTo(3);
    assertThat(
            text(
                "SELECT r.order_id || ' ' || h.status || ' ' || r.amount_cent FROM refunds r"
                    + " JOIN order_status_history h ON h.tenant_id = r.tenant_id"
                    + " AND h.buyer_id = r.buyer_id AND h.order_id = r.order_id"
                    + " AND h.version = r.version WHERE r.credit_order_id = "
                    + credit.orderId()
                    + keyCondition("r")))
        .isEqualTo(sale.orderId() + " refunded 255");
    assertThat(
            text(
                "SELECT refunded_cent FROM order_amounts a WHERE order_id = "
                    + sale.orderId()
                    + keyCondition("a")))
        .isEqualTo("255");
  }

  @Test
  void create_ofACreditNoteForAnUnknownOrder_leavesNothing() throws SQLException {
    assertThatThrownBy(() -> service.create(creditNote("credit", Optional.of("no such"))))
        .isInstanceOf(OrderConflictException.class);

    assertThat(queries.ofBuyer(1, buyer, Optional.empty(), 10)).isEmpty();
  }

  @Test
  void pay_thenShip_advancesTheVersion() throws SQLException {
    OrderKey key = service.create(order("k", NOON, 1)).key();

    int paid = service.pay(key, 1, NOON.plusSeconds(60));
    int shipped =
        service.changeStatus(
            key, paid, new StatusEvent(OrderStatus.SHIPPED, NOON.plusSeconds(90), "handed over"));

    assertThat(shipped).isEqualTo(3);
    assertThat(queries.byId(key.orderId()).orElseThrow().summary().status())
        .isEqualTo(OrderStatus.SHIPPED);
    assertThat(
            text(
                "SELECT COUNT(*) FROM payment_intents p WHERE status = 'paid'"
                    + " AND paid_at = '2011-03-01T12:01:00Z' AND order_id = "
                    + key.orderId()
                    + keyCondition("p")))
        .isEqualTo("1");
  }

  @Test
  void changeStatus_withAStaleVersion_changesNothing() throws SQLException {
    OrderKey key = service.create(order("k", NOON, 1)).key();
    service.pay(key, 1, NOON);

    assertThatThrownBy(() -> service.pay(key, 1, NOON))
        .isInstanceOf(OrderConflictException.class)
        .hasMessageContaining("not at version 1");
    assertThat(queries.byId(key.orderId()).orElseThrow().summary().version()).isEqualTo(2);
  }

  @Test
  void changeStatus_againstTheStateMachine_isRefused() throws SQLException {
    OrderKey key = service.create(order("k", NOON, 1)).key();

    assertThatThrownBy(
            () -> service.changeStatus(key, 1, new StatusEvent(OrderStatus.DELIVERED, NOON, "")))
        .isInstanceOf(OrderConflictException.class)
        .hasMessageContaining("cannot become DELIVERED");
  }

  @Test
  void ofBuyer_inPages_concatenatesToTheWholeListNewestFirst() throws SQLException {
    Set<Long> created = new HashSet<>();
    for (int i = 0; i < 7; i++) {
      // Pairs of equal times: the id breaks the tie.
      created.add(service.create(order("k" + i, NOON.plusSeconds(i / 2), 1)).key().orderId());
    }

    List<Summary> whole = queries.ofBuyer(1, buyer, Optional.empty(), 100);
    List<Summary> pages = new ArrayList<>();
    Optional<Cursor> after = Optional.empty();
    do {
      List<Summary> page = queries.ofBuyer(1, buyer, after, 2);
      pages.addAll(page);
      after = page.isEmpty() ? Optional.empty() : Optional.of(page.get(page.size() - 1).cursor());
    } while (after.isPresent());

    assertThat(pages).isEqualTo(whole).hasSize(7);
    assertThat(whole).extracting(s -> s.key().orderId()).containsAll(created);
    assertThat(whole).isSortedAccordingTo(NEWEST_FIRST);
  }

  @Test
  void placedBetween_inPages_coversTheHalfOpenRange() throws SQLException {
    Instant from = NOON.plusSeconds(1_000_000 + buyer * 1_000);
    Instant to = from.plusSeconds(10);
    for (int i = -1; i <= 10; i++) {
      service.create(order(BUYERS.incrementAndGet(), "k", from.plusSeconds(i), 1));
    }

    List<Summary> pages = new ArrayList<>();
    List<Summary> page = queries.placedBetween(from, to, Optional.empty(), 4);
    while (!page.isEmpty()) {
      pages.addAll(page);
      page = queries.placedBetween(from, to, Optional.of(page.get(page.size() - 1).cursor()), 4);
    }

    assertThat(pages).hasSize(10).isSortedAccordingTo(NEWEST_FIRST);
    assertThat(pages).isEqualTo(queries.placedBetween(from, to, Optional.empty(), 100));
    assertThat(pages.get(0).createdAt()).isEqualTo(from.plusSeconds(9));
    assertThat(pages.get(9).createdAt()).isEqualTo(from);
  }

  @Test
  void totalsByStatus_growByWhatWasCreated() throws SQLException {
    long before = orders(OrderStatus.PLACED);
    for (int i = 0; i < 3; i++) {
      service.create(order(BUYERS.incrementAndGet(), "k", NOON, 1));
    }

    assertThat(orders(OrderStatus.PLACED)).isEqualTo(before + 3);
  }

  @Test
  void load_twice_createsEveryOrderOnce() throws Exception {
    OrderLoad.Loaded first = load(service);
    OrderLoad.Loaded second = load(service);

    assertThat(first.created()).isEqualTo(first.invoices()).isEqualTo(150);
    assertThat(first.refunds()).isPositive();
    assertThat(second.created()).isZero();
    assertThat(second.lines()).isEqualTo(first.lines());
  }

  @Test
  void load_whenTheDatabaseFails_endsWithItsError() {
    OrderService failing =
        new OrderService(
            TestingOrders.losingCommit(database(), false), IDS, InstantSource.system());

    assertThatThrownBy(() -> load(failing))
        .isInstanceOf(SQLException.class)
        .hasMessage("connection lost");
  }

  private static OrderLoad.Loaded load(OrderService service) throws Exception {
    return new OrderLoad(service).load(TestingData.RETAIL, 150, orders -> {});
  }

  @Test
  void byId_ofAnIdNeverIssued_isEmpty() throws SQLException {
    assertThat(queries.byId(123_456_789L)).isEmpty();
  }

  private static final java.util.Comparator<Summary> NEWEST_FIRST =
      java.util.Comparator.comparing(Summary::createdAt)
          .thenComparing(s -> s.key().orderId())
          .reversed();

  private long orders(OrderStatus status) throws SQLException {
    return queries.totalsByStatus().stream()
        .filter(t -> t.status() == status)
        .mapToLong(OrderQueries.StatusTotal::orders)
        .sum();
  }

  /** Rows of the order in each table, in the order of the schema. */
  private List<Integer> rowsOf(OrderKey key) throws SQLException {
    List<Integer> counts = new ArrayList<>();
    for (String table :
        List.of(
            "orders",
            "order_items",
            "order_addresses",
            "order_amounts",
            "payment_intents",
            "fulfilments",
            "order_status_history")) {
      String buyerColumn = table.equals("order_addresses") ? "customer_id" : "buyer_id";
      counts.add(
          Integer.valueOf(
              text(
                  "SELECT COUNT(*) FROM "
                      + table
                      + " WHERE tenant_id = 1 AND "
                      + buyerColumn
                      + " = "
                      + key.buyerId()
                      + " AND order_id = "
                      + key.orderId())));
    }
    return counts;
  }

  private String keyCondition(String alias) {
    return " AND " + alias + ".tenant_id = 1 AND " + alias + ".buyer_id = " + buyer;
  }

  private String text(String sql) throws SQLException {
    try (Connection connection = database().getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      assertThat(row.next()).isTrue();
      return row.getString(1);
    }
  }

  private NewOrder order(String clientKey, Instant at, int lines) {
    return order(buyer, clientKey, at, lines);
  }

  private static NewOrder order(long buyer, String clientKey, Instant at, int lines) {
    return TestingOrders.order(
        buyer,
        clientKey,
        lines,
        List.of(new StatusEvent(OrderStatus.PLACED, at, "order")),
        Optional.empty());
  }

  private NewOrder paidOrder(String clientKey) {
    return TestingOrders.order(
        buyer,
        clientKey,
        1,
        List.of(
            new StatusEvent(OrderStatus.PLACED, NOON, "order"),
            new StatusEvent(OrderStatus.PAID, NOON.plusSeconds(60), "payment")),
        Optional.empty());
  }

  private NewOrder creditNote(String clientKey, Optional<String> of) {
    return TestingOrders.order(
        buyer,
        clientKey,
        -1,
        List.of(new StatusEvent(OrderStatus.CREDITED, NOON.plusSeconds(600), "credit note")),
        Optional.of(new NewOrder.Refund(255, of)));
  }
}
