package io.shardwright.advisor.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.advisor.schema.LiveDatabase.Outcome;
import io.shardwright.advisor.schema.TableFacts.ForeignKey;
import io.shardwright.errors.ShardwrightException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What both databases tell alike. */
abstract class LiveDatabaseContract {
  private final String url;
  private final String user;
  private final String password;

  LiveDatabaseContract(String url, String user, String password) {
    this.url = url;
    this.user = user;
    this.password = password;
  }

  abstract String analyze(String table);

  /** A view {@code slow} whose column k takes a minute. */
  abstract String slowView();

  final String url() {
    return url;
  }

  final void execute(String... statements) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url, user, password);
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  final LiveDatabase open() {
    return open(Optional.empty());
  }

  final LiveDatabase open(Optional<String> schema) {
    return LiveDatabase.open(url, Optional.of(user), Optional.of(password), schema);
  }

  private void makeOrders() throws SQLException {
    StringBuilder rows = new StringBuilder("INSERT INTO orders (order_id, order_no, buyer_id) ");
    for (int i = 0; i < 1_000; i++) {
      rows.append(i == 0 ? "VALUES " : ", ");
      String buyer = i % 10 == 9 ? "NULL" : Integer.toString(i % 2 == 0 ? 7 : i % 100);
      rows.append("(").append(i).append(", 'SO").append(i).append("', ").append(buyer).append(")");
    }
    execute(
        "CREATE TABLE buyers (buyer_id bigint PRIMARY KEY, name varchar(40))",
        "INSERT INTO buyers SELECT n, 'b' FROM (SELECT 7 AS n) x",
        "CREATE TABLE orders (order_id bigint NOT NULL, order_no varchar(32) NOT NULL,"
            + " buyer_id bigint, made timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP,"
            + " PRIMARY KEY (order_id), UNIQUE (order_no))",
        "CREATE INDEX by_buyer ON orders (buyer_id, order_id)",
        "CREATE TABLE order_items (order_id bigint NOT NULL, line int NOT NULL, sku bigint,"
            + " PRIMARY KEY (order_id, line),"
            + " FOREIGN KEY (order_id) REFERENCES orders (order_id))",
        rows.toString(),
        analyze("orders"));
  }

  @Test
  void read_tables_haveKeysSizesAndStatistics() throws SQLException {
    makeOrders();

    SchemaFacts facts;
    try (LiveDatabase live = open()) {
      facts = live.read();
    }

    TableFacts orders = facts.tables().get("orders");
    assertThat(orders.types())
        .containsEntry("order_id", "bigint")
        .containsEntry("made", "timestamp");
    assertThat(orders.types().keySet()).containsExactly("order_id", "order_no", "buyer_id", "made");
    assertThat(orders.notNull()).containsExactlyInAnyOrder("order_id", "order_no", "made");
    assertThat(orders.unique()).containsExactlyInAnyOrder(List.of("order_id"), List.of("order_no"));
    assertThat(orders.indexes())
        .containsExactlyInAnyOrder(
            List.of("order_id"), List.of("order_no"), List.of("buyer_id", "order_id"));
    assertThat(facts.tables().get("order_items").unique())
        .containsExactly(List.of("order_id", "line"));
    assertThat(facts.tables().get("order_items").foreignKeys())
        .containsExactly(new ForeignKey(List.of("order_id"), "orders", List.of("order_id")));
    TableStatistics figures = facts.statistics().get("orders");
    assertThat(figures.bytes()).isGreaterThan(40_000);
    assertThat(figures.rows().getAsLong()).isBetween(900L, 1_100L);
    assertThat(figures.columns().get("order_id").distinct().getAsLong()).isBetween(900L, 1_100L);
    assertThat(figures.columns().get("buyer_id").distinct().getAsLong()).isBetween(40L, 60L);
    assertThat(facts.bytes(List.of("orders", "order_items", "unknown")).getAsLong())
        .isGreaterThan(figures.bytes());
    assertThat(facts.bytes(List.of("unknown"))).isEmpty();
  }

  @Test
  void count_keys_givesRowsOfEachAndOfNone() throws SQLException {
    makeOrders();
    Map<String, Long> counted = new TreeMap<>();

    Outcome outcome;
    try (LiveDatabase live = open()) {
      outcome =
          live.count(
              "orders",
              "buyer_id",
              1_000,
              Duration.ofMinutes(1),
              (key, rows) -> counted.put(String.valueOf(key), rows));
    }

    assertThat(outcome).isEqualTo(Outcome.COMPLETE);
    assertThat(counted).hasSize(41).containsEntry("7", 510L).containsEntry("null", 100L);
  }

  @Test
  void count_moreKeysThanTheBound_stops() throws SQLException {
    makeOrders();
    Map<String, Long> counted = new TreeMap<>();

    try (LiveDatabase live = open()) {
      assertThat(live.count("orders", "order_no", 10, Duration.ofMinutes(1), counted::put))
          .isEqualTo(Outcome.BOUNDED);
    }

    assertThat(counted).hasSize(10);
  }

  @Test
  void count_beyondItsTime_isCancelledAndTheNextOneCounts() throws SQLException {
    makeOrders();
    execute(slowView());
    Map<String, Long> counted = new TreeMap<>();

    try (LiveDatabase live = open()) {
      assertThat(live.count("slow", "k", 10, Duration.ofMillis(200), (key, rows) -> {}))
          .isEqualTo(Outcome.TIMED_OUT);
      assertThat(live.count("order_items", "sku", 10, Duration.ofMinutes(1), counted::put))
          .isEqualTo(Outcome.COMPLETE);
    }

    assertThat(counted).isEmpty();
  }

  @Test
  void count_ofAFunctionThatWrites_isRefusedByTheTransaction() throws SQLException {
    makeOrders();
    execute(writingView());

    try (LiveDatabase live = open()) {
      assertThatThrownBy(
              () -> live.count("writing", "k", 10, Duration.ofMinutes(1), (key, rows) -> {}))
          .isInstanceOf(ShardwrightException.class)
          .hasMessageContaining("the values of writing.k cannot be counted")
          .hasMessageMatching("(?is).*read.only transaction.*");
    }
  }

  /** A view {@code writing} whose column k deletes from order_items. */
  abstract String[] writingView();

  @Test
  void open_wrongPassword_isRefusedWithoutIt() {
    assertThatThrownBy(
            () ->
                LiveDatabase.open(
                    url, Optional.of(user), Optional.of("wr0ng-secret"), Optional.empty()))
        .isInstanceOf(ShardwrightException.class)
        .hasMessageContaining("--password-env")
        .hasMessageNotContaining("wr0ng-secret");
  }

  @Test
  void open_secretInTheUrl_isRefusedWithoutIt() {
    for (String secret : List.of("?password=s3cret", "?x=1&trustStorePassword=s3cret")) {
      assertThatThrownBy(
              () ->
                  LiveDatabase.open(
                      url + secret, Optional.of(user), Optional.empty(), Optional.empty()))
          .isInstanceOf(ShardwrightException.class)
          .hasMessageContaining("--password-env")
          .hasMessageNotContaining("s3cret");
    }
  }

  @Test
  void read_schemaWithoutTables_isRefused() {
    try (LiveDatabase live = open(Optional.of("nowhere"))) {
      assertThatThrownBy(live::read)
          .isInstanceOf(ShardwrightException.class)
          .hasMessageContaining("schema nowhere has no table that the user may see");
    }
  }

  static Set<String> names(SchemaFacts facts) {
    return facts.tables().keySet();
  }
}
