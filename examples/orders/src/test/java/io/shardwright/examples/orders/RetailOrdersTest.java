package io.shardwright.examples.orders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.errors.ShardwrightException;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class RetailOrdersTest {
  private static final List<NewOrder> ALL = all();
  private static final Instant NOON = Instant.parse("2011-03-01T12:00:00Z");

  @Test
  void order_ofAllInvoices_isTheSameInEveryRun() {
    assertThat(all()).isEqualTo(ALL);
  }

  @Test
  void order_ofAllInvoices_keepsEveryClientKeyAndAmountApart() {
    List<NewOrder> orders = ALL;

    assertThat(orders.stream().map(NewOrder::clientKey).distinct()).hasSize(RetailData.INVOICES);
    // The four invoices with tenths of pence are rounded half to even, each once.
    assertThat(orders.stream().mapToLong(NewOrder::amountCent).sum()).isEqualTo(974_774_793L);
    assertThat(orders).allMatch(o -> o.sellerId() >= 1 && o.sellerId() <= RetailOrders.SELLERS);
  }

  @Test
  void order_ofAllInvoices_refersRefundsToEarlierOrdersOfTheSameBuyer() {
    Map<String, NewOrder> earlier = new HashMap<>();
    int referring = 0;
    for (NewOrder order : ALL) {
      if (order.refund().isPresent() && order.refund().get().clientKeyOfOrder().isPresent()) {
        NewOrder refunded = earlier.get(order.refund().get().clientKeyOfOrder().get());
        assertThat(refunded.buyer()).isEqualTo(order.buyer());
        assertThat(refunded.reached(OrderStatus.PAID)).isPresent();
        assertThat(refunded.lines())
            .anyMatch(
                l -> order.lines().stream().anyMatch(c -> c.stockCode().equals(l.stockCode())));
        referring++;
      }
      earlier.put(order.clientKey(), order);
    }
    assertThat(referring).isGreaterThan(2_500);
  }

  @Test
  void order_ofACustomer_isFrozenWithCountryAsTenant() {
    NewOrder order =
        new RetailOrders()
            .order(invoice("536365", Invoice.Kind.SALE, OptionalLong.of(17850), "10.00"));

    assertThat(order.buyer()).isEqualTo(new NewOrder.Buyer(14, 17850, "Customer 17850"));
    assertThat(order.address()).isEqualTo(new NewOrder.Address(14, "France"));
    assertThat(order.history().get(0).status()).isEqualTo(OrderStatus.PLACED);
    assertThat(order.reached(OrderStatus.PAID)).isPresent();
  }

  @Test
  void order_withoutCustomer_hasAGuestOfItsOwn() {
    RetailOrders orders = new RetailOrders();

    NewOrder sale = orders.order(invoice("536414", Invoice.Kind.SALE, OptionalLong.empty(), "1"));
    NewOrder credit =
        orders.order(invoice("C536414", Invoice.Kind.CREDIT, OptionalLong.empty(), "-1"));

    assertThat(sale.buyer().buyerId()).isEqualTo(1_536_414);
    assertThat(credit.buyer().buyerId()).isEqualTo(2_536_414);
    assertThat(credit.refund()).contains(new NewOrder.Refund(100, Optional.empty()));
    assertThat(credit.status()).isEqualTo(OrderStatus.CREDITED);
  }

  @Test
  void order_ofNothing_isAnAdjustment() {
    NewOrder order =
        new RetailOrders().order(invoice("536414", Invoice.Kind.SALE, OptionalLong.empty(), "0"));

    assertThat(order.history())
        .extracting(NewOrder.StatusEvent::status)
        .containsExactly(OrderStatus.ADJUSTED);
  }

  @Test
  void order_ofAnUnknownCountry_isRefused() {
    Invoice invoice =
        new Invoice(
            "536414",
            Invoice.Kind.SALE,
            OptionalLong.empty(),
            "Atlantis",
            NOON,
            List.of(new Invoice.Line("a", "b", 1, BigDecimal.ONE)));

    assertThatThrownBy(() -> new RetailOrders().order(invoice))
        .isInstanceOf(ShardwrightException.class)
        .hasMessageContaining("Atlantis");
  }

  private static Invoice invoice(
      String number, Invoice.Kind kind, OptionalLong customer, String price) {
    return new Invoice(
        number,
        kind,
        customer,
        "France",
        NOON,
        List.of(new Invoice.Line("85123A", "HOLDER", 1, new BigDecimal(price))));
  }

  private static List<NewOrder> all() {
    RetailOrders orders = new RetailOrders();
    List<NewOrder> all = new ArrayList<>();
    TestingData.RETAIL.forEach(Integer.MAX_VALUE, invoice -> all.add(orders.order(invoice)));
    return all;
  }
}
