package io.shardwright.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.shardwright.server.TestingGateway.Answer;
import io.shardwright.server.TestingGateway.Kind;
import io.shardwright.server.TestingGateway.Row;
import io.shardwright.testkit.TcpProxy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** An answer is of the shards that it names, and of no others; a subclass for each database. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class CompletenessContract {
  private static final Instant DAY = Instant.parse("2011-11-01T00:00:00Z");
  private static final int SHARDS = 4;
  private static final int ROUNDS = 40;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** No shard rests before the tests have seen what they want: each heals in time. */
  private static final String QUERY =
      TestingGateway.QUERY
          .replace("shard_timeout: 1s", "shard_timeout: 150ms")
          .replace("timeout: 2s", "timeout: 400ms");

  private final List<Set<Long>> idsOfShard = new ArrayList<>();
  private TestingGateway gateway;

  abstract Kind kind();

  @BeforeAll
  void open() throws SQLException {
    gateway = new TestingGateway(kind(), SHARDS, QUERY);
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      rows.add(new Row(1_000 + i, i, 1, 1, 1L, "n", DAY.plusSeconds(i), null));
    }
    gateway.insert(rows);
    for (int shard = 0; shard < SHARDS; shard++) {
      Set<Long> ids = new TreeSet<>();
      try (Connection connection = gateway.direct(shard);
          Statement statement = connection.createStatement();
          ResultSet found = statement.executeQuery("SELECT order_id FROM orders")) {
        while (found.next()) {
          ids.add(found.getLong(1));
        }
      }
      assertThat(ids).isNotEmpty();
      idsOfShard.add(ids);
    }
  }

  @AfterAll
  void close() {
    gateway.close();
  }

  @BeforeEach
  void heal() {
    for (int shard = 0; shard < SHARDS; shard++) {
      gateway.proxy(shard).heal();
    }
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!ask("fail").body().path("complete").asBoolean()) {
      assertThat(System.nanoTime()).as("all shards are back in time").isLessThan(deadline);
    }
  }

  private Answer ask(String onPartial) {
    return gateway.query(
        """
        {"table": "orders", "select": ["order_id"], "limit": 100, "onPartial": "%s",
         "time": {"column": "created_at", "from": "2011-11-01T00:00:00Z",
                  "to": "2011-11-02T00:00:00Z"}}
        """
            .formatted(onPartial));
  }

  private static Set<Integer> missing(JsonNode completeness) {
    Set<Integer> missing = new TreeSet<>();
    for (JsonNode shard : completeness.path("missing")) {
      assertThat(shard.path("reason").asText()).isNotBlank();
      missing.add(Integer.valueOf(shard.path("shard").asText().substring(1)));
    }
    return missing;
  }

  private void takeDown(int shard) {
    gateway.proxy(shard).refuse();
    gateway.proxy(shard).cut();
  }

  @Test
  void shardDown_failsTheQueryAndIsNamed() {
    takeDown(1);

    Answer answer = ask("fail");

    assertThat(answer.status()).isEqualTo(503);
    assertThat(answer.code()).isEqualTo("SW803");
    assertThat(answer.message()).contains("3 of 4 shards answered", "s1");
    assertThat(answer.body().path("error").path("retryable").asBoolean()).isTrue();
    assertThat(missing(answer.body().path("error").path("completeness"))).containsExactly(1);
  }

  @Test
  void shardDown_partialIsTheRowsOfTheOthers() {
    takeDown(1);

    Answer answer = ask("partial");

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.body().path("complete").asBoolean()).isFalse();
    assertThat(missing(answer.body().path("completeness"))).containsExactly(1);
    assertThat(new HashSet<>(answer.ids())).isEqualTo(idsWithout(Set.of(1)));
  }

  private Set<Long> idsWithout(Set<Integer> missing) {
    Set<Long> ids = new HashSet<>();
    for (int shard = 0; shard < SHARDS; shard++) {
      if (!missing.contains(shard)) {
        ids.addAll(idsOfShard.get(shard));
      }
    }
    return ids;
  }

  @Test
  void slowShard_isNotWaitedForBeyondTheTime() {
    gateway.proxy(2).delay(Duration.ofSeconds(3));
    long start = System.nanoTime();

    Answer answer = ask("partial");

    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofMillis(1_500));
    assertThat(answer.status()).isEqualTo(200);
    assertThat(missing(answer.body().path("completeness"))).containsExactly(2);
    assertThat(answer.body().path("completeness").path("retries").asInt()).isEqualTo(1);
  }

  @Test
  void pageBehindAPartialOne_saysSo() {
    takeDown(1);
    String first =
        """
        {"table": "orders", "select": ["order_id"], "limit": 5, "onPartial": "partial",
         "time": {"column": "created_at", "from": "2011-11-01T00:00:00Z",
                  "to": "2011-11-02T00:00:00Z"}, "cursor": %s}
        """;
    String cursor = gateway.query(first.formatted("null")).body().path("nextCursor").asText();
    heal();

    Answer next = gateway.query(first.formatted("\"" + cursor + "\""));

    assertThat(next.body().path("complete").asBoolean()).isTrue();
    assertThat(next.body().path("precedingComplete").asBoolean()).isFalse();
    assertThat(gateway.query(first.formatted("null")).body().path("precedingComplete").asBoolean())
        .isTrue();
  }

  @Test
  void allShardsDown_isAnError() {
    for (int shard = 0; shard < SHARDS; shard++) {
      takeDown(shard);
    }
    Answer answer = ask("partial");

    assertThat(answer.status()).isIn(503, 504);
    assertThat(answer.code()).isIn("SW401", "SW406");
  }

  @Test
  void shardThatKeepsFailing_isNotAskedForAWhile() {
    takeDown(3);
    String reason = "";
    for (int i = 0; i < 10 && !reason.contains("in a row failed"); i++) {
      reason = ask("partial").body().at("/completeness/missing/0/reason").asText();
    }
    assertThat(reason).contains("shard s3 was not asked", "in a row failed");
  }

  /** Each shard is well, down, slow or silent, at random and anew for each query. */
  @Test
  void completeness_neverLies() {
    RandomGenerator random = new SplittableRandom(20111101);
    int complete = 0;
    int partial = 0;
    for (int round = 0; round < ROUNDS; round++) {
      for (int shard = 0; shard < SHARDS; shard++) {
        harm(gateway.proxy(shard), random.nextInt(10));
      }
      boolean all = random.nextInt(3) == 0;
      Answer answer = ask(all ? "fail" : "partial");
      if (answer.status() != 200) {
        assertThat(answer.status()).as("%s", answer.body()).isIn(503, 504);
        assertThat(answer.body().path("rows")).isEmpty();
        continue;
      }
      Set<Integer> missing = missing(answer.body().path("completeness"));
      assertThat(answer.body().path("complete").asBoolean()).isEqualTo(missing.isEmpty());
      assertThat(answer.body().path("completeness").path("expected")).hasSize(SHARDS);
      assertThat(answer.body().path("completeness").path("answered"))
          .hasSize(SHARDS - missing.size());
      assertThat(answer.ids()).doesNotHaveDuplicates();
      assertThat(new HashSet<>(answer.ids())).as("round %s", round).isEqualTo(idsWithout(missing));
      assertThat(all && !missing.isEmpty()).as("all or none").isFalse();
      complete += missing.isEmpty() ? 1 : 0;
      partial += missing.isEmpty() ? 0 : 1;
    }
    assertThat(complete).as("complete answers").isPositive();
    assertThat(partial).as("partial answers").isPositive();
  }

  private static void harm(TcpProxy proxy, int how) {
    proxy.heal();
    switch (how) {
      case 0 -> {
        proxy.refuse();
        proxy.cut();
      }
      case 1 -> proxy.cut();
      case 2 -> proxy.stall();
      case 3 -> proxy.delay(Duration.ofMillis(60));
      case 4 -> proxy.delay(Duration.ofMillis(500));
      default -> {}
    }
  }
}
