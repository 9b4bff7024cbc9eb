package io.shardwright.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.KeyType;
import io.shardwright.routing.ScatterPolicy;
import io.shardwright.routing.ScatterRule;
import io.shardwright.routing.ShardId;
import io.shardwright.sql.Schema.LookupIndex;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LookupPlanTest {
  private static final LookupIndex BY_STATUS =
      new LookupIndex(
          "orders.by_status", List.of("status"), List.of(KeyType.INTEGER), List.of("order_id"));
  private static final LookupIndex BY_AMOUNT =
      new LookupIndex(
          "orders.by_amount",
          List.of("amount_cent", "created_at"),
          List.of(KeyType.INTEGER, KeyType.INTEGER),
          List.of("order_id"));

  private static final Planner PLANNER = new Planner(indexed());

  private static Schema indexed() {
    Map<String, Schema.Table> tables = new HashMap<>(Plans.SCHEMA.tables());
    tables.compute("orders", (name, table) -> table.with(List.of(BY_STATUS, BY_AMOUNT)));
    return new Schema(Plans.SCHEMA.dialect(), tables);
  }

  /** Index entries in memory. */
  private static final class Entries implements RouteContext {
    private final Map<List<Object>, Set<BucketId>> entries = new HashMap<>();
    private final List<String> asked = new ArrayList<>();
    private boolean readable = true;

    Entries with(int bucket, Object... values) {
      entries
          .computeIfAbsent(canonical(Arrays.asList(values)), v -> new LinkedHashSet<>())
          .add(new BucketId(bucket));
      return this;
    }

    private static List<Object> canonical(List<Object> values) {
      return values.stream().map(v -> KeyType.INTEGER.canonical(v).orElseThrow()).toList();
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
    public Optional<Set<BucketId>> lookUp(LookupIndex index, List<List<Object>> values) {
      if (!readable) {
        return Optional.empty();
      }
      asked.add(index.name() + values);
      Set<BucketId> buckets = new LinkedHashSet<>();
      values.forEach(v -> buckets.addAll(entries.getOrDefault(canonical(v), Set.of())));
      return Optional.of(buckets);
    }
  }

  private static Route route(Entries entries, String sql, Object... parameters) {
    return PLANNER.plan(sql).route(Arrays.asList(parameters), group -> Plans.MAP, entries);
  }

  private static List<Integer> buckets(Route route) {
    return route.statements().stream()
        .flatMap(statement -> statement.buckets().stream())
        .map(BucketId::value)
        .toList();
  }

  @Test
  void oneValueGoesToTheBucketOfItsEntry() {
    Route route = route(new Entries().with(77, 5), "SELECT * FROM orders WHERE status = ?", 5);
    assertThat(buckets(route)).containsExactly(77);
    assertThat(route.statements().get(0).text().sql())
        .isEqualTo("SELECT * FROM orders WHERE orders.bucket_id = ? AND ( status = ?)");
    assertThat(route.reason()).isEqualTo("lookup index orders.by_status (status) of orders");
  }

  @Test
  void noEntryIsOneShardThatFindsNothing() {
    Route route = route(new Entries(), "SELECT count(*) FROM orders WHERE status = 5");
    assertThat(route.statements()).hasSize(1);
    assertThat(route.statements().get(0).text().sql()).endsWith("status = 5)");
  }

  @Test
  void severalValuesAreAskedAtOnceAndGroupedByShard() {
    Entries entries = new Entries().with(1, 5).with(2, 6).with(4000, 7);
    Route route = route(entries, "SELECT * FROM orders WHERE status IN (5, ?, 7, 5, NULL, 8)", 6);
    assertThat(entries.asked).containsExactly("orders.by_status[[5], [6], [7], [8]]");
    assertThat(route.shards()).containsExactly(new ShardId("s0"), new ShardId("s3"));
    assertThat(buckets(route)).containsExactly(1, 2, 4000);
  }

  @Test
  void allCandidatesOfAValueAreVisited() {
    Route route =
        route(new Entries().with(1, 5).with(4000, 5), "DELETE FROM orders WHERE status = 5");
    assertThat(buckets(route)).containsExactly(1, 4000);
  }

  @Test
  void aKeyIsNeverLookedUp() {
    Entries entries = new Entries();
    Route route =
        route(
            entries,
            "UPDATE orders SET amount_cent = 1 WHERE tenant_id = 1 AND buyer_id = 2 AND status = 5");
    assertThat(entries.asked).isEmpty();
    assertThat(route.statements()).hasSize(1);
  }

  @Test
  void aBranchByKeyAndOneByIndexGoTogether() {
    Entries entries = new Entries().with(4000, 5);
    Route route =
        route(entries, "SELECT * FROM orders WHERE (tenant_id = 1 AND buyer_id = 2) OR status = 5");
    assertThat(entries.asked).hasSize(1);
    assertThat(buckets(route)).contains(4000).hasSize(2);
  }

  @Test
  void anIndexOfSeveralColumnsWantsThemAll() {
    Entries entries = new Entries().with(9, 1, 2);
    assertThat(
            buckets(
                route(
                    entries,
                    "SELECT * FROM orders o WHERE o.created_at = 2 AND 1 = o.amount_cent")))
        .containsExactly(9);
    assertThatThrownBy(() -> route(entries, "SELECT * FROM orders WHERE amount_cent = 1"))
        .isInstanceOf(ShardwrightException.class);
  }

  @Test
  void tiedTablesFollow() {
    Route route =
        route(
            new Entries().with(77, 5),
            "SELECT i.quantity FROM orders o LEFT JOIN order_items i ON i.order_id = o.order_id"
                + " WHERE o.status = 5");
    assertThat(buckets(route)).containsExactly(77);
    assertThat(route.statements().get(0).text().sql())
        .contains("o.bucket_id = ?")
        .contains("i.bucket_id = ?");
  }

  @Test
  void theOptionalSideOfAJoinPinsNothing() {
    Entries entries = new Entries().with(77, 5);
    assertThatThrownBy(
            () ->
                route(
                    entries,
                    "SELECT * FROM order_items i LEFT JOIN orders o"
                        + " ON i.order_id = o.order_id AND o.status = 5"))
        .isInstanceOf(ShardwrightException.class);
  }

  @Test
  void whatIsNotReadableIsNotUsed() {
    Entries entries = new Entries().with(77, 5);
    entries.readable = false;
    assertThatThrownBy(() -> route(entries, "SELECT * FROM orders WHERE status = 5"))
        .isInstanceOf(ShardwrightException.class)
        .hasMessageContaining("SW205");
  }

  @Test
  void aCastToAnotherTypeIsForTheDatabase() {
    Entries entries = new Entries().with(77, 5);
    assertThatThrownBy(() -> route(entries, "SELECT * FROM orders WHERE status = ?::text", "5"))
        .isInstanceOf(ShardwrightException.class);
    assertThat(entries.asked).isEmpty();
  }

  @Test
  void writesTellWhatEntriesTheyCanChange() {
    assertThat(maintained("INSERT INTO orders (tenant_id, buyer_id) VALUES (1, 2)"))
        .containsExactly(BY_STATUS, BY_AMOUNT);
    assertThat(maintained("DELETE FROM orders WHERE tenant_id = 1 AND buyer_id = 2"))
        .containsExactly(BY_STATUS, BY_AMOUNT);
    assertThat(maintained("UPDATE orders SET status = 3 WHERE tenant_id = 1 AND buyer_id = 2"))
        .containsExactly(BY_STATUS);
    assertThat(
            maintained("UPDATE order_items SET quantity = 3 WHERE tenant_id = 1 AND buyer_id = 2"))
        .isEmpty();
    assertThat(maintained("SELECT * FROM orders WHERE status = 1")).isEmpty();
  }

  private static List<LookupIndex> maintained(String sql) {
    return PLANNER.plan(sql).maintained();
  }
}
