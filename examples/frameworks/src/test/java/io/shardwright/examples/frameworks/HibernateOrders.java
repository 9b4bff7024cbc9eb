package io.shardwright.examples.frameworks;

import io.shardwright.examples.frameworks.Order.Draft;
import io.shardwright.examples.frameworks.Order.Item;
import io.shardwright.examples.orders.OrderIds;
import jakarta.persistence.OptimisticLockException;
import java.util.List;
import javax.sql.DataSource;
import org.hibernate.Hibernate;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;

/** Hibernate ORM with entities, optimistic versions and a lazy collection. */
final class HibernateOrders implements OrderStore, AutoCloseable {
  private static final String COLUMNS = "select o from Orders o where o.tenantId = :tenant";

  private final SessionFactory sessions;

  /**
   * @param schemaAction of jakarta.persistence.schema-generation.database.action
   */
  HibernateOrders(DataSource database, OrderIds ids, String schemaAction) {
    Configuration configuration = new Configuration();
    configuration.addAnnotatedClass(OrderEntity.class).addAnnotatedClass(ItemEntity.class);
    configuration.getProperties().put("jakarta.persistence.nonJtaDataSource", database);
    configuration.getProperties().put(GeneId.IDS, ids);
    configuration.setProperty("hibernate.hbm2ddl.auto", schemaAction);
    configuration.setProperty("hibernate.jdbc.batch_size", "50");
    configuration.setProperty("hibernate.order_inserts", "true");
    this.sessions = configuration.buildSessionFactory();
  }

  SessionFactory sessions() {
    return sessions;
  }

  @Override
  public Order place(Draft draft, List<Item> items) {
    return sessions.fromTransaction(
        session -> {
          OrderEntity order = new OrderEntity(draft);
          items.forEach(item -> order.items.add(new ItemEntity(order, item)));
          session.persist(order);
          session.flush();
          return order.order();
        });
  }

  @Override
  public void placeTogether(List<Draft> drafts) {
    sessions.inTransaction(
        session -> drafts.forEach(draft -> session.persist(new OrderEntity(draft))));
  }

  /** A transaction is on one shard, so each buyer has one. */
  @Override
  public void placeBatch(List<Draft> drafts) {
    drafts.forEach(
        draft -> sessions.inTransaction(session -> session.persist(new OrderEntity(draft))));
  }

  @Override
  public List<Order> ofBuyer(long tenantId, long buyerId) {
    return sessions.fromSession(
        session ->
            session
                .createSelectionQuery(
                    COLUMNS + " and o.buyerId = :buyer order by o.createdAt desc, o.orderId desc",
                    OrderEntity.class)
                .setParameter("tenant", tenantId)
                .setParameter("buyer", buyerId)
                .getResultList()
                .stream()
                .map(OrderEntity::order)
                .toList());
  }

  @Override
  public List<Item> items(Order order) {
    return sessions.fromSession(
        session -> {
          OrderEntity found = session.find(OrderEntity.class, order.orderId());
          if (Hibernate.isInitialized(found.items)) {
            throw new IllegalStateException("the items were not to be read yet");
          }
          return found.items.stream().map(ItemEntity::item).toList();
        });
  }

  @Override
  public Order changeStatus(Order seen, String status) {
    try {
      return sessions.fromTransaction(
          session -> {
            // What a form sends back: detached, at the version that was shown.
            OrderEntity detached = session.find(OrderEntity.class, seen.orderId());
            session.detach(detached);
            detached.version = seen.version();
            detached.status = status;
            OrderEntity order = session.merge(detached);
            session.flush();
            return order.order();
          });
    } catch (OptimisticLockException e) {
      throw new StaleOrderException(e);
    }
  }

  @Override
  public List<Order> page(long tenantId, Order last, int size) {
    return sessions.fromSession(
        session -> {
          var query =
              session.createSelectionQuery(
                  COLUMNS
                      + (last == null ? "" : " and (o.createdAt, o.orderId) < (:time, :id)")
                      + " order by o.createdAt desc, o.orderId desc",
                  OrderEntity.class);
          query.setParameter("tenant", tenantId).setMaxResults(size);
          if (last != null) {
            query.setParameter("time", last.createdAt()).setParameter("id", last.orderId());
          }
          return query.getResultList().stream().map(OrderEntity::order).toList();
        });
  }

  @Override
  public long totalCent(long tenantId) {
    return sessions.fromSession(
        session ->
            session
                .createSelectionQuery(
                    "select sum(o.amountCent) from Orders o where o.tenantId = :tenant", Long.class)
                .setParameter("tenant", tenantId)
                .getSingleResult());
  }

  @Override
  public void close() {
    sessions.close();
  }
}
