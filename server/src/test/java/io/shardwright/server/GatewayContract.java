package io.shardwright.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.shardwright.driver.ShardwrightSession;
import io.shardwright.driver.WriteToken;
import io.shardwright.routing.ShardId;
import io.shardwright.server.TestingGateway.Answer;
import io.shardwright.server.TestingGateway.Kind;
import io.shardwright.server.TestingGateway.Row;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Queries over HTTP against three shards; a subclass for each database. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class GatewayContract {
  static final Instant DAY = Instant.parse("2011-11-01T00:00:00Z");
  private static final Comparator<Row> NEWEST_FIRST =
      Comparator.comparing(Row::createdAt).thenComparing(Row::orderId).reversed();

  private final List<Row> rows = new ArrayList<>();
  private TestingGateway gateway;

  abstract Kind kind();

  @BeforeAll
  void open() {
    gateway = new TestingGateway(kind(), 3, TestingGateway.QUERY);
    for (int i = 0; i < 200; i++) {
      // Every fourth shares its moment with the one before, on another shard mostly.
      Instant created =
          DAY.plus(Duration.ofMinutes(7L * (i - (i % 4 == 1 ? 1 : 0)))).plusNanos(5000);
      rows.add(
          new Row(
              1_000 + i,
              i % 23,
              i % 5,
              i % 3,
              i % 11 == 0 ? null : (long) i * 100,
              i % 7 == 0 ? null : "n" + i % 10,
              created,
              i % 2 == 0 ? null : created.plusSeconds(60)));
    }
    gateway.insert(rows);
  }

  @AfterAll
  void close() {
    gateway.close();
  }

  @AfterEach
  void everythingWasGivenBack() {
    assertThat(gateway.source().activeConnections())
        .allSatisfy((shard, active) -> assertThat(active).isZero());
  }

  private static String body(String more) {
    return """
        {"table": "orders", "select": ["order_id", "status", "created_at"],
         "time": {"column": "created_at", "from": "2011-11-01T00:00:00Z",
                  "to": "2011-11-02T00:00:00Z"}%s}
        """
        .formatted(more.isEmpty() ? "" : ", " + more);
  }

  @Test
  void query_ofADay_isTheNewestRowsOfAllShards() {
    Answer answer = gateway.query(body("\"limit\": 20"));

    assertThat(answer.status()).as("%s", answer.body()).isEqualTo(200);
    assertThat(answer.ids())
        .isEqualTo(
            rows.stream()
                .filter(row -> row.createdAt().isBefore(DAY.plus(Duration.ofDays(1))))
                .sorted(NEWEST_FIRST)
                .limit(20)
                .map(Row::orderId)
                .toList());
    assertThat(answer.body().path("truncated").asBoolean()).isTrue();
    assertThat(answer.body().path("complete").asBoolean()).isTrue();
    assertThat(answer.body().path("time").path("purpose").asText()).isEqualTo("created");
    assertThat(answer.body().path("consistency").asText()).isEqualTo("shard-latest");
  }

  @Test
  void answer_saysOfWhichShardsItIs() {
    var completeness = gateway.query(body("")).body().path("completeness");

    assertThat(texts(completeness.path("expected"))).containsExactly("s0", "s1", "s2");
    assertThat(texts(completeness.path("answered"))).containsExactly("s0", "s1", "s2");
    assertThat(completeness.path("missing")).isEmpty();
    assertThat(completeness.path("retries").asInt()).isZero();
    assertThat(completeness.path("mapVersion").asLong())
        .isEqualTo(gateway.source().bucketMap("orders").version());
    assertThat(completeness.path("elapsedMs").path("s2").asDouble()).isPositive();
  }

  private static List<String> texts(Iterable<JsonNode> array) {
    return StreamSupport.stream(array.spliterator(), false).map(node -> node.asText()).toList();
  }

  /** Names that requests may have are told where an unknown one is refused. */
  private List<String> known(String json, String at) {
    for (JsonNode problem : gateway.query(json).body().path("error").path("problems")) {
      if (problem.path("at").asText().equals(at)) {
        return List.of(problem.path("instead").asText().replace("use ", "").split(", ", -1));
      }
    }
    throw new AssertionError("nothing is wrong at " + at);
  }

  @Test
  void openApi_isAsTheGatewayIs() throws IOException {
    JsonMapper mapper = new JsonMapper();
    String served = gateway.get("/v1/openapi.json");
    assertThat(served).isEqualTo(Files.readString(Path.of("../docs/openapi.json")));
    OpenApi document = new OpenApi(mapper.readTree(served));

    assertThat(document.properties("Query")).hasSameElementsAs(known("{\"x\": 1}", "/x"));
    assertThat(document.properties("TimeRange"))
        .hasSameElementsAs(known("{\"time\": {\"x\": 1}}", "/time/x"));
    assertThat(document.properties("Condition"))
        .hasSameElementsAs(known("{\"where\": [{\"x\": 1}]}", "/where/0/x"));
    assertThat(document.properties("OrderItem"))
        .hasSameElementsAs(known("{\"order\": [{\"x\": 1}]}", "/order/0/x"));
    String full =
        body(
            "\"group\": null, \"where\": [{\"column\": \"status\", \"in\": [1, \"2\"]},"
                + " {\"column\": \"seller_id\", \"gt\": 0, \"null\": false}],"
                + " \"order\": [{\"column\": \"created_at\", \"dir\": \"desc\"}], \"limit\": 2,"
                + " \"consistency\": \"shard-latest\", \"onPartial\": \"partial\","
                + " \"count\": \"at-least:3\", \"timeoutMs\": 900, \"cursor\": null");
    assertThat(document.mistakes("Query", mapper.readTree(full))).isEmpty();
    Answer page = gateway.query(full);
    assertThat(page.status()).as("%s", page.body()).isEqualTo(200);
    assertThat(document.mistakes("Answer", page.body())).isEmpty();
    assertThat(document.mistakes("Failure", gateway.query("{}").body())).isEmpty();
    assertThat(document.mistakes("Readiness", mapper.readTree(gateway.get("/ready")))).isEmpty();
    assertThat(document.mistakes("Answer", mapper.readTree("{\"rows\": 1, \"x\": 2}")))
        .contains("/rows is NUMBER", "/x is not known", "/queryId is missing");
  }

  @Test
  void range_isHalfOpen() {
    Row first = rows.get(0);
    String range =
        """
        {"table": "orders", "select": ["order_id", "created_at"], "limit": 100,
         "time": {"purpose": "created", "from": "%s", "to": "%s"}}
        """;
    String at = first.createdAt().toString();
    String later = rows.get(2).createdAt().toString();

    assertThat(gateway.query(range.formatted(at, later)).ids()).containsExactly(1001L, 1000L);
    Answer one = gateway.query(range.formatted(at, first.createdAt().plusNanos(1_000)));
    assertThat(one.body().path("rows").get(0).path("created_at").asText())
        .isEqualTo("2011-11-01T00:00:00.000005Z");
  }

  @Test
  void where_filtersOnTheShards() {
    String where =
        """
        "limit": 100, "where": [{"column": "status", "in": [1, "2"]},
        {"column": "seller_id", "eq": 3}, {"column": "paid_at", "null": false},
        {"column": "amount_cent", "gte": 1000, "lt": 15000}]""";

    assertThat(gateway.query(body(where)).ids())
        .isNotEmpty()
        .isEqualTo(
            rows.stream()
                .filter(row -> row.status() != 0 && row.sellerId() == 3 && row.paidAt() != null)
                .filter(row -> row.amountCent() != null)
                .filter(row -> row.amountCent() >= 1_000 && row.amountCent() < 15_000)
                .sorted(NEWEST_FIRST)
                .map(Row::orderId)
                .toList());
  }

  @Test
  void routeKey_goesToItsShardAlone() {
    Answer answer = gateway.query(body("\"where\": [{\"column\": \"buyer_id\", \"eq\": 7}]"));

    assertThat(answer.ids()).hasSize(9);
    assertThat(answer.body().path("completeness").path("expected")).hasSize(1);
  }

  @Test
  void order_byAnotherColumn() {
    Comparator<Row> byAmount = Comparator.comparing(Row::amountCent).thenComparing(Row::orderId);
    String order =
        """
        "limit": 30, "order": [{"column": "amount_cent", "dir": "asc"}],
        "where": [{"column": "amount_cent", "null": false}]""";

    assertThat(gateway.query(body(order)).ids())
        .isEqualTo(
            rows.stream()
                .filter(row -> row.amountCent() != null)
                .sorted(byAmount)
                .limit(30)
                .map(Row::orderId)
                .toList());
  }

  @Test
  void value_thatIsSql_isAValue() {
    String where = "\"where\": [{\"column\": \"note\", \"eq\": \"n1'; DROP TABLE orders; --\"}]";

    assertThat(gateway.query(body(where)).ids()).isEmpty();
    assertThat(gateway.query(body("")).ids()).isNotEmpty();
  }

  @Test
  void sqlInEveryTextField_isRefused() {
    String evil = "x\\\"'; DROP TABLE orders; --";
    for (String request :
        List.of(
            body("\"group\": \"" + evil + "\""),
            body("").replace("\"orders\"", "\"" + evil + "\""),
            body("").replace("\"status\"", "\"" + evil + "\""),
            body("").replace("\"column\": \"created_at\"", "\"column\": \"" + evil + "\""),
            body("").replace("2011-11-02T00:00:00Z", evil),
            body("\"where\": [{\"column\": \"" + evil + "\", \"eq\": 1}]"),
            body("\"order\": [{\"column\": \"" + evil + "\"}]"),
            body("\"order\": [{\"column\": \"created_at\", \"dir\": \"" + evil + "\"}]"),
            body("\"consistency\": \"" + evil + "\""),
            body("\"onPartial\": \"" + evil + "\""),
            body("\"count\": \"" + evil + "\""),
            body("\"cursor\": \"" + evil + "\""))) {
      Answer answer = gateway.query(request);
      assertThat(answer.status()).as("%s gave %s", request, answer.body()).isEqualTo(400);
      assertThat(answer.code()).isEqualTo(request.contains("cursor") ? "SW802" : "SW801");
    }
    assertThat(gateway.query(body("")).ids()).isNotEmpty();
  }

  @Test
  void allMistakes_areToldAtOnce() {
    Answer answer =
        gateway.query(
            """
            {"table": "orders", "select": ["order_id", "secret"], "lmit": 5, "limit": 100000,
             "time": {"column": "created_at", "from": "2011-11-01", "to": "2011-11-02T00:00:00Z"},
             "where": [{"column": "status", "eq": "paid"}, {"column": "secret", "eq": 1}],
             "consistency": "watermark", "timeoutMs": 50000}
            """);

    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.code()).isEqualTo("SW801");
    List<String> at =
        StreamSupport.stream(answer.body().path("error").path("problems").spliterator(), false)
            .map(problem -> problem.path("at").asText())
            .collect(Collectors.toList());
    assertThat(at)
        .contains(
            "/lmit",
            "/time/from",
            "/consistency",
            "/select/1",
            "/where/status/eq",
            "/where",
            "/limit",
            "/timeoutMs");
  }

  @Test
  void purpose_hasToFitTheColumn() {
    String time =
        "{\"purpose\": \"created\", \"column\": \"paid_at\", \"from\": \"2011-11-01T00:00:00Z\","
            + " \"to\": \"2011-11-02T00:00:00Z\"}";

    Answer answer =
        gateway.query(
            "{\"table\": \"orders\", \"select\": [\"order_id\"], \"time\": " + time + "}");

    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.message()).contains("created", "paid_at", "use created_at");
  }

  @Test
  void range_thatIsTooLongOrTurnedRound_isRefused() {
    assertThat(gateway.query(body("").replace("11-02T", "11-03T")).message()).contains("span");
    assertThat(gateway.query(body("").replace("11-02T", "10-02T")).message())
        .contains("not after from");
  }

  @Test
  void body_thatIsNoRequest_isA400() {
    for (String body :
        List.of(
            "",
            "{",
            "[]",
            "null",
            "\"x\"",
            "{}",
            "{} {}",
            "{\"table\":1}",
            body("\"limit\": 5, \"limit\": 6"),
            "[".repeat(5_000))) {
      Answer answer = gateway.query(body);
      assertThat(answer.status()).as("%s gave %s", body, answer.body()).isEqualTo(400);
      assertThat(answer.code()).isEqualTo("SW801");
    }
  }

  @Test
  void body_thatIsTooLarge_isA413() {
    assertThat(gateway.query(body("\"cursor\": \"" + "x".repeat(100_000) + "\"")).status())
        .isEqualTo(413);
  }

  @Test
  void path_thatIsUnknown_isA404() {
    assertThat(gateway.send(HttpRequest.BodyPublishers.noBody(), "GET", "/v1/x").status())
        .isEqualTo(404);
  }

  @Test
  void readYourWrites_shownOrRefused() throws Exception {
    String token;
    try (Connection connection = gateway.source().getConnection();
        PreparedStatement update =
            connection.prepareStatement(
                "UPDATE orders SET note = 'mine' WHERE buyer_id = ? AND note = 'nobody'")) {
      update.setLong(1, 1);
      update.executeUpdate();
      token = connection.unwrap(ShardwrightSession.class).writeToken().toString();
    }
    String body =
        """
        {"table": "orders", "select": ["order_id"], "consistency": "read-your-writes"%s,
         "time": {"column": "created_at", "from": "2011-11-01T00:00:00Z",
                  "to": "2011-11-02T00:00:00Z"}}
        """;
    Answer shown = gateway.query(body.formatted(", \"writeToken\": \"" + token + "\""));
    assertThat(shown.status()).as("%s", shown.body()).isEqualTo(200);
    assertThat(shown.body().get("consistency").asText()).isEqualTo("read-your-writes");

    assertThat(gateway.query(body.formatted("")).message()).contains("/writeToken is missing");
    assertThat(gateway.query(body.formatted(", \"writeToken\": \"w1.x\"")).code())
        .isEqualTo("SW814");
    WriteToken known = WriteToken.parse(token);
    Map<ShardId, String> servers = new HashMap<>();
    known.servers().forEach((shard, server) -> servers.put(shard, server + "9"));
    WriteToken promoted = new WriteToken(known.cluster(), known.version(), servers);
    Answer refused = gateway.query(body.formatted(", \"writeToken\": \"" + promoted + "\""));
    assertThat(refused.code()).isEqualTo("SW814");
    assertThat(refused.status()).isEqualTo(409);
    assertThat(refused.message()).contains("was failed over since");
  }
}
