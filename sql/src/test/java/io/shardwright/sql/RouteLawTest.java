package io.shardwright.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.routing.BucketId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Law: a route never leaves out the bucket of a row that meets the condition. Random conditions
 * over a small domain are printed as SQL and evaluated here for every possible row. Repeat a
 * failure with -Dshardwright.seed=N.
 */
class RouteLawTest {
  private static final int CONDITIONS = 20_000;
  private static final int DOMAIN = 3;

  /** A row of orders; 0 to DOMAIN - 1 each. */
  private record Row(int tenant, int buyer, int status) {
    int value(String column) {
      return switch (column) {
        case "tenant_id" -> tenant;
        case "buyer_id" -> buyer;
        default -> status;
      };
    }
  }

  private interface RowTest {
    boolean test(Row row);
  }

  /**
   * A condition, its text and how strongly its outermost operator binds: 0 OR, 1 AND, 2 NOT, 3
   * atom.
   */
  private record Condition(RowTest test, String text, int binding) {
    String in(int context) {
      return binding < context ? "(" + text + ")" : text;
    }
  }

  @Test
  void route_anyCondition_reachesEveryMatchingRow() {
    long seed = Long.getLong("shardwright.seed", 20261129L);
    int narrowed = 0;
    for (int i = 0; i < CONDITIONS; i++) {
      Condition condition = condition(new Random(seed + i), 3);
      String sql = "select * from orders where " + condition.text();
      Route route = Plans.route(sql);
      Set<BucketId> routed =
          route.statements().stream()
              .flatMap(s -> s.buckets().stream())
              .collect(Collectors.toSet());
      boolean scatter = route.statements().stream().allMatch(s -> s.buckets().isEmpty());
      Set<BucketId> needed = new HashSet<>();
      for (Row row : rows()) {
        if (condition.test().test(row)) {
          needed.add(Plans.bucket(row.tenant(), row.buyer()));
        }
      }
      if (scatter && route.statements().size() == 4) {
        continue;
      }
      narrowed++;
      assertThat(routed).as("seed %d: %s", seed + i, sql).containsAll(needed);
    }
    assertThat(narrowed).as("conditions that pinned the key").isGreaterThan(CONDITIONS / 20);
  }

  private static List<Row> rows() {
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < DOMAIN * DOMAIN * DOMAIN; i++) {
      rows.add(new Row(i % DOMAIN, i / DOMAIN % DOMAIN, i / DOMAIN / DOMAIN));
    }
    return rows;
  }

  private static Condition condition(Random random, int depth) {
    if (depth == 0) {
      return atom(random);
    }
    Condition left = condition(random, depth - 1);
    Condition right = condition(random, depth - 1);
    return switch (random.nextInt(8)) {
      case 0, 1 ->
          new Condition(
              r -> left.test().test(r) || right.test().test(r),
              left.in(0) + word(random, " or ", " OR ") + right.in(0),
              0);
      case 2, 3, 4, 5 ->
          new Condition(
              r -> left.test().test(r) && right.test().test(r),
              left.in(1) + word(random, " and ", "\nAND\t") + right.in(1),
              1);
      case 6 -> new Condition(r -> !left.test().test(r), "not " + left.in(2), 2);
      default -> left;
    };
  }

  private static Condition atom(Random random) {
    String column =
        List.of("tenant_id", "buyer_id", "tenant_id", "buyer_id", "status").get(random.nextInt(5));
    String name = word(random, column, "orders." + column);
    int a = random.nextInt(DOMAIN);
    int b = random.nextInt(DOMAIN);
    return switch (random.nextInt(23)) {
      case 15 ->
          new Condition(
              r -> r.value(column) >= a,
              random.nextBoolean() ? name + " >= " + a : "not " + a + " > " + name,
              2);
      case 16 ->
          new Condition(
              r -> r.value(column) < b,
              random.nextBoolean() ? name + "<" + b : "not (" + name + "::bigint >= " + b + ")",
              2);
      case 17 ->
          new Condition(
              r -> r.value(column) == a, name + " is not distinct from " + a + "::numeric", 3);
      case 18 ->
          new Condition(
              r -> r.value(column) != a, name + word(random, " <> ", " is distinct from ") + a, 3);
      case 19 ->
          new Condition(
              r -> r.value(column) == a || r.value(column) == b,
              name + " = any ('{" + a + "," + b + "}'::int[])",
              3);
      case 20 ->
          new Condition(
              r -> r.value(column) != a && r.value(column) != b,
              name + " <> all ('{" + a + "," + b + "}')",
              3);
      case 21 -> truthTest(random, new Condition(r -> r.value(column) == a, name + " = " + a, 3));
      case 22 ->
          truthTest(
              random,
              new Condition(
                  r -> r.tenant() != a || r.buyer() == b,
                  "tenant_id <> " + a + " or buyer_id = " + b,
                  0));
      case 0, 1, 2 -> new Condition(r -> r.value(column) == a, name + " = " + a, 3);
      case 3 -> new Condition(r -> r.value(column) == a, a + " = " + name, 3);
      case 4 -> new Condition(r -> r.value(column) == a, "(" + name + ")=('" + a + "')", 3);
      case 5 ->
          new Condition(
              r -> r.value(column) == a || r.value(column) == b,
              name + " in (" + a + ", " + b + ")",
              3);
      case 6 -> new Condition(r -> r.value(column) == a, name + " in (" + a + ")", 3);
      case 7 -> new Condition(r -> r.value(column) != a, name + " not in (" + a + ")", 3);
      case 8 ->
          new Condition(
              r -> r.value(column) >= a && r.value(column) <= b,
              name + " between " + a + " and " + b,
              3);
      case 9 ->
          new Condition(
              r -> r.tenant() == a && r.buyer() == b,
              "(tenant_id, buyer_id) = (" + a + ", " + b + ")",
              3);
      case 10 ->
          new Condition(
              r -> (r.tenant() == a && r.buyer() == b) || (r.tenant() == b && r.buyer() == a),
              "(tenant_id, buyer_id) in ((" + a + "," + b + "), (" + b + "," + a + "))",
              3);
      case 13 ->
          new Condition(
              r -> r.value(column) == a || r.value(column) == b,
              name + " = any (array[" + a + ", " + b + "])",
              3);
      case 11 -> new Condition(r -> r.value(column) != a, name + " <> " + a, 3);
      case 12 ->
          new Condition(
              r -> r.status() == a ? r.tenant() == a : r.buyer() == b || r.tenant() == b,
              "case when status = "
                  + a
                  + " then tenant_id = "
                  + a
                  + " else buyer_id = "
                  + b
                  + " or tenant_id = "
                  + b
                  + " end",
              3);
      default -> new Condition(r -> r.tenant() == r.buyer(), "tenant_id = buyer_id", 3);
    };
  }

  /** No value is NULL here, so that IS NOT TRUE is IS FALSE. */
  private static Condition truthTest(Random random, Condition of) {
    boolean truth = random.nextBoolean();
    boolean negated = random.nextBoolean();
    String word =
        random.nextBoolean() ? (negated ? " <> " : " = ") : (negated ? " is not " : " is ");
    return new Condition(
        r -> (of.test().test(r) == truth) != negated, "(" + of.text() + ")" + word + truth, 3);
  }

  private static String word(Random random, String usual, String other) {
    return random.nextInt(4) == 0 ? other : usual;
  }
}
