package io.shardwright.examples.orders;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.examples.orders.NewOrder.StatusEvent;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.CRC32;

/**
 * Turns invoices into orders: a pure function of the invoices so far. What the data lacks is
 * derived from the invoice number alone, so every run gives the same orders; each rule is in
 * examples/orders/data/README.md. Not thread-safe: invoices come in order.
 */
public final class RetailOrders {
  static final int SELLERS = 100;

  private static final int NUMBER_DIGITS = 6;

  /** By buyer and stock code: the client key of the latest order with that product. */
  private final Map<NewOrder.Buyer, Map<String, String>> purchases = new HashMap<>();

  public NewOrder order(Invoice invoice) {
    int country = Countries.number(invoice.country());
    NewOrder.Buyer buyer = buyer(invoice, country);
    List<NewOrder.Line> lines =
        invoice.lines().stream()
            .map(
                l -> new NewOrder.Line(l.stockCode(), l.description(), l.quantity(), l.unitPrice()))
            .toList();
    NewOrder order =
        new NewOrder(
            buyer,
            1 + hash(lines.get(0).stockCode()) % SELLERS,
            "uci-" + invoice.number(),
            new NewOrder.Address(country, invoice.country()),
            lines,
            history(invoice),
            refund(invoice, buyer));
    if (order.status() != OrderStatus.CREDITED && order.status() != OrderStatus.ADJUSTED) {
      Map<String, String> bought = purchases.computeIfAbsent(buyer, key -> new HashMap<>());
      lines.forEach(line -> bought.put(line.stockCode(), order.clientKey()));
    }
    return order;
  }

  private static NewOrder.Buyer buyer(Invoice invoice, int country) {
    if (invoice.customer().isPresent()) {
      long customer = invoice.customer().getAsLong();
      return new NewOrder.Buyer(country, customer, "Customer " + customer);
    }
    int digits = invoice.number().length() - NUMBER_DIGITS;
    long number = Long.parseLong(invoice.number().substring(digits));
    long million =
        switch (invoice.kind()) {
          case SALE -> 1;
          case CREDIT -> 2;
          case ADJUSTMENT -> 3;
        };
    long guest = million * 1_000_000 + number;
    return new NewOrder.Buyer(country, guest, "Guest " + invoice.number());
  }

  private static List<StatusEvent> history(Invoice invoice) {
    Instant created = invoice.at();
    if (invoice.kind() == Invoice.Kind.CREDIT) {
      return List.of(new StatusEvent(OrderStatus.CREDITED, created, "credit note"));
    }
    if (invoice.kind() == Invoice.Kind.ADJUSTMENT || invoice.amount().signum() <= 0) {
      return List.of(new StatusEvent(OrderStatus.ADJUSTED, created, "adjustment"));
    }
    int hash = hash(invoice.number());
    List<StatusEvent> history = new ArrayList<>();
    history.add(new StatusEvent(OrderStatus.PLACED, created, "order"));
    Instant paid = created.plusSeconds(30 + hash % 870);
    history.add(new StatusEvent(OrderStatus.PAID, paid, "payment"));
    int progress = hash / 1_000 % 20;
    if (progress > 0) {
      Instant shipped = paid.plus(Duration.ofHours(4 + hash % 44));
      history.add(new StatusEvent(OrderStatus.SHIPPED, shipped, "parcel handed over"));
      if (progress > 1) {
        Instant delivered = shipped.plus(Duration.ofHours(20 + hash % 76));
        history.add(new StatusEvent(OrderStatus.DELIVERED, delivered, "parcel received"));
      }
    }
    return history;
  }

  private Optional<NewOrder.Refund> refund(Invoice invoice, NewOrder.Buyer buyer) {
    BigDecimal amount = invoice.amount().negate();
    if (invoice.kind() != Invoice.Kind.CREDIT || NewOrder.cents(amount) <= 0) {
      return Optional.empty();
    }
    Map<String, String> bought = purchases.getOrDefault(buyer, Map.of());
    Optional<String> earlier =
        invoice.lines().stream()
            .map(line -> bought.get(line.stockCode()))
            .filter(key -> key != null)
            .findFirst();
    return Optional.of(new NewOrder.Refund(NewOrder.cents(amount), earlier));
  }

  /** 0 to 2^31 - 1. */
  private static int hash(String text) {
    CRC32 crc = new CRC32();
    crc.update(text.getBytes(StandardCharsets.UTF_8));
    return (int) (crc.getValue() >>> 1);
  }

  /** The 38 values of the data's Country column, numbered in alphabetical order. */
  static final class Countries {
    static final List<String> NAMES =
        List.of(
            "Australia",
            "Austria",
            "Bahrain",
            "Belgium",
            "Brazil",
            "Canada",
            "Channel Islands",
            "Cyprus",
            "Czech Republic",
            "Denmark",
            "EIRE",
            "European Community",
            "Finland",
            "France",
            "Germany",
            "Greece",
            "Hong Kong",
            "Iceland",
            "Israel",
            "Italy",
            "Japan",
            "Lebanon",
            "Lithuania",
            "Malta",
            "Netherlands",
            "Norway",
            "Poland",
            "Portugal",
            "RSA",
            "Saudi Arabia",
            "Singapore",
            "Spain",
            "Sweden",
            "Switzerland",
            "USA",
            "United Arab Emirates",
            "United Kingdom",
            "Unspecified");

    private Countries() {}

    /** 1 to 38. */
    static int number(String country) {
      int index = NAMES.indexOf(country);
      if (index < 0) {
        throw new ShardwrightException(
            ErrorCode.COMMAND_INVALID, "the country '" + country + "' is not in the list of 38");
      }
      return index + 1;
    }
  }
}
