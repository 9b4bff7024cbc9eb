package io.shardwright.examples.frameworks;

import java.util.List;

/** A small application over the orders schema, once per framework. */
interface OrderStore {
  /** One transaction; the items go as one JDBC batch. */
  Order place(Order.Draft draft, List<Order.Item> items);

  /** One transaction for orders of several buyers. */
  void placeTogether(List<Order.Draft> drafts);

  /** One batch for orders of several buyers, without a transaction of the application. */
  void placeBatch(List<Order.Draft> drafts);

  /** Newest first. */
  List<Order> ofBuyer(long tenantId, long buyerId);

  /** In line order. */
  List<Order.Item> items(Order order);

  /**
   * Optimistic: only at the version that the caller has seen.
   *
   * @throws StaleOrderException the order is at another version by now
   */
  Order changeStatus(Order seen, String status);

  /** Orders of all buyers of a tenant, newest first, behind {@code last}; null: the first page. */
  List<Order> page(long tenantId, Order last, int size);

  /** Of all buyers of a tenant. */
  long totalCent(long tenantId);

  /** Somebody else changed the order. */
  final class StaleOrderException extends RuntimeException {
    StaleOrderException(Throwable cause) {
      super("the order was changed by somebody else; read it again", cause);
    }
  }
}
