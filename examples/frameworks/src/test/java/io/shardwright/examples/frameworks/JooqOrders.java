package io.shardwright.examples.frameworks;

import static org.jooq.impl.DSL.row;
import static org.jooq.impl.DSL.sum;
import static org.jooq.impl.DSL.val;

import io.shardwright.examples.frameworks.JooqTables.ItemRecord;
import io.shardwright.examples.frameworks.JooqTables.Items;
import io.shardwright.examples.frameworks.JooqTables.OrderRecord;
import io.shardwright.examples.frameworks.JooqTables.Orders;
import io.shardwright.examples.frameworks.Order.Draft;
import io.shardwright.examples.frameworks.Order.Item;
import io.shardwright.examples.orders.OrderIds;
import java.math.BigDecimal;
import java.time.ZoneOffset;
import java.util.List;
import javax.sql.DataSource;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.conf.Settings;
import org.jooq.exception.DataChangedException;
import org.jooq.impl.DSL;

/** jOOQ with records, its optimistic locking and its transactions. */
final class JooqOrders implements OrderStore {
  private static final Orders ORDERS = Orders.ORDERS;
  private static final Items ITEMS = Items.ITEMS;

  private final DSLContext jooq;
  private final OrderIds ids;

  JooqOrders(DataSource database, OrderIds ids) {
    this.jooq =
        DSL.using(
            database,
            SQLDialect.POSTGRES,
            new Settings().withExecuteWithOptimisticLocking(true).withRenderSchema(false));
    this.ids = ids;
  }

  DSLContext jooq() {
    return jooq;
  }

  @Override
  public Order place(Draft draft, List<Item> items) {
    return jooq.transactionResult(
        transaction -> {
          OrderRecord order = record(transaction.dsl(), draft);
          order.insert();
          List<ItemRecord> records =
              items.stream().map(item -> record(transaction.dsl(), order, item)).toList();
          transaction.dsl().batchInsert(records).execute();
          return order(order);
        });
  }

  @Override
  public void placeTogether(List<Draft> drafts) {
    jooq.transaction(
        transaction -> drafts.forEach(draft -> record(transaction.dsl(), draft).insert()));
  }

  @Override
  public void placeBatch(List<Draft> drafts) {
    jooq.batchInsert(drafts.stream().map(draft -> record(jooq, draft)).toList()).execute();
  }

  private OrderRecord record(DSLContext context, Draft draft) {
    OrderRecord order = context.newRecord(ORDERS);
    order.set(ORDERS.orderId, ids.next(draft.tenantId(), draft.buyerId()));
    order.set(ORDERS.tenantId, draft.tenantId());
    order.set(ORDERS.buyerId, draft.buyerId());
    order.set(ORDERS.sellerId, 1L);
    order.set(ORDERS.clientKey, draft.clientKey());
    order.set(ORDERS.buyerName, "Buyer");
    order.set(ORDERS.status, "created");
    order.set(ORDERS.amountCent, draft.amountCent());
    order.set(ORDERS.lineCount, 0);
    order.set(ORDERS.createdAt, draft.createdAt().atOffset(ZoneOffset.UTC));
    order.set(ORDERS.updatedAt, draft.createdAt().atOffset(ZoneOffset.UTC));
    return order;
  }

  private static ItemRecord record(DSLContext context, OrderRecord order, Item item) {
    ItemRecord line = context.newRecord(ITEMS);
    line.set(ITEMS.orderId, order.get(ORDERS.orderId));
    line.set(ITEMS.tenantId, order.get(ORDERS.tenantId));
    line.set(ITEMS.buyerId, order.get(ORDERS.buyerId));
    line.set(ITEMS.lineNo, item.lineNo());
    line.set(ITEMS.stockCode, item.stockCode());
    line.set(ITEMS.description, "An item");
    line.set(ITEMS.quantity, item.quantity());
    line.set(ITEMS.unitPrice, item.unitPrice());
    line.set(ITEMS.amount, BigDecimal.ZERO);
    return line;
  }

  @Override
  public List<Order> ofBuyer(long tenantId, long buyerId) {
    return jooq.selectFrom(ORDERS)
        .where(ORDERS.tenantId.eq(tenantId), ORDERS.buyerId.eq(buyerId))
        .orderBy(ORDERS.createdAt.desc(), ORDERS.orderId.desc())
        .fetch(JooqOrders::order);
  }

  @Override
  public List<Item> items(Order order) {
    return jooq.selectFrom(ITEMS)
        .where(ITEMS.orderId.eq(order.orderId()))
        .orderBy(ITEMS.lineNo)
        .fetch(
            line ->
                new Item(
                    line.get(ITEMS.lineNo),
                    line.get(ITEMS.stockCode),
                    line.get(ITEMS.quantity),
                    line.get(ITEMS.unitPrice)));
  }

  @Override
  public Order changeStatus(Order seen, String status) {
    OrderRecord order = jooq.newRecord(ORDERS);
    order.set(ORDERS.orderId, seen.orderId());
    order.set(ORDERS.version, seen.version());
    order.changed(false);
    order.set(ORDERS.status, status);
    try {
      order.update();
    } catch (DataChangedException e) {
      throw new StaleOrderException(e);
    }
    order.refresh();
    return order(order);
  }

  @Override
  public List<Order> page(long tenantId, Order last, int size) {
    Condition behind =
        last == null
            ? DSL.noCondition()
            : row(ORDERS.createdAt, ORDERS.orderId)
                .lt(row(val(last.createdAt().atOffset(ZoneOffset.UTC)), val(last.orderId())));
    return jooq.selectFrom(ORDERS)
        .where(ORDERS.tenantId.eq(tenantId), behind)
        .orderBy(ORDERS.createdAt.desc(), ORDERS.orderId.desc())
        .limit(size)
        .fetch(JooqOrders::order);
  }

  @Override
  public long totalCent(long tenantId) {
    return jooq.select(sum(ORDERS.amountCent))
        .from(ORDERS)
        .where(ORDERS.tenantId.eq(tenantId))
        .fetchSingle(0, Long.class);
  }

  private static Order order(OrderRecord order) {
    return new Order(
        order.get(ORDERS.orderId),
        order.get(ORDERS.tenantId),
        order.get(ORDERS.buyerId),
        order.get(ORDERS.clientKey),
        order.get(ORDERS.status),
        order.get(ORDERS.amountCent),
        order.get(ORDERS.version),
        order.get(ORDERS.createdAt).toInstant());
  }
}
