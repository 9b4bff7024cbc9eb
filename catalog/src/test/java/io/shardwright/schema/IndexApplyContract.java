package io.shardwright.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.catalog.Catalog;
import io.shardwright.catalog.CatalogIndex;
import io.shardwright.catalog.CatalogState;
import io.shardwright.catalog.IndexName;
import io.shardwright.catalog.IndexState;
import io.shardwright.catalog.TestingConfiguration;
import io.shardwright.config.Configuration;
import io.shardwright.config.Configuration.Group;
import io.shardwright.routing.KeyType;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** What {@code apply} makes of the lookup indexes of a file, on each database. */
abstract class IndexApplyContract {
  private static final String BY_STATUS = "columns: [status], ";

  abstract OrderShards shards();

  /** Of one shard. */
  abstract int tables();

  @Test
  void run_indexOfTheFile_isMadeOnTheShardsAndRecorded() throws SQLException {
    OrderShards shards = shards();

    ApplyReport first = shards.applyWith(OrderShards.WITH_INDEX);
    ApplyReport second = shards.applyWith(OrderShards.WITH_INDEX);

    assertThat(first.problems()).isEmpty();
    assertThat(first.created())
        .contains(
            "shard s0: table shardwright_entry_orders_by_status",
            "shard s1: table shardwright_claim_orders_by_status",
            "shard s0: buckets of orders.by_status",
            "shard s1: fence of table shardwright_entry_orders_by_status")
        .filteredOn(object -> object.contains("by_status"))
        .hasSize(2 * (tables() + 2));
    assertThat(second.created()).isEmpty();
    assertThat(second.existing()).isEqualTo(first.created());
    try (Catalog catalog = Catalog.open(shards.configuration(OrderShards.WITH_INDEX))) {
      CatalogState state = catalog.load();
      assertThat(state.indexes())
          .containsOnlyKeys("orders.by_status")
          .extractingByKey("orders.by_status")
          .isEqualTo(
              new CatalogIndex(
                  new IndexName("orders", "by_status"),
                  "orders",
                  List.of("status"),
                  IndexState.DECLARED,
                  state.version()));
      assertThat(state.maps()).containsOnlyKeys("orders", "orders.by_status");
    }
  }

  @Test
  void run_indexThatIsNotUnique_isMadeOnTheShardsAndItsDriftIsFound() throws SQLException {
    OrderShards shards = shards();
    String listed =
        OrderShards.WITH_INDEX.replace(
            "{columns: [status], unique: true}",
            "{columns: [status, created_at], unique: false, covering: {country: check}}");

    ApplyReport first = shards.applyWith(listed);
    ApplyReport second = shards.applyWith(listed);

    assertThat(first.problems()).isEmpty();
    assertThat(first.created())
        .contains(
            "shard s0: table shardwright_entry_orders_by_status",
            "shard s0: view shardwright_list_orders_by_status",
            "shard s1: table shardwright_outbox_orders_by_status",
            "shard s1: table shardwright_dead_orders_by_status");
    assertThat(second.created()).isEmpty();
    assertThat(second.problems()).isEmpty();

    shards.on(1, "DROP VIEW shardwright_list_orders_by_status");
    shards.on(
        1,
        "CREATE VIEW shardwright_list_orders_by_status AS"
            + " SELECT bucket_id, p1 AS order_id FROM shardwright_entry_orders_by_status");
    assertThat(problems(shards, listed, Finding::message))
        .singleElement()
        .asString()
        .contains("[shardwright_list_orders_by_status]")
        .contains("do not have the types");
    shards.on(1, "DROP VIEW shardwright_list_orders_by_status");
    assertThat(shards.applyWith(listed).created())
        .containsExactly("shard s1: view shardwright_list_orders_by_status");
  }

