package io.shardwright.examples.frameworks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SimpleDriverDataSource;
import org.springframework.transaction.annotation.Transactional;

/** Spring Boot configured by url, as in docs/frameworks/spring-boot.md. */
class SpringBootTest implements OrderStoreContract {
  private static ConfigurableApplicationContext application;

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Application {
    @Bean
    OrderStore orders(DataSource database) {
      return new JdbcTemplateOrders(database, TestingOrdersDatabase.shared().ids());
    }

    @Bean
    Sales sales(OrderStore orders, JdbcTemplate jdbc) {
      return new Sales(orders, jdbc);
    }
  }

  /** A bean with declared transactions. */
  static class Sales {
    private final OrderStore orders;
    private final JdbcTemplate jdbc;

    Sales(OrderStore orders, JdbcTemplate jdbc) {
      this.orders = orders;
      this.jdbc = jdbc;
    }

    @Transactional
    public void placeAndFail(Order.Draft draft) {
      orders.place(draft, ITEMS);
      int seen =
          jdbc.queryForObject(
              "SELECT COUNT(*) FROM orders WHERE tenant_id = ? AND buyer_id = ?",
              Integer.class,
              draft.tenantId(),
              draft.buyerId());
      throw new IllegalStateException("seen inside: " + seen);
    }
  }

  @BeforeAll
  static void start() {
    application =
        start(
            Map.of(
                "spring.datasource.url", TestingOrdersDatabase.shared().url(),
                "spring.datasource.driver-class-name", "io.shardwright.driver.ShardwrightDriver",
                "spring.datasource.type", SimpleDriverDataSource.class.getName()));
  }

  private static ConfigurableApplicationContext start(Map<String, Object> properties) {
    return new SpringApplicationBuilder(Application.class)
        .web(WebApplicationType.NONE)
        .properties(properties)
        .properties("spring.main.banner-mode=off", "logging.level.root=warn")
        .registerShutdownHook(false)
        .run();
  }

  @AfterAll
  static void stop() {
    application.close();
  }

  @Override
  public OrderStore store() {
    return application.getBean(OrderStore.class);
  }

  @Test
  void declaredTransaction_whenItThrows_isRolledBack() {
    long tenant = TENANTS.incrementAndGet();

    Sales sales = application.getBean(Sales.class);

    assertThatThrownBy(() -> sales.placeAndFail(OrderStoreContract.draft(tenant, 7, 1)))
        .hasMessage("seen inside: 1");

    assertThat(store().ofBuyer(tenant, 7)).isEmpty();
  }

  @Test
  void withTheDefaultPool_works() {
    long tenant = TENANTS.incrementAndGet();
    try (ConfigurableApplicationContext pooled =
        start(
            Map.of(
                "spring.datasource.url",
                TestingOrdersDatabase.shared().url(),
                "spring.datasource.driver-class-name",
                "io.shardwright.driver.ShardwrightDriver"))) {
      assertThat(pooled.getBean(DataSource.class)).isInstanceOf(HikariDataSource.class);

      Order placed =
          pooled.getBean(OrderStore.class).place(OrderStoreContract.draft(tenant, 7, 1), List.of());

      assertThat(store().ofBuyer(tenant, 7)).containsExactly(placed);
    }
  }
}
