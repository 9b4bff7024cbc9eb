package io.shardwright.examples.frameworks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.UncategorizedSQLException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

class JdbcTemplateTest implements OrderStoreContract {
  private final TestingOrdersDatabase database = TestingOrdersDatabase.shared();
  private final OrderStore store = new JdbcTemplateOrders(database.source(), database.ids());
  private final JdbcTemplate jdbc = new JdbcTemplate(database.source());
  private final JdbcTransactionManager transactions = new JdbcTransactionManager(database.source());

  @Override
  public OrderStore store() {
    return store;
  }

  @Test
  void nestedTransaction_rolledBack_leavesTheOuterOne() {
    long tenant = TENANTS.incrementAndGet();
    TransactionTemplate nested = new TransactionTemplate(transactions);
    nested.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);

    new TransactionTemplate(transactions)
        .executeWithoutResult(
            outer -> {
              store.place(OrderStoreContract.draft(tenant, 7, 1), ITEMS);
              nested.executeWithoutResult(
                  inner -> {
                    jdbc.update(
                        "UPDATE orders SET status = 'lost' WHERE tenant_id = ? AND buyer_id = 7",
                        tenant);
                    inner.setRollbackOnly();
                  });
            });

    assertThat(store.ofBuyer(tenant, 7)).extracting(Order::status).containsExactly("created");
  }

  @Test
  void serializableReadOnlyTransaction_ofOneBuyer_isOneOnTheShard() {
    long tenant = TENANTS.incrementAndGet();
    Order placed = store.place(OrderStoreContract.draft(tenant, 7, 1), List.of());
    TransactionTemplate strict = new TransactionTemplate(transactions);
    strict.setIsolationLevel(Connection.TRANSACTION_SERIALIZABLE);
    strict.setReadOnly(true);
    List<String> settings =
        strict.execute(
            status ->
                jdbc.queryForList(
                    "SELECT current_setting('transaction_isolation') || ' '"
                        + " || current_setting('transaction_read_only') FROM orders"
                        + " WHERE order_id = ?",
                    String.class,
                    placed.orderId()));

    assertThat(settings).containsExactly("serializable on");
  }

  @Test
  void secondShard_keepsTheCode() {
    long tenant = TENANTS.incrementAndGet();
    List<Order.Draft> drafts = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      drafts.add(OrderStoreContract.draft(tenant, i, i));
    }

    assertThatThrownBy(() -> store.placeTogether(drafts))
        .isInstanceOfSatisfying(
            UncategorizedSQLException.class,
            e -> assertThat(e.getSQLException().getErrorCode()).isEqualTo(209));
  }

  @Test
  void duplicateClientKey_isTranslated() {
    long tenant = TENANTS.incrementAndGet();
    store.place(OrderStoreContract.draft(tenant, 7, 1), List.of());

    assertThatThrownBy(() -> store.place(OrderStoreContract.draft(tenant, 7, 1), List.of()))
        .isInstanceOf(DuplicateKeyException.class)
        .hasMessageContaining("orders_client_key");
  }
}
