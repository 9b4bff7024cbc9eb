package io.shardwright.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.shardwright.server.TestingGateway.Answer;
import io.shardwright.server.TestingGateway.Kind;
import io.shardwright.server.TestingGateway.Row;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Wide columns are read for the rows of the page alone; a subclass for each database. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class WideColumnsContract {
  private static final Instant DAY = Instant.parse("2011-11-01T00:00:00Z");
  private static final int SHARDS = 3;

  /** More messages than a page takes of one shard. */
  private static final int MESSAGES = 12;

  private TestingGateway gateway;

  abstract Kind kind();

  @BeforeAll
  void open() {
    gateway =
        new TestingGateway(
            kind(),
            SHARDS,
            // Nothing here is about time.
            TestingGateway.QUERY
                .replace("  timeout: 2s", "  timeout: 20s")
                .replace("shard_timeout: 1s", "shard_timeout: 10s")
                .replace("paid_at, amount_cent]", "paid_at, amount_cent]\n      wide: [note]")
                .replace("order: [amount_cent, note]", "order: [amount_cent]"));
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      Instant created = DAY.plus(Duration.ofMinutes(i));
      rows.add(new Row(i, i, i % 5, i % 3, i % 4 == 0 ? null : 7L, "note " + i, created, null));
    }
    gateway.insert(rows);
  }

  @AfterAll
  void close() {
    gateway.close();
  }

  private Answer page(int limit, String order, String more) {
    return gateway.query(
        """
        {"table": "orders", "select": ["note", "order_id"], "limit": %d,
         "order": [{"column": "%s", "dir": "desc"}], %s
         "time": {"column": "created_at", "from": "2011-11-01T00:00:00Z",
                  "to": "2011-11-02T00:00:00Z"}}
        """
            .formatted(limit, order, more));
  }

  private static List<String> shown(Answer answer) {
    assertThat(answer.status()).as("%s", answer.body()).isEqualTo(200);
    List<String> shown = new ArrayList<>();
    answer.body().get("rows").forEach(row -> shown.add(row.get("note").asText()));
    return shown;
  }

  @Test
  void pagesAreThoseOfRowsThatAreReadAsOne() {
    List<String> all = new ArrayList<>();
    String cursor = "";
    while (cursor != null) {
      Answer answer =
          page(7, "amount_cent", cursor.isEmpty() ? "" : "\"cursor\": \"" + cursor + "\",");
      all.addAll(shown(answer));
      for (JsonNode row : answer.body().get("rows")) {
        assertThat(row.get("note").asText()).isEqualTo("note " + row.get("order_id").asInt());
      }
      cursor = answer.body().get("nextCursor").textValue();
    }
    assertThat(all).hasSize(60).doesNotHaveDuplicates();
    assertThat(page(7, "created_at", "\"where\": [{\"column\": \"status\", \"eq\": 9}],").ids())
        .isEmpty();
  }

  @Test
  void rowThatGoesBetweenTheReadingsLeavesNoHole() throws Exception {
    List<String> before = shown(page(5, "created_at", ""));
    int shard = shardOf(59);
    for (int message = 1; message <= MESSAGES; message++) {
      AtomicInteger messages = new AtomicInteger();
      int at = message;
      gateway
          .proxy(shard)
          .beforeRequest(
              () -> {
                if (messages.incrementAndGet() == at) {
                  gateway.execute(shard, "UPDATE orders SET status = 9 WHERE order_id = 59");
                }
              });
      List<String> page =
          shown(page(5, "created_at", "\"where\": [{\"column\": \"status\", \"in\": [0, 1, 2]}],"));
      gateway.proxy(shard).beforeRequest(() -> {});
      gateway.execute(shard, "UPDATE orders SET status = 2 WHERE order_id = 59");

      List<String> after = List.of("note 58", "note 57", "note 56", "note 55", "note 54");
      assertThat(List.of(before, after)).as("before message %d", message).contains(page);
    }
  }

  private int shardOf(long order) throws Exception {
    for (int shard = 0; shard < SHARDS; shard++) {
      try (var connection = gateway.direct(shard);
          var statement = connection.createStatement();
          var rows = statement.executeQuery("SELECT 1 FROM orders WHERE order_id = " + order)) {
        if (rows.next()) {
          return shard;
        }
      }
    }
    throw new AssertionError("no shard has order " + order);
  }
}
