package io.shardwright.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.shardwright.server.TestingGateway.Answer;
import io.shardwright.server.TestingGateway.Kind;
import io.shardwright.server.TestingGateway.Row;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Who asks by async gets all rows, if later; a subclass for each database. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class AsyncQueryContract {
  private static final Instant DAY = Instant.parse("2011-11-01T00:00:00Z");
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int ROWS = 60;
  private static final String QUERY =
      TestingGateway.QUERY
          .replace("shard_timeout: 1s", "shard_timeout: 300ms")
          .replace("timeout: 2s", "timeout: 800ms");

  private TestingGateway gateway;
  private Path kept;
  private String rules;

  abstract Kind kind();

  @BeforeAll
  void open(@TempDir Path directory) {
    kept = directory.resolve("kept");
    rules = QUERY + "  directory: " + kept + "\n";
    gateway = new TestingGateway(kind(), 3, rules);
    gateway.insert(
        IntStream.range(0, ROWS)
            .mapToObj(i -> new Row(1_000 + i, i, 1, i % 2, 1L, "n", DAY.plusSeconds(i), null))
            .toList());
  }

  @AfterAll
  void close() {
    gateway.close();
  }

  @BeforeEach
  void heal() {
    gateway.proxy(1).heal();
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    gateway.restartWith(rules);
    while (!gateway.query(body("fail", "")).body().path("complete").asBoolean()) {
      assertThat(System.nanoTime()).as("all shards are back in time").isLessThan(deadline);
    }
  }

  private void takeDown() {
    gateway.proxy(1).refuse();
    gateway.proxy(1).cut();
  }

  private static String body(String onPartial, String more) {
    return """
        {"table": "orders", "select": ["order_id"], "limit": 40, "onPartial": "%s",
         "time": {"column": "created_at", "from": "2011-11-01T00:00:00Z",
                  "to": "2011-11-02T00:00:00Z"}%s}
        """
        .formatted(onPartial, more);
  }

  private Answer post(String body, String... headers) {
    return gateway.send(HttpRequest.BodyPublishers.ofString(body), "POST", "/v1/query", headers);
  }

  private Answer ask(String method, String id, String... headers) {
    return gateway.send(HttpRequest.BodyPublishers.noBody(), method, "/v1/queries/" + id, headers);
  }

  private String start(String more, String... headers) {
    Answer answer = post(body("async", more), headers);
    assertThat(answer.status()).as("%s", answer.body()).isEqualTo(202);
    String id = answer.body().path("id").asText();
    assertThat(answer.headers().get("location")).containsExactly("/v1/queries/" + id);
    assertThat(answer.body().path("state").asText()).isEqualTo("running");
    assertIsDocumented(answer.body());
    return id;
  }

  private JsonNode await(String id, Predicate<JsonNode> condition, String... headers) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    JsonNode query = ask("GET", id, headers).body();
    while (!condition.test(query)) {
      assertThat(System.nanoTime()).as("%s", query).isLessThan(deadline);
      query = ask("GET", id, headers).body();
    }
    return query;
  }

  private JsonNode over(String id, String state, String... headers) {
    JsonNode query = await(id, q -> !q.path("state").asText().equals("running"), headers);
    assertThat(query.path("state").asText()).as("%s", query).isEqualTo(state);
    return query;
  }

  private void assertIsDocumented(JsonNode query) {
    ObjectNode rest = query.deepCopy();
    JsonNode answer = rest.remove("answer");
    JsonNode error = rest.remove("error");
    OpenApi document = gateway.document();
    assertThat(document.mistakes("AsyncQuery", rest)).isEmpty();
    if (!answer.isNull()) {
      assertThat(document.mistakes("Answer", answer)).isEmpty();
    }
    if (!error.isNull()) {
      assertThat(document.mistakes("Failure", rest.objectNode().set("error", error))).isEmpty();
    }
  }

  private static List<Long> ids(JsonNode answer) {
    return new Answer(200, answer, Map.of()).ids();
  }

  /** The newest first. */
  private static List<Long> expected(int from, int to) {
    return LongStream.range(from, to).mapToObj(i -> 1_000 + ROWS - 1 - i).toList();
  }

  @Test
  void shardDown_isAskedAgainUntilAllAnswer_pageByPage() {
    takeDown();
    String id = start(", \"count\": \"exact\"");

    JsonNode running = await(id, query -> query.path("attempts").asInt() > 2);
    assertThat(running.path("state").asText()).isEqualTo("running");
    assertThat(running.path("missing")).hasSize(1);
    assertThat(running.at("/missing/0/shard").asText()).isEqualTo("s1");
    assertThat(running.at("/missing/0/reason").asText()).isNotBlank();
    assertThat(running.at("/error/code").asText()).isEqualTo("SW803");
    assertThat(running.path("answer").isNull()).isTrue();
    assertIsDocumented(running);
    assertThat(gateway.running()).isZero();
    assertThat(gateway.get("/metrics"))
        .contains("shardwright_async_queries_unfinished 1\n", "{outcome=\"async\"} 1\n");

    gateway.proxy(1).heal();
    JsonNode done = over(id, "done");
    JsonNode answer = done.path("answer");
    assertThat(ids(answer)).isEqualTo(expected(0, 40));
    assertThat(answer.at("/count/value").asInt()).isEqualTo(ROWS);
    assertThat(answer.path("complete").asBoolean()).isTrue();
    assertThat(answer.at("/completeness/answered")).hasSize(3);
    assertThat(done.path("missing")).isEmpty();
    assertIsDocumented(done);
    assertThat(gateway.get("/metrics")).contains("shardwright_async_queries_unfinished 0\n");

    takeDown();
    String next = start(", \"cursor\": \"" + answer.path("nextCursor").asText() + "\"");
    gateway.proxy(1).heal();
    JsonNode last = over(next, "done").path("answer");
    assertThat(ids(last)).isEqualTo(expected(40, ROWS));
    assertThat(last.path("nextCursor").isNull()).isTrue();
  }

  @Test
  void allAnswerAtOnce_isTheAnswer() {
    Answer answer = post(body("async", ""));

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.ids()).isEqualTo(expected(0, 40));
    assertThat(answer.headers()).doesNotContainKey("location");
    assertThat(gateway.get("/metrics")).contains("shardwright_async_queries_unfinished 0\n");
  }

  @Test
  void restart_takesUpWhatIsNotOver_andKeepsAnswers() {
    takeDown();
    String id = start("");
    gateway.restart(() -> gateway.proxy(1).heal());

    JsonNode done = over(id, "done");
    assertThat(ids(done.path("answer"))).isEqualTo(expected(0, 40));
    gateway.restart();
    assertThat(ask("GET", id).body()).isEqualTo(done);
  }

  @Test
  void patienceOver_failsAndNamesTheShard_andExpires() {
    takeDown();
    String id = start("");
    gateway.clock().step(Duration.ofMinutes(10));

    JsonNode failed = over(id, "failed");
    assertThat(failed.at("/error/code").asText()).isEqualTo("SW803");
    assertThat(failed.at("/error/message").asText()).contains("query.async.patience", "s1");
    assertThat(failed.at("/missing/0/shard").asText()).isEqualTo("s1");
    assertThat(failed.path("answer").isNull()).isTrue();
    assertIsDocumented(failed);

    gateway.clock().step(Duration.ofHours(1).minusSeconds(1));
    assertThat(ask("GET", id).status()).isEqualTo(200);
    gateway.clock().step(Duration.ofSeconds(1));
    assertThat(ask("GET", id).code()).isEqualTo("SW809");
    assertThat(kept.resolve("queries").resolve(id)).doesNotExist();
  }

  @Test
  void delete_endsIt() throws IOException {
    takeDown();
    String id = start("");
    assertThat(Files.readString(kept.resolve("queries").resolve(id).resolve("request.json")))
        .isEqualTo(body("async", ""));

    assertThat(ask("DELETE", id).status()).isEqualTo(200);

    assertThat(kept.resolve("queries").resolve(id)).doesNotExist();
    for (String method : List.of("GET", "DELETE")) {
      Answer answer = ask(method, id);
      assertThat(answer.status()).isEqualTo(404);
      assertThat(answer.code()).isEqualTo("SW809");
    }
    gateway.restart();
    assertThat(ask("GET", id).status()).isEqualTo(404);
  }

  @Test
  void caller_seesItsOwn_withTheRightsOfNow() {
    String access =
        """
          roles:
            ops: {}
            other: {where: {status: [1]}}
          tokens:
            - {name: olga, hash: "sha256:%s", role: ops}
            - {name: otto, hash: "sha256:%s", role: other}
        """
            .formatted(hash("T-olga"), hash("T-otto"));
    gateway.restartWith(rules + access);
    takeDown();
    String hers = start("", bearer("T-olga"));
    String his = start("", bearer("T-otto"));

    for (String method : List.of("GET", "DELETE")) {
      assertThat(ask(method, hers, bearer("T-otto")).status()).isEqualTo(404);
      assertThat(ask(method, hers, bearer("T-otto")).code()).isEqualTo("SW809");
      assertThat(ask(method, hers).status()).isEqualTo(401);
    }
    gateway.proxy(1).heal();
    assertThat(ids(over(hers, "done", bearer("T-olga")).path("answer"))).isEqualTo(expected(0, 40));
    assertThat(ids(over(his, "done", bearer("T-otto")).path("answer")))
        .isEqualTo(expected(0, ROWS).stream().filter(id -> id % 2 == 1).toList());

    takeDown();
    String running = start("", bearer("T-olga"));
    gateway.restartWith(
        rules + access.replace("ops: {}", "ops: {columns: [order_id, status, created_at]}"));
    for (String id : List.of(hers, running)) {
      JsonNode failed = over(id, "failed", bearer("T-olga"));
      assertThat(failed.at("/error/message").asText()).contains("what olga may see has changed");
      assertThat(failed.path("answer").isNull()).isTrue();
    }
    assertThat(over(his, "done", bearer("T-otto")).path("answer").isNull()).isFalse();
  }

  @Test
  void mistakes_areRefusedAtOnce() {
    takeDown();
    Answer wrong = post(body("async", ", \"count\": \"all\""));
    assertThat(wrong.status()).isEqualTo(400);
    assertThat(wrong.code()).isEqualTo("SW801");

    Answer settlement = post(body("async", ", \"consistency\": \"settlement\""));
    assertThat(settlement.status()).isEqualTo(400);
    assertThat(settlement.body().toString()).contains("/onPartial", "is async, and a settlement");

    gateway.restartWith(QUERY);
    Answer nowhere = post(body("async", ""));
    assertThat(nowhere.status()).isEqualTo(400);
    assertThat(nowhere.code()).isEqualTo("SW801");
    assertThat(nowhere.body().at("/error/problems/0/at").asText()).isEqualTo("/onPartial");
    assertThat(nowhere.body().at("/error/problems/0/problem").asText()).contains("query.directory");
    assertThat(ask("GET", "x").message()).contains("query.directory");
  }

  private static String[] bearer(String token) {
    return new String[] {"Authorization", "Bearer " + token};
  }

  private static String hash(String token) {
    try {
      return HexFormat.of()
          .formatHex(
              MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }
}
