package io.shardwright.examples.frameworks;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.Table;
import java.io.Serializable;
import java.math.BigDecimal;

/** A line of an order, found by the id of its order; it repeats the route key. */
@Entity(name = "Items")
@Table(name = "order_items")
@IdClass(ItemEntity.Key.class)
class ItemEntity {
  @Id
  @ManyToOne(fetch = FetchType.LAZY)
  @JoinColumn(name = "order_id")
  OrderEntity order;

  @Id
  @Column(name = "line_no")
  int lineNo;

  @Column(name = "tenant_id", updatable = false)
  long tenantId;

  @Column(name = "buyer_id", updatable = false)
  long buyerId;

  @Column(name = "stock_code", nullable = false, columnDefinition = "text")
  String stockCode;

  @Column(name = "description", nullable = false, columnDefinition = "text")
  String description = "An item";

  @Column(name = "quantity", nullable = false)
  int quantity;

  @Column(name = "unit_price", nullable = false, precision = 12, scale = 3)
  BigDecimal unitPrice;

  @Column(name = "amount", nullable = false, precision = 14, scale = 3)
  BigDecimal amount = BigDecimal.ZERO;

  record Key(Long order, int lineNo) implements Serializable {}

  protected ItemEntity() {}

  ItemEntity(OrderEntity order, Order.Item item) {
    this.order = order;
    this.tenantId = order.tenantId();
    this.buyerId = order.buyerId();
    this.lineNo = item.lineNo();
    this.stockCode = item.stockCode();
    this.quantity = item.quantity();
    this.unitPrice = item.unitPrice();
  }

  Order.Item item() {
    return new Order.Item(lineNo, stockCode, quantity, unitPrice);
  }
}