  @Test
  void run_columnsThatAnIndexCannotHold_areNamed() throws SQLException {
    OrderShards shards = shards();

    assertThat(
            problems(
                shards,
                with("columns: [status, created_at], covering: {order_id: check}, ")
                    .replace("unique: true", "unique: false"),
                Finding::message))
        .singleElement()
        .asString()
        .contains("covering column order_id is of the primary key");
    assertThat(
            problems(
                shards,
                with("table: orders, columns: [status], covering: {nothing: check}, ")
                    .replace("unique: true", "unique: false"),
                Finding::message))
        .singleElement()
        .asString()
        .endsWith("table orders has no column nothing");
  }

  @Test
  void run_problemElsewhere_recordsNoIndex() throws SQLException {
    OrderShards shards = shards().on(1, "ALTER TABLE orders DROP COLUMN status");

    assertThat(problems(shards, OrderShards.WITH_INDEX, Finding::message))
        .anyMatch(
            message ->
                message.equals(
                    "lookup index orders.by_status [status] may be one of no table of group"
                        + " orders"));
    assertThat(
            TestingConfiguration.query(
                shards.catalog().orElseThrow(), "SELECT count(*) FROM shardwright_index"))
        .containsExactly("0");
  }

  @Test
  void run_indexThatFitsNoTable_saysWhy() throws SQLException {
    OrderShards shards = shards();

    assertThat(problems(shards, with("columns: [tenant_id, nothing], "), Finding::action))
        .containsExactly("correct its columns: no table has all of them");
    assertThat(problems(shards, with("columns: [order_id], "), Finding::message))
        .containsExactly(
            "lookup index orders.by_status [order_id] may be one of [orders, items] of group"
                + " orders");
    assertThat(problems(shards, with("table: items, columns: [order_id, x], "), Finding::message))
        .containsExactly(
            "lookup index orders.by_status [order_id, x]: table items has no column x");
    assertThat(
            problems(shards, with("table: items, columns: [line, order_id], "), Finding::message))
        .isEmpty();
  }

  @Test
  void run_triggersOfBeforeTheMover_areMadeAnew() throws SQLException {
    OrderShards shards = shards();
    shards.applyWith(OrderShards.WITH_INDEX);
    CatalogIndex index;
    try (Catalog catalog = Catalog.open(shards.configuration(OrderShards.WITH_INDEX))) {
      index =
          catalog.changeIndex(
              catalog.load().indexes().get("orders.by_status"), IndexState.WRITE_ONLY);
    }
    for (int shard = 0; shard < 2; shard++) {
      try (Connection connection = TestingConfiguration.connect(shards.shards().get(shard))) {
        on(shards, shard, OrderShards.WITH_INDEX)
            .installTriggers(connection, index.version(), IndexObjects.LockWait.DEFAULT);
      }
    }
    String moving = OrderShards.WITH_INDEX + "mover: {user: somebody, password: x}\n";
    assertThat(exempts(shards, moving)).containsExactly(false, false);

    ApplyReport report = shards.applyWith(moving);

    assertThat(report.problems()).isEmpty();
    assertThat(report.created())
        .contains(
            "shard s0: triggers of lookup index orders.by_status",
            "shard s1: triggers of lookup index orders.by_status");
    assertThat(exempts(shards, moving)).containsExactly(true, true);
    try (Connection connection = TestingConfiguration.connect(shards.shards().get(0))) {
      assertThat(on(shards, 0, moving).inspect(connection).version()).hasValue(index.version());
    }
    assertThat(shards.applyWith(moving).created()).isEmpty();
  }

  private static List<Boolean> exempts(OrderShards shards, String groups) throws SQLException {
    List<Boolean> exempts = new ArrayList<>();
    for (int shard = 0; shard < 2; shard++) {
      try (Connection connection = TestingConfiguration.connect(shards.shards().get(shard))) {
        exempts.add(on(shards, shard, groups).exempts(connection));
      }
    }
    return exempts;
  }

