package io.shardwright.examples.orders;

import java.util.Locale;
import java.util.Set;

/** The states of an order. The database holds the name in lower case. */
public enum OrderStatus {
  PLACED,
  PAID,
  SHIPPED,
  DELIVERED,
  CANCELLED,
  /** At least a part of the amount was given back. */
  REFUNDED,
  /** A credit note that was booked as an order of its own. */
  CREDITED,
  /** A correction of stock or debt: nothing is paid or shipped. */
  ADJUSTED;

  /** Whether an order may go from this state to {@code next}. */
  public boolean allows(OrderStatus next) {
    return switch (this) {
      case PLACED -> Set.of(PAID, CANCELLED).contains(next);
      case PAID -> Set.of(SHIPPED, CANCELLED, REFUNDED).contains(next);
      case SHIPPED -> Set.of(DELIVERED, REFUNDED).contains(next);
      case DELIVERED, REFUNDED -> next == REFUNDED;
      case CANCELLED, CREDITED, ADJUSTED -> false;
    };
  }

  String stored() {
    return name().toLowerCase(Locale.ROOT);
  }

  static OrderStatus ofStored(String stored) {
    return valueOf(stored.toUpperCase(Locale.ROOT));
  }
}
