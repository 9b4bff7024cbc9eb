package io.shardwright.examples.frameworks;

import java.math.BigDecimal;
import java.time.Instant;

/**
 * An order as the applications of this module see it; the other columns of the table are filled
 * with fixed values.
 */
record Order(
    long orderId,
    long tenantId,
    long buyerId,
    String clientKey,
    String status,
    long amountCent,
    int version,
    Instant createdAt) {

  /** What a buyer sends: the application adds the id. */
  record Draft(long tenantId, long buyerId, String clientKey, long amountCent, Instant createdAt) {
    Order placed(long orderId) {
      return new Order(orderId, tenantId, buyerId, clientKey, "created", amountCent, 1, createdAt);
    }
  }

  record Item(int lineNo, String stockCode, int quantity, BigDecimal unitPrice) {}
}