  private static IndexObjects on(OrderShards shards, int shard, String groups) throws SQLException {
    Configuration configuration = shards.configuration(groups);
    Group group = configuration.groups().get("orders");
    try (Connection connection = TestingConfiguration.connect(shards.shards().get(shard))) {
      LookupIndex index =
          LookupIndex.find(
                  configuration.product(),
                  group,
                  group.indexes().get("by_status"),
                  ShardInspector.inspect(connection, List.of("orders", "items")))
              .orElseThrow();
      return IndexObjects.of(index, configuration);
    }
  }

  @Test
  void run_maintainedIndexWithoutTriggers_isAProblem() throws SQLException {
    OrderShards shards = shards();
    shards.applyWith(OrderShards.WITH_INDEX);
    CatalogIndex index;
    try (Catalog catalog = Catalog.open(shards.configuration(OrderShards.WITH_INDEX))) {
      index =
          catalog.changeIndex(
              catalog.load().indexes().get("orders.by_status"), IndexState.WRITE_ONLY);
    }

    assertThat(shards.applyWith(OrderShards.WITH_INDEX).problems())
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.message())
                  .startsWith("triggers of lookup index orders.by_status are missing, or");
              assertThat(problem.shards()).hasSize(2);
            });
    for (String url : shards.shards()) {
      try (Connection connection = TestingConfiguration.connect(url)) {
        LookupIndex found =
            LookupIndex.find(
                    shards.configuration().product(),
                    shards.configuration(OrderShards.WITH_INDEX).groups().get("orders"),
                    shards
                        .configuration(OrderShards.WITH_INDEX)
                        .groups()
                        .get("orders")
                        .indexes()
                        .get("by_status"),
                    ShardInspector.inspect(connection, List.of("orders", "items")))
                .orElseThrow();
        assertThat(found.types()).hasSize(1).containsAnyOf(KeyType.TEXT, KeyType.FOLDED_TEXT);
        IndexObjects.of(found, shards.configuration())
            .installTriggers(connection, index.version(), IndexObjects.LockWait.DEFAULT);
      }
    }
    assertThat(shards.applyWith(OrderShards.WITH_INDEX).problems()).isEmpty();

    // An empty table in the place of a lost one would answer that there are no rows.
    try (Connection connection = TestingConfiguration.connect(shards.shards().get(0));
        Statement statement = connection.createStatement()) {
      statement.execute("DROP TABLE " + new IndexName("orders", "by_status").entryTable());
    }
    assertThat(shards.applyWith(OrderShards.WITH_INDEX).problems())
        .singleElement()
        .satisfies(problem -> assertThat(problem.message()).contains("are gone"));
  }

  @Test
  void run_constraintThatAnIndexGuards_isToldHowItShouldBe() throws SQLException {
    OrderShards shards =
        shards().everywhere("ALTER TABLE orders ADD CONSTRAINT orders_status UNIQUE (status)");
    String decided =
        OrderShards.WITH_INDEX
            .replace("orders:\n", "orders:\n")
            .replace("        orders:\n", "        orders: {unique: {orders_status: index}}\n")
            .replace("      orders:\n", "      orders: {unique: {orders_status: index}}\n");

    ApplyReport alone = shards.applyWith(decided);
    assertThat(alone.problems()).isEmpty();
    assertThat(alone.warnings())
        .anyMatch(
            warning ->
                warning.message().startsWith("orders_status is guarded over all shards")
                    && warning.action().contains("(bucket_id, status)"));
    assertThat(
            problems(shards, decided.replace(BY_STATUS, "columns: [country], "), f -> f.action()))
        .anyMatch(action -> action.contains("{table: orders, columns: [status], unique: true}"));

    shards.everywhere("ALTER TABLE orders DROP CONSTRAINT orders_status");
    shards.everywhere("ALTER TABLE orders ADD CONSTRAINT orders_status UNIQUE (bucket_id, status)");
    assertThat(shards.applyWith(decided).warnings()).isEmpty();
  }

  private static String with(String declared) {
    return OrderShards.WITH_INDEX.replace(BY_STATUS, declared);
  }

  private static List<String> problems(
      OrderShards shards, String groups, Function<Finding, String> part) {
    return shards.applyWith(groups).problems().stream().map(part).toList();
  }
}
