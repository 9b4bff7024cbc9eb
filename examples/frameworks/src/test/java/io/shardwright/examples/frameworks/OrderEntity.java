package io.shardwright.examples.frameworks;

import jakarta.persistence.CascadeType;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.OneToMany;
import jakarta.persistence.OrderBy;
import jakarta.persistence.Table;
import jakarta.persistence.Version;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** What decides where the row lives is not updatable; bucket_id is not mapped at all. */
@Entity(name = "Orders")
@Table(name = "orders")
class OrderEntity implements GeneId.Routed {
  @Id
  @GeneId
  @Column(name = "order_id")
  Long orderId;

  @Column(name = "tenant_id", updatable = false)
  long tenantId;

  @Column(name = "buyer_id", updatable = false)
  long buyerId;

  @Column(name = "seller_id", nullable = false)
  long sellerId = 1;

  @Column(name = "client_key", nullable = false, columnDefinition = "text")
  String clientKey;

  @Column(name = "buyer_name", nullable = false, columnDefinition = "text")
  String buyerName = "Buyer";

  @Column(name = "status", nullable = false, columnDefinition = "text")
  String status = "created";

  @Column(name = "amount_cent", nullable = false)
  long amountCent;

  @Column(name = "line_count", nullable = false)
  int lineCount;

  @Column(name = "created_at", nullable = false)
  Instant createdAt;

  @Column(name = "updated_at", nullable = false)
  Instant updatedAt;

  @Version
  @Column(name = "version", nullable = false)
  int version = 1;

  @OneToMany(mappedBy = "order", cascade = CascadeType.PERSIST)
  @OrderBy("lineNo")
  List<ItemEntity> items = new ArrayList<>();

  protected OrderEntity() {}

  OrderEntity(Order.Draft draft) {
    this.tenantId = draft.tenantId();
    this.buyerId = draft.buyerId();
    this.clientKey = draft.clientKey();
    this.amountCent = draft.amountCent();
    this.createdAt = draft.createdAt();
    this.updatedAt = draft.createdAt();
  }

  @Override
  public long tenantId() {
    return tenantId;
  }

  @Override
  public long buyerId() {
    return buyerId;
  }

  Order order() {
    return new Order(orderId, tenantId, buyerId, clientKey, status, amountCent, version, createdAt);
  }
}
