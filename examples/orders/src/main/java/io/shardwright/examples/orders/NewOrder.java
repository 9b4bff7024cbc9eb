package io.shardwright.examples.orders;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What a client asks to be created. Names of buyer and products are frozen as they are now.
 *
 * @param clientKey the client's own name of this request, 1 to 100 characters: the same key of the
 *     same buyer is the same order, however often it is sent
 * @param lines at least one
 * @param history at least one; a fresh order has only its first state, an imported one more
 * @param refund what this order gives back, if anything
 */
public record NewOrder(
    Buyer buyer,
    long sellerId,
    String clientKey,
    Address address,
    List<Line> lines,
    List<StatusEvent> history,
    Optional<Refund> refund) {

  /** The route key, and the name as it is now. */
  public record Buyer(long tenantId, long buyerId, String name) {}

  public record Address(int countryId, String country) {}

  /**
   * @param unitPrice up to three decimals
   */
  public record Line(String stockCode, String description, int quantity, BigDecimal unitPrice) {
    /** Exact. */
    public BigDecimal amount() {
      return unitPrice.multiply(BigDecimal.valueOf(quantity));
    }
  }

  public record StatusEvent(OrderStatus status, Instant at, String reason) {}

  /**
   * @param amountCent above 0
   * @param clientKeyOfOrder the earlier order of the same buyer that is refunded; empty: the order
   *     is not known, the refund refers to this one
   */
  public record Refund(long amountCent, Optional<String> clientKeyOfOrder) {}

  public NewOrder {
    lines = List.copyOf(lines);
    history = List.copyOf(history);
    if (clientKey.isEmpty() || clientKey.length() > 100) {
      throw new IllegalArgumentException("a client key has 1 to 100 characters");
    }
    if (lines.isEmpty() || history.isEmpty()) {
      throw new IllegalArgumentException("an order has at least one line and one status");
    }
    for (int i = 1; i < history.size(); i++) {
      if (!history.get(i - 1).status().allows(history.get(i).status())) {
        throw new IllegalArgumentException(
            "an order cannot go from "
                + history.get(i - 1).status()
                + " to "
                + history.get(i).status());
      }
    }
  }

  /** The exact sum of the lines, rounded once, half to even. */
  public long amountCent() {
    return cents(lines.stream().map(Line::amount).reduce(BigDecimal.ZERO, BigDecimal::add));
  }

  public Instant createdAt() {
    return history.get(0).at();
  }

  public OrderStatus status() {
    return history.get(history.size() - 1).status();
  }

  /** When the order first came to {@code status}. */
  public Optional<Instant> reached(OrderStatus status) {
    return history.stream().filter(e -> e.status() == status).map(StatusEvent::at).findFirst();
  }

  static long cents(BigDecimal pounds) {
    return pounds.movePointRight(2).setScale(0, RoundingMode.HALF_EVEN).longValueExact();
  }
}
