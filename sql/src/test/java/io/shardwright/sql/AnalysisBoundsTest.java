package io.shardwright.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.errors.ShardwrightException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Large and deep statements: planned in a time that grows with the text, or refused. */
class AnalysisBoundsTest {
  /** Less than any server thread has. */
  private static final long STACK_BYTES = 256 * 1024;

  private static final long PLAN_MILLIS = 50;

  /** A statement that costs far more than its length has no business in production. */
  private static final long HUGE_PLAN_MILLIS = 5_000;

  private static final String WHERE =
      "SELECT status FROM orders WHERE tenant_id = 1 AND buyer_id = 2";

  @Test
  void manyOrGroups_inNestedParentheses_areFast() throws Exception {
    String groups =
        repeat(20, i -> "(status = " + i + " OR amount_cent > " + i + " OR order_id = ?)", " AND ");
    String nested = "(".repeat(30) + "status = 1" + ")".repeat(30);
    for (String sql :
        List.of(
            WHERE + " AND " + groups,
            "SELECT status FROM orders WHERE " + groups,
            WHERE + " AND " + nested,
            "SELECT status FROM orders WHERE " + nested,
            "SELECT status FROM orders WHERE "
                + "(status = 1 OR ".repeat(30)
                + "true"
                + ")".repeat(30),
            "SELECT status FROM orders WHERE "
                + repeat(
                    20, i -> "(tenant_id = 1 AND buyer_id = " + i + " OR status = 1)", " AND "),
            "SELECT "
                + "(".repeat(30)
                + "status"
                + ")".repeat(30)
                + " FROM orders WHERE "
                + groups)) {
      long best = Long.MAX_VALUE;
      for (int i = 0; i < 20 && best > PLAN_MILLIS; i++) {
        long start = System.nanoTime();
        Plans.PLANNER.plan(sql);
        best = Math.min(best, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
      }
      assertThat(best).as(sql).isLessThanOrEqualTo(PLAN_MILLIS);
    }
  }

  static List<String> large() {
    return List.of(
        "SELECT status FROM orders WHERE " + repeat(3_000, i -> "status = " + i, " OR "),
        WHERE + " AND (" + repeat(3_000, i -> "status = " + i, " OR ") + ")",
        "SELECT status FROM orders WHERE "
            + repeat(3_000, i -> "(tenant_id = 1 AND buyer_id = " + i + ")", " OR "),
        WHERE + " AND " + repeat(3_000, i -> "status <> " + i, " AND "),
        WHERE + " AND " + repeat(3_000, i -> "(status = 1 OR status = " + i + ")", " AND "),
        "INSERT INTO orders (tenant_id, buyer_id, order_id, status) VALUES "
            + repeat(5_000, i -> "(" + i + ", 2, NULL, 'x')", ", "),
        "SELECT status FROM orders WHERE tenant_id = 1 AND buyer_id IN ("
            + repeat(5_000, i -> "" + i, ", ")
            + ")",
        WHERE + " AND " + "NOT ".repeat(5_000) + "true",
        WHERE + " AND amount_cent = " + "- ".repeat(5_000) + "1",
        WHERE + " AND amount_cent = " + repeat(5_000, i -> "1", " + "),
        "SELECT " + repeat(2_000, i -> "status AS s" + i, ", ") + " FROM orders ORDER BY s1, s1999",
        "SELECT "
            + "CASE WHEN true THEN ".repeat(500)
            + "1"
            + " END".repeat(500)
            + " FROM orders "
            + "WHERE status = 1",
        "SELECT status FROM orders WHERE status = "
            + "(".repeat(150)
            + repeat(500, i -> "1", " + ")
            + ")".repeat(150));
  }

  @ParameterizedTest
  @MethodSource
  void large(String sql) throws Exception {
    long start = System.nanoTime();
    inSmallStack(() -> Plans.PLANNER.plan(sql));
    assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start))
        .isLessThan(HUGE_PLAN_MILLIS);
  }

  static List<String> deep() {
    return List.of(
        "SELECT " + "(".repeat(10_000) + "1" + ")".repeat(10_000),
        WHERE + " AND " + "(".repeat(10_000) + "true" + ")".repeat(10_000),
        WHERE + " AND status = " + "abs(".repeat(10_000) + "1" + ")".repeat(10_000),
        WHERE
            + " AND status IN "
            + "(SELECT 1 WHERE 1 IN ".repeat(5_000)
            + "(1)"
            + ")".repeat(5_000),
        "INSERT INTO orders (tenant_id, buyer_id) VALUES (1, "
            + "(".repeat(10_000)
            + "1"
            + ")".repeat(10_000)
            + ")",
        "SELECT " + "ARRAY[".repeat(10_000) + "1" + "]".repeat(10_000));
  }

  @ParameterizedTest
  @MethodSource
  void deep(String sql) {
    assertThatThrownBy(() -> inSmallStack(() -> Plans.PLANNER.plan(sql)))
        .hasMessageContaining("SW211");
  }

  static List<String> longChains() {
    return List.of(
        "SELECT status FROM orders WHERE "
            + repeat(
                200,
                i -> "tenant_id = 1 AND buyer_id = " + i,
                " UNION ALL SELECT status FROM orders WHERE "),
        "WITH "
            + repeat(200, i -> "c" + i + " AS (SELECT 1)", ", ")
            + " SELECT status FROM orders WHERE tenant_id = 1 AND buyer_id = 2",
        "SELECT 1 FROM orders o0 "
            + repeat(
                100, i -> "JOIN order_items i" + i + " ON i" + i + ".order_id = o0.order_id", " ")
            + " WHERE o0.order_id = 1727600");
  }

  /** Answered or refused, soon, and with no stack overflow. */
  @ParameterizedTest
  @MethodSource
  void longChains(String sql) throws Exception {
    long start = System.nanoTime();
    try {
      inSmallStack(() -> Plans.PLANNER.plan(sql));
    } catch (ShardwrightException e) {
      assertThat(e.code().code()).startsWith("SW2");
    }
    assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start))
        .isLessThan(HUGE_PLAN_MILLIS);
  }

  private static String repeat(int count, IntFunction<String> item, String between) {
    return IntStream.range(0, count).mapToObj(item).collect(Collectors.joining(between));
  }

  private static <T> T inSmallStack(Callable<T> work) throws Exception {
    FutureTask<T> task = new FutureTask<>(work);
    Thread thread = new Thread(null, task, "small-stack", STACK_BYTES);
    thread.start();
    try {
      return task.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof ShardwrightException cause) {
        throw cause;
      }
      throw e;
    }
  }
}
