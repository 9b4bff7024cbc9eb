package io.shardwright.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.BucketFunction;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.BucketMap;
import io.shardwright.routing.HashAlgorithm;
import io.shardwright.routing.KeyType;
import io.shardwright.routing.ScatterPolicy;
import io.shardwright.routing.ScatterRule;
import io.shardwright.routing.ShardId;
import io.shardwright.sql.ListIndex.Covering;
import io.shardwright.sql.ListIndex.Row;
import io.shardwright.sql.ListUse.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ListPlanTest {
  // Long because: the index that answers these plans serves all of them.

  private static final BucketFunction FUNCTION =
      new BucketFunction(List.of(KeyType.INTEGER), HashAlgorithm.XXH64, 4096);

  private static final BucketMap ENTRIES_MAP =
      BucketMap.initial(
          "orders.by_status",
          4096,
          List.of(new ShardId("s0"), new ShardId("s1"), new ShardId("s2"), new ShardId("s3")));

  /** The status 7 has entries in four buckets. */
  private static final ListIndex.EntryBuckets BUCKETS =
      new ListIndex.EntryBuckets() {
        @Override
        public List<BucketId> of(List<?> values) {
          BucketId first = FUNCTION.bucket(values).orElseThrow();
          return KeyType.INTEGER.canonical(values.get(0)).orElseThrow().equals(7L)
              ? LongStream.range(0, 4)
                  .mapToObj(i -> new BucketId((int) ((first.value() + i * 1024) % 4096)))
                  .toList()
              : List.of(first);
        }

        @Override
        public boolean isSpread() {
          return true;
        }
      };

  private static final ListIndex BY_STATUS =
      new ListIndex(
          "shardwright_list_orders_by_status",
          new Schema.Sharding(
              "orders.by_status",
              List.of("status"),
              FUNCTION,
              Optional.empty(),
              List.of(),
              Optional.of(BUCKETS)),
          List.of("status", "created_at"),
          Map.of("amount_cent", Covering.STALE_OK, "tenant_id", Covering.CHECK),
          List.of("order_id"));

  private static final Planner PLANNER = new Planner(indexed());

  private static Schema indexed() {
    Map<String, Schema.Table> tables = new HashMap<>(Plans.SCHEMA.tables());
    tables.compute("orders", (name, table) -> table.withLists(List.of(BY_STATUS)));
    return new Schema(Plans.SCHEMA.dialect(), tables);
  }

  /** An index that names these rows, whatever it is asked. */
  private static final class Index implements RouteContext, ListAccess {
    private final List<String> asked = new ArrayList<>();
    private final List<List<Integer>> parameters = new ArrayList<>();
    private final List<Row> rows = new ArrayList<>();
    private final List<Row> pending = new ArrayList<>();
    private boolean readable = true;
    private boolean complete;
    private int pageFactor = 1;

    Index with(int bucket, long id) {
      rows.add(new Row(new BucketId(bucket), List.of(id)));
      return this;
    }

    Index with(int count) {
      LongStream.range(0, count).forEach(id -> with((int) id % 4096, id));
      return this;
    }

    Index waiting(int bucket, long id) {
      pending.add(new Row(new BucketId(bucket), List.of(id)));
      return this;
    }

    @Override
    public ScatterRule reads(String group) {
      return new ScatterRule(ScatterPolicy.REFUSE, "test");
    }

    @Override
    public ScatterRule writes(String group) {
      return new ScatterRule(ScatterPolicy.REFUSE, "test");
    }

    @Override
    public Optional<ListAccess> open(
        ListIndex index, List<List<Object>> values, boolean withoutLoss) {
      return readable && (complete || !withoutLoss) ? Optional.of(this) : Optional.empty();
    }

    @Override
    public List<Row> pending() {
      return pending;
    }

    @Override
    public int pageFactor() {
      return pageFactor;
    }

    @Override
    public List<Row> rows(Merge.Part keys) {
      assertThat(keys.route().readsEntries()).isTrue();
      asked.add(keys.plan().sql());
      parameters.add(keys.parameters());
      return rows;
    }
  }

  private static Route route(Index index, String sql, Object... parameters) {
    return PLANNER
        .plan(sql)
        .route(
            Arrays.asList(parameters),
            group -> group.equals("orders") ? Plans.MAP : ENTRIES_MAP,
            index);
  }

  private static Path path(Route route) {
    return route.list().orElseThrow().path();
  }

  private static String only(Route route) {
    assertThat(route.statements()).hasSize(1);
    return route.statements().get(0).text().sql();
  }

  @Test
  void whatEntriesHoldIsReadFromThem() {
    Route route =
        route(
            new Index(),
            "SELECT order_id, amount_cent FROM orders WHERE status = ? AND created_at > ?"
                + " ORDER BY created_at DESC LIMIT 20",
            5,
            "2026-01-01T00:00:00Z");
    assertThat(path(route)).isEqualTo(Path.COVERED);
    assertThat(only(route))
        .isEqualTo(
            "SELECT order_id, amount_cent FROM \"shardwright_list_orders_by_status\" AS orders"
                + " WHERE orders.bucket_id = ? AND ( status = ? AND created_at > ?)"
                + " ORDER BY created_at DESC LIMIT 20");
    assertThat(route.statements().get(0).buckets())
        .containsExactly(FUNCTION.bucket(List.of(5)).orElseThrow());
    assertThat(route.reason())
        .isEqualTo("list index orders.by_status (status) of orders, its entries answer");
  }

  @Test
  void anAliasStays() {
    assertThat(
            only(
                route(
                    new Index(),
                    "SELECT count(*), o.status FROM orders AS o WHERE o.status = 5"
                        + " GROUP BY o.status")))
        .contains("FROM \"shardwright_list_orders_by_status\" AS o WHERE o.bucket_id = ?");
  }

  @Test
  void aValueWithManyRowsIsReadInItsBuckets() {
    Route route =
        route(
            new Index(),
            "SELECT order_id FROM orders WHERE status = 7 ORDER BY created_at LIMIT 5 OFFSET 2");
    assertThat(path(route)).isEqualTo(Path.COVERED);
    assertThat(route.statements()).hasSize(4);
    assertThat(route.merge()).isInstanceOf(Merge.Ordered.class);
    // Groups of such a value are on several shards.
    Route groups =
        route(
            new Index(),
            "SELECT status, count(*) FROM orders WHERE status IN (5, 7) GROUP BY status");
    assertThat(groups.merge()).isInstanceOf(Merge.Aggregate.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT * FROM orders WHERE status = 5",
        "SELECT orders FROM orders WHERE status = 5",
        "SELECT buyer_id FROM orders WHERE status = 5",
        "SELECT tenant_id FROM orders WHERE status = 5",
        "SELECT order_id FROM orders WHERE status = 5 AND tenant_id = 1",
        "SELECT bucket_id FROM orders WHERE status = 5",
        "SELECT order_id FROM orders WHERE status = 5 AND buyer_id > 3",
        "SELECT order_id FROM ONLY orders WHERE status = 5",
        "SELECT order_id FROM orders WHERE status = 5"
            + " AND EXISTS (SELECT 1 FROM countries c WHERE c.tenant_id = order_id)",
      })
  void whatEntriesLackIsReadFromTheRows(String sql) {
    Index index = new Index().with(77, 1).with(4000, 2).with(77, 3);
    Route route = route(index, sql);
    assertThat(path(route)).isEqualTo(Path.KEYS);
    assertThat(index.asked).hasSize(1);
    assertThat(route.shards()).containsExactly(new ShardId("s0"), new ShardId("s3"));
  }

  @Test
  void rowsAreAskedByTheirKeys() {
    Index index = new Index().with(77, 1).with(4000, 2).with(77, 3);
    Route route =
        route(
            index,
            "SELECT * FROM orders WHERE status = ? AND buyer_id > ? AND tenant_id = 1",
            5,
            6);
    assertThat(index.asked)
        .containsExactly(
            "SELECT orders.shardwright_row_bucket, orders.\"order_id\" FROM"
                + " \"shardwright_list_orders_by_status\" AS orders WHERE (status = ?) AND"
                + " (tenant_id = 1) LIMIT 1001");
    Route.ShardStatementText text = route.statements().get(0).text();
    assertThat(text.sql())
        .isEqualTo(
            "SELECT * FROM orders WHERE orders.bucket_id = ? AND orders.\"order_id\" IN (?, ?)"
                + " AND ( status = ? AND buyer_id > ? AND tenant_id = 1)");
    assertThat(text.arguments())
        .containsExactly(
            new Route.Argument.Int64(77),
            new Route.Argument.Given(1L),
            new Route.Argument.Given(3L),
            new Route.Argument.Parameter(0),
            new Route.Argument.Parameter(1));
    assertThat(route.reason())
        .isEqualTo("list index orders.by_status (status) of orders, keys of all rows: 3");
  }

  @Test
  void severalBucketsOfAShardAreJoinedByOr() {
    assertThat(
            only(
                route(
                    new Index().with(1, 10).with(2, 20).with(1, 10),
                    "SELECT * FROM orders WHERE status = 5")))
        .contains(
            "WHERE ((orders.bucket_id = ? AND orders.\"order_id\" IN (?)) OR"
                + " (orders.bucket_id = ? AND orders.\"order_id\" IN (?))) AND (");
  }

  @Test
  void aPageAsksForItsKeysOnly() {
    Index index = new Index().with(77, 1).with(4000, 2);
    Route route =
        route(
            index,
            "SELECT buyer_id, amount_cent AS a FROM orders o WHERE o.status IN (?, 6) AND tenant_id = ?"
                + " ORDER BY a, o.created_at DESC NULLS LAST LIMIT ? OFFSET 1",
            5,
            1,
            1);
    assertThat(path(route)).isEqualTo(Path.PAGE);
    assertThat(index.asked)
        .containsExactly(
            "SELECT o.shardwright_row_bucket, o.\"order_id\" FROM"
                + " \"shardwright_list_orders_by_status\" AS o WHERE (o.status IN (?, 6) AND"
                + " tenant_id = ?) ORDER BY amount_cent, o.created_at DESC NULLS LAST LIMIT 2");
    assertThat(route.list().orElseThrow().unfilled()).isPresent();
  }

  @Test
  void aPageThatWasShortAsksForMore() {
    Index index = new Index().with(77, 1).with(4000, 2);
    index.pageFactor = 4;
    Route route =
        route(index, "SELECT * FROM orders WHERE status = 5 ORDER BY created_at LIMIT 10");
    assertThat(index.asked.get(0)).endsWith("LIMIT 40");
    assertThat(route.list().orElseThrow().unfilled()).as("there are no more").isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT * FROM orders WHERE status = 5 AND buyer_id = 3 LIMIT 10",
        "SELECT * FROM orders WHERE status = 5 ORDER BY buyer_id LIMIT 10",
        "SELECT * FROM orders WHERE status = 5 ORDER BY created_at",
        "SELECT * FROM orders WHERE status = 5 ORDER BY created_at LIMIT 2000",
        "SELECT count(buyer_id) FROM orders WHERE status = 5 LIMIT 10",
        "SELECT DISTINCT buyer_id FROM orders WHERE status = 5 LIMIT 10",
        "SELECT buyer_id FROM orders WHERE status = 5 GROUP BY buyer_id LIMIT 10",
        "SELECT *, row_number() OVER (ORDER BY buyer_id) FROM orders WHERE status = 5 LIMIT 10",
        "SELECT * FROM orders WHERE status = 5 ORDER BY created_at FETCH FIRST 5 ROWS WITH TIES",
        "SELECT o.*, c.name FROM orders o, countries c WHERE status = 5 LIMIT 10",
      })
  void whatIsNoPageAsksForAllKeys(String sql) {
    Index index = new Index().with(77, 1);
    assertThat(path(route(index, sql))).isEqualTo(Path.KEYS);
    assertThat(index.asked).allMatch(key -> key.endsWith("LIMIT 1001"));
  }

  @Test
  void noRowsAreOneShardThatFindsNothing() {
    assertThat(only(route(new Index(), "SELECT count(buyer_id) FROM orders WHERE status = 5")))
        .contains("WHERE false AND (");
  }

  @Test
  void tiedTablesFollow() {
    assertThat(
            only(
                route(
                    new Index().with(77, 1),
                    "SELECT i.quantity FROM orders o LEFT JOIN order_items i"
                        + " ON i.order_id = o.order_id WHERE o.status = 5")))
        .contains("o.bucket_id = ? AND o.\"order_id\" IN (?)")
        .contains("i.bucket_id = ?");
  }

  @Test
  void rowsThatWaitAreAskedBesideThoseOfEntries() {
    Index index = new Index().with(77, 1).waiting(77, 9);
    Route covered = route(index, "SELECT order_id FROM orders WHERE status = 5 LIMIT 10");
    assertThat(path(covered)).isEqualTo(Path.PAGE);
    assertThat(index.asked.get(0)).endsWith("LIMIT 11");
    assertThat(covered.statements().get(0).text().arguments())
        .contains(new Route.Argument.Given(1L), new Route.Argument.Given(9L));
    assertThat(path(route(index, "SELECT sum(amount_cent) FROM orders WHERE status = 5")))
        .isEqualTo(Path.KEYS);
  }

  @Test
  void tooManyRowsAreAScan() {
    assertThatThrownBy(() -> route(new Index().with(1001), "SELECT * FROM orders WHERE status = 5"))
        .isInstanceOf(ShardwrightException.class)
        .hasMessageContaining("SW205")
        .hasMessageContaining("list index orders.by_status has more than 1000 rows for it");
    assertThat(route(new Index().with(1000), "SELECT * FROM orders WHERE status = 5").shards())
        .isNotEmpty();
  }

  @Test
  void anIndexThatMayLagServesNoWriteAndNoLock() {
    Index index = new Index().with(77, 1);
    String lock = "SELECT * FROM orders WHERE status = 5 FOR UPDATE";
    assertThatThrownBy(() -> route(index, lock)).hasMessageContaining("SW208");
    for (String sql :
        List.of(
            "UPDATE orders SET amount_cent = 1 WHERE status = 5",
            "DELETE FROM orders WHERE status = 5")) {
      assertThatThrownBy(() -> route(index, sql))
          .isInstanceOf(ShardwrightException.class)
          .hasMessageContaining("SW205")
          .hasMessageContaining("list index orders.by_status cannot be used for it now");
      index.complete = true;
      assertThat(path(route(index, sql))).isEqualTo(Path.KEYS);
      assertThat(path(route(index, lock))).isEqualTo(Path.KEYS);
      index.complete = false;
    }
  }

  @Test
  void whatIsNotReadableIsNotUsed() {
    Index index = new Index();
    index.readable = false;
    assertThatThrownBy(() -> route(index, "SELECT order_id FROM orders WHERE status = 5"))
        .isInstanceOf(ShardwrightException.class)
        .hasMessageContaining("SW205");
  }

  @Test
  void aKeyComesFirst() {
    Route route =
        route(
            new Index(),
            "SELECT order_id FROM orders WHERE tenant_id = 1 AND buyer_id = 2 AND status = 5");
    assertThat(route.list()).isEmpty();
    assertThat(route.reason()).startsWith("route key");
  }

  @Test
  void valuesThatEntriesCannotBeAskedForAreNotEnough() {
    assertThatThrownBy(
            () ->
                route(
                    new Index().with(77, 1),
                    "SELECT * FROM orders o JOIN countries c ON o.status = c.tenant_id"
                        + " WHERE c.tenant_id = 5"))
        .isInstanceOf(ShardwrightException.class)
        .hasMessageContaining("SW205");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT order_id FROM public.orders WHERE status = 5 LIMIT 5",
        "SELECT orders.order_id FROM public.orders WHERE orders.status = 5 LIMIT 5",
      })
  void aTableWithItsSchemaIsNoView(String sql) {
    Index index = new Index().with(77, 1);
    assertThat(path(route(index, sql))).isEqualTo(Path.PAGE);
    assertThat(index.asked.get(0))
        .contains("\"shardwright_list_orders_by_status\" AS orders WHERE");
  }

  @Test
  void aColumnWithTheSchemaIsNotOneOfTheView() {
    assertThatThrownBy(
            () ->
                route(
                    new Index().with(77, 1),
                    "SELECT order_id FROM orders WHERE public.orders.status = 5"))
        .hasMessageContaining("SW205");
    Index index = new Index().with(77, 1);
    route(index, "SELECT order_id FROM orders WHERE status = 5 AND public.orders.created_at > 1");
    assertThat(index.asked.get(0)).contains("WHERE (status = 5) LIMIT 1001");
  }

  @Test
  void aPartIsNoPageSinceItsRowsAreNotCounted() {
    Index index = new Index().with(77, 1);
    route(
        index,
        "/* shardwright: scatter=allow */ (SELECT buyer_id FROM orders WHERE status = ? LIMIT 1)"
            + " UNION (SELECT buyer_id FROM orders WHERE created_at > 5 AND status = ? LIMIT 1)",
        5,
        6);
    assertThat(index.asked).hasSize(2).allMatch(sql -> sql.endsWith("LIMIT 1001"));
    assertThat(index.parameters).containsExactly(List.of(0), List.of(1));
  }

  @Test
  void whatIsInsertedMustNotLackRows() {
    Index index = new Index().with(77, 1);
    String sql =
        "INSERT INTO orders (tenant_id, buyer_id, order_id) SELECT 1, 2, order_id FROM orders"
            + " WHERE status = 5";
    assertThatThrownBy(() -> route(index, sql)).hasMessageContaining("SW205");
    index.complete = true;
    assertThat(route(index, sql).lists()).containsExactly("orders.by_status");
  }

  @Test
  void partsOfAStatementUseIt() {
    Index index = new Index().with(77, 1);
    Route route =
        route(
            index,
            "/* shardwright: scatter=allow */ SELECT order_id FROM orders WHERE status = 5 UNION"
                + " SELECT order_id FROM orders WHERE status = 6");
    assertThat(((Merge.Gathered) route.merge()).parts())
        .extracting(part -> part.route().readsEntries())
        .containsExactly(true, true);
  }
}
