package io.shardwright.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.server.TestingGateway.Answer;
import io.shardwright.server.TestingGateway.Kind;
import io.shardwright.server.TestingGateway.Row;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What keeps queries from costing too much; a subclass for each database. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class BoundsContract {
  private static final Instant DAY = Instant.parse("2011-11-01T00:00:00Z");
  private static final int ROWS = 75;
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private TestingGateway gateway;

  abstract Kind kind();

  @BeforeAll
  void open() {
    gateway = new TestingGateway(kind(), 2, TestingGateway.QUERY.replace("rate: 10000", "rate: 2"));
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      rows.add(new Row(i, i, i % 2, 1, 1L, "n", DAY.plusSeconds(i), DAY.plusSeconds(i)));
    }
    gateway.insert(rows);
  }

  @AfterAll
  void close() {
    gateway.close();
  }

  private Answer ask(String column, String more) {
    return gateway.query(
        """
        {"table": "orders", "select": ["order_id"], "limit": 10,
         "time": {"column": "%s", "from": "2011-11-01T00:00:00Z",
                  "to": "2011-11-02T00:00:00Z"}%s}
        """
            .formatted(column, more.isEmpty() ? "" : ", " + more));
  }

  @Test
  void query_thatNoIndexServes_isRefusedUntilThereIsOne() {
    Answer refused = ask("paid_at", "");

    assertThat(refused.status()).as("%s", refused.body()).isEqualTo(400);
    assertThat(refused.code()).isEqualTo("SW804");
    assertThat(refused.message())
        .contains("shards s0, s1", "CREATE INDEX ON orders (paid_at, order_id)");
    gateway.execute(0, "CREATE INDEX orders_paid ON orders (paid_at, order_id)");
    assertThat(await("paid_at", "on shard s1").message()).doesNotContain("s0");
    gateway.execute(1, "CREATE INDEX orders_paid ON orders (paid_at, order_id)");
    assertThat(await("paid_at", "").ids()).hasSize(10);
  }

  /** Until what was read of the indexes is old enough to be read again. */
  private Answer await(String column, String message) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    Answer answer;
    do {
      answer = ask(column, "");
      assertThat(System.nanoTime()).as("%s", answer.body()).isLessThan(deadline);
    } while (message.isEmpty() ? answer.status() != 200 : !answer.message().contains(message));
    return answer;
  }

  @Test
  void shape_thatIsAskedTooOften_isRefusedForAWhile() {
    String where = "\"where\": [{\"column\": \"amount_cent\", \"gte\": %d}]";
    Answer answer = ask("created_at", where.formatted(0));
    assertThat(answer.body().has("advice")).isFalse();
    int answered = 0;
    String advice = "";
    while (answer.status() == 200) {
      answered++;
      advice = answer.body().path("advice").asText();
      answer = ask("created_at", where.formatted(answered));
    }

    assertThat(answered).isGreaterThanOrEqualTo(20);
    assertThat(advice).contains("a projection", "should answer");
    assertThat(answer.status()).isEqualTo(429);
    assertThat(answer.code()).isEqualTo("SW805");
    assertThat(answer.headers().get("retry-after")).containsExactly("1");
    assertThat(ask("created_at", "\"order\": [{\"column\": \"created_at\"}]").status())
        .as("another shape")
        .isEqualTo(200);
    String key = "\"where\": [{\"column\": \"buyer_id\", \"eq\": %d}]";
    for (int i = 0; i < 30; i++) {
      assertThat(ask("created_at", key.formatted(i)).ids()).as("by key").containsExactly((long) i);
    }
  }

  @Test
  void counts_areOfAllRowsWhateverThePage() {
    String seller = "\"where\": [{\"column\": \"seller_id\", \"eq\": 1}], ";
    Answer exact = ask("created_at", seller + "\"count\": \"exact\"");
    assertThat(exact.body().at("/count/value").asLong()).isEqualTo(ROWS / 2);
    assertThat(exact.body().at("/count/exact").asBoolean()).isTrue();
    String cursor = exact.body().path("nextCursor").asText();
    Answer next =
        ask("created_at", seller + "\"count\": \"exact\", \"cursor\": \"" + cursor + "\"");
    assertThat(next.body().at("/count/value").asLong()).as("page 2").isEqualTo(ROWS / 2);

    Answer some = ask("created_at", seller + "\"count\": \"at-least:20\"");
    assertThat(some.body().at("/count/value").asLong()).isEqualTo(20);
    assertThat(some.body().at("/count/exact").asBoolean()).isFalse();
    Answer all = ask("created_at", seller + "\"count\": \"at-least:1000\"");
    assertThat(all.body().at("/count/value").asLong()).isEqualTo(ROWS / 2);
    assertThat(all.body().at("/count/exact").asBoolean()).isTrue();
    assertThat(ask("created_at", seller).body().has("count")).isFalse();
    for (String wrong : List.of("at-least:0", "at-least:1000000", "guess", "all")) {
      assertThat(ask("created_at", "\"count\": \"" + wrong + "\"").code()).isEqualTo("SW801");
    }
  }

  @Test
  void estimates_comeOfStatistics() {
    for (int shard = 0; shard < gateway.shards(); shard++) {
      gateway.execute(shard, kind() == Kind.POSTGRESQL ? "ANALYZE orders" : "ANALYZE TABLE orders");
    }
    Answer answer = ask("created_at", "\"count\": \"estimate\"");

    assertThat(answer.status()).as("%s", answer.body()).isEqualTo(200);
    assertThat(answer.body().at("/count/estimate").asBoolean()).isTrue();
    assertThat(answer.body().at("/count/exact").asBoolean()).isFalse();
    assertThat(answer.body().at("/count/value").asLong()).isBetween(ROWS / 2L, ROWS * 2L);
  }
}
