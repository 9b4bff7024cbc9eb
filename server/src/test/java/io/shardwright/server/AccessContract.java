package io.shardwright.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.server.TestingGateway.Answer;
import io.shardwright.server.TestingGateway.Kind;
import io.shardwright.server.TestingGateway.Row;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Who may ask what; a subclass for each database. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class AccessContract {
  private static final Instant DAY = Instant.parse("2011-11-01T00:00:00Z");
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private TestingGateway gateway;

  abstract Kind kind();

  private static String hash(String token) {
    try {
      return HexFormat.of()
          .formatHex(
              MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  @BeforeAll
  void open() {
    String access =
        """
          roles:
            ops: {unmasked: true}
            seller: {columns: [order_id, note, note_last4, created_at, seller_id], rows: 20, span: 12h, where: {status: [1, 2]}}
            single: {concurrency: 1}
          tokens:
            - {name: olga, hash: "sha256:%s", role: ops}
            - {name: seller-3, hash: "sha256:%s", role: seller, where: {seller_id: 3}}
            - {name: late, hash: "sha256:%s", role: ops, expires: "2026-06-02T00:00:00Z"}
            - {name: single-1, hash: "sha256:%s", role: single}
        """
            .formatted(hash("T-ops"), hash("T-seller"), hash("T-late"), hash("T-single"));
    String query =
        TestingGateway.QUERY
            .replace(
                "filter: [status, seller_id, buyer_id, note,",
                "filter: [status, seller_id, buyer_id,")
            .replace(
                "order: [amount_cent, note]", "mask: [note]\n      last_four: {note_last4: note}");
    gateway = new TestingGateway(kind(), 2, query + access);
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      rows.add(
          new Row(
              i,
              i,
              i % 5,
              i % 3,
              1L,
              i % 2 == 0 ? "1385551234" + i % 10 : "12",
              DAY.plusSeconds(i),
              null));
    }
    gateway.insert(rows);
  }

  @AfterAll
  void close() {
    gateway.close();
  }

  private static String body(String more) {
    return """
        {"table": "orders", "select": ["order_id", "note"], "limit": 20,
         "time": {"column": "created_at", "from": "2011-11-01T00:00:00Z",
                  "to": "2011-11-01T10:00:00Z"}%s}
        """
        .formatted(more.isEmpty() ? "" : ", " + more);
  }

  @Test
  void token_isAskedFor() {
    for (Answer answer :
        List.of(
            gateway.query(body("")),
            gateway.query(body(""), "T-wrong"),
            gateway.query(body(""), hash("T-ops")),
            gateway.query(body(""), ""))) {
      assertThat(answer.status()).isEqualTo(401);
      assertThat(answer.code()).isEqualTo("SW806");
      assertThat(answer.headers().get("www-authenticate")).containsExactly("Bearer");
    }
    assertThat(gateway.query(body(""), "T-ops").status()).isEqualTo(200);
  }

  @Test
  void token_thatExpired_isRefused() {
    assertThat(gateway.query(body(""), "T-late").status()).isEqualTo(200);
    gateway.clock().step(Duration.ofDays(1));
    Answer late = gateway.query(body(""), "T-late");
    gateway.clock().step(Duration.ofDays(-1));

    assertThat(late.status()).isEqualTo(401);
    assertThat(late.message()).contains("that of late expired at 2026-06-02T00:00:00Z");
  }

  @Test
  void bounds_holdWhateverTheRequestSays() {
    List<Long> mine = new ArrayList<>();
    for (long i = 59; i >= 0; i--) {
      if (i % 5 == 3 && i % 3 != 0) {
        mine.add(i);
      }
    }
    assertThat(gateway.query(body(""), "T-seller").ids()).isEqualTo(mine);
    String others = "\"where\": [{\"column\": \"seller_id\", \"in\": [1, 2, 4]}]";
    assertThat(gateway.query(body(others), "T-seller").ids()).isEmpty();
    assertThat(
            gateway
                .query(body("\"count\": \"exact\""), "T-seller")
                .body()
                .at("/count/value")
                .asInt())
        .isEqualTo(mine.size());
  }

  @Test
  void cursorOfAnother_showsNoMoreRows() {
    String cursor = gateway.query(body(""), "T-ops").body().path("nextCursor").asText();

    List<Long> ids = gateway.query(body("\"cursor\": \"" + cursor + "\""), "T-seller").ids();

    assertThat(ids).isNotEmpty().allMatch(id -> id % 5 == 3 && id % 3 != 0);
  }

  @Test
  void role_boundsColumnsRowsAndSpans() {
    String status = "\"where\": [{\"column\": \"status\", \"eq\": 1}]";
    for (String refused :
        List.of(
            body("").replace("\"note\"", "\"amount_cent\""),
            body(status),
            body("").replace("\"limit\": 20", "\"limit\": 21"),
            body("").replace("T10:00", "T13:00"))) {
      assertThat(gateway.query(refused, "T-seller").code()).as(refused).isEqualTo("SW801");
      assertThat(gateway.query(refused, "T-ops").status()).as(refused).isEqualTo(200);
    }
  }

  @Test
  void masked_showsTheLastFourUnlessTheRoleMaySeeAll() {
    var rows = gateway.query(body(""), "T-seller").body().path("rows");
    rows.forEach(
        row -> {
          boolean isLong = row.path("order_id").asInt() % 2 == 0;
          assertThat(row.path("note").asText()).matches(isLong ? "\\*{4}234\\d" : "\\*{4}");
        });
    assertThat(rows).isNotEmpty();
    assertThat(gateway.query(body(""), "T-ops").body().at("/rows/1/note").asText())
        .startsWith("1385551234");
  }

  @Test
  void queriesBeyondTheRoles_waitAndAreRefused() {
    gateway.proxy(1).stall();
    List<CompletableFuture<Answer>> asked = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      asked.add(
          CompletableFuture.supplyAsync(
              () -> gateway.query(body(""), "T-single"), task -> new Thread(task).start()));
    }
    List<Answer> answers = asked.stream().map(CompletableFuture::join).toList();
    gateway.proxy(1).heal();

    List<Answer> refused = answers.stream().filter(a -> a.code().equals("SW807")).toList();
    assertThat(refused).hasSize(3);
    assertThat(refused)
        .allSatisfy(
            answer -> {
              assertThat(answer.status()).isEqualTo(429);
              assertThat(answer.headers().get("retry-after")).containsExactly("1");
            });
    assertThat(gateway.query(body(""), "T-ops").status()).as("another role").isEqualTo(200);
  }

  @Test
  void stop_letsQueriesEnd() {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    gateway.proxy(1).delay(Duration.ofMillis(100));
    CompletableFuture<Answer> running =
        CompletableFuture.supplyAsync(
            () -> gateway.query(body(""), "T-ops"), task -> new Thread(task).start());
    while (gateway.running() == 0 && !running.isDone()) {
      assertThat(System.nanoTime()).isLessThan(deadline);
    }
    gateway.restart();
    gateway.proxy(1).heal();

    assertThat(running.join().status()).isEqualTo(200);
    assertThat(gateway.query(body(""), "T-ops").status()).isEqualTo(200);
  }

  @Test
  void metrics_countWhatBecameOfQueries() {
    gateway.query(body(""), "T-ops");
    gateway.query(body(""), "T-wrong");
    gateway.query(body("\"limit\": 0"), "T-ops");

    assertThat(gateway.get("/metrics").lines())
        .anyMatch(
            line -> line.matches("shardwright_queries_total\\{outcome=\"complete\"} [1-9]\\d*"))
        .anyMatch(line -> line.matches("shardwright_queries_total\\{outcome=\"SW801\"} [1-9]\\d*"))
        .anyMatch(line -> line.matches("shardwright_queries_total\\{outcome=\"SW806\"} [1-9]\\d*"))
        .anyMatch(line -> line.matches("shardwright_query_rows_total [1-9]\\d*"))
        .contains("shardwright_queries_running 0");
  }

  @Test
  void healthAndReadiness_needNoToken() {
    HttpRequest.BodyPublisher nothing = HttpRequest.BodyPublishers.noBody();
    assertThat(gateway.send(nothing, "GET", "/health").body().path("status").asText())
        .isEqualTo("ok");
    Answer ready = gateway.send(nothing, "GET", "/ready");
    assertThat(ready.status()).isEqualTo(200);
    assertThat(ready.body().path("ready").asBoolean()).isTrue();
  }

  @Test
  void maskedColumnsAreFoundByTheirLastFourCharacters() {
    Answer found =
        gateway.query(
            """
            {"table": "orders", "select": ["order_id", "note", "note_last4"], "limit": 20,
             "where": [{"column": "note_last4", "in": ["2348", "12"]}],
             "time": {"column": "created_at", "from": "2011-11-01T00:00:00Z",
                      "to": "2011-11-01T12:00:00Z"}}
            """,
            "T-seller");

    assertThat(found.status()).as("%s", found.body()).isEqualTo(200);
    assertThat(found.ids()).isNotEmpty().allMatch(id -> id % 10 == 8 && id % 5 == 3);
    found
        .body()
        .get("rows")
        .forEach(
            row -> {
              assertThat(row.get("note").asText()).isEqualTo("****2348");
              assertThat(row.get("note_last4").asText()).isEqualTo("2348");
            });
    Answer whole =
        gateway.query(
            """
            {"table": "orders", "select": ["order_id"], "limit": 20,
             "where": [{"column": "note", "eq": "13855512348"}],
             "time": {"column": "created_at", "from": "2011-11-01T00:00:00Z",
                      "to": "2011-11-01T12:00:00Z"}}
            """,
            "T-seller");
    assertThat(whole.code()).isEqualTo("SW801");
    Answer least =
        gateway.send(
            HttpRequest.BodyPublishers.ofString(
                """
                {"table": "orders", "aggregates": [{"function": "distinct", "column": "note"}],
                 "time": {"column": "created_at", "from": "2011-11-01T00:00:00Z",
                          "to": "2011-11-01T12:00:00Z"}}
                """),
            "POST",
            "/v1/aggregates",
            "Authorization",
            "Bearer T-seller");
    assertThat(least.message()).contains("is masked");
  }

  @Test
  void intervalsDoNotTellOfATimeThatTheRoleMayNotSee() {
    Answer answer =
        gateway.send(
            HttpRequest.BodyPublishers.ofString(
                """
                {"table": "orders", "aggregates": [{"function": "count"}],
                 "by": {"unit": "minute"},
                 "time": {"column": "paid_at", "from": "2011-11-01T00:00:00Z",
                          "to": "2011-11-01T12:00:00Z"}}
                """),
            "POST",
            "/v1/aggregates",
            "Authorization",
            "Bearer T-seller");
    assertThat(answer.message()).contains("/by tells of paid_at, which role seller may not see");
  }
}
