package io.shardwright.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.shardwright.server.TestingGateway.Answer;
import io.shardwright.server.TestingGateway.Kind;
import io.shardwright.server.TestingGateway.Row;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Aggregates are those of one heap of all rows; a subclass for each database. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class AggregateContract {
  // Long because: each promise is asked over the same rows.

  /** Clocks of Europe go back in the first night, those of North America in the second week. */
  private static final Instant BEGIN = Instant.parse("2011-10-29T00:00:00Z");

  private static final Duration DAYS = Duration.ofDays(10);
  private static final String MEASURES =
      """
      [{"function": "count"}, {"function": "count", "column": "amount_cent"},
       {"function": "sum", "column": "amount_cent"}, {"function": "avg", "column": "amount_cent"},
       {"function": "min", "column": "amount_cent"}, {"function": "max", "column": "created_at"}]
      """;

  private final List<Row> rows = new ArrayList<>();
  private TestingGateway gateway;
  private OpenApi document;

  abstract Kind kind();

  @BeforeAll
  void open() {
    gateway =
        new TestingGateway(kind(), 3, TestingGateway.QUERY.replace("span: 24h", "span: 2400h"));
    RandomGenerator random = new SplittableRandom(1);
    for (int i = 0; i < 2_000; i++) {
      Instant created = BEGIN.plus(Duration.ofMinutes(random.nextInt((int) DAYS.toMinutes())));
      rows.add(
          new Row(
              1_000 + i,
              random.nextInt(200),
              random.nextInt(5),
              random.nextInt(3),
              random.nextInt(4) == 0 ? null : (long) random.nextInt(100) - 50,
              null,
              created.plusNanos(1_000L * random.nextInt(1_000_000)).plusSeconds(random.nextInt(60)),
              null));
    }
    gateway.insert(rows);
    document = gateway.document();
  }

  @AfterAll
  void close() {
    gateway.close();
  }

  private Answer ask(String body) {
    return gateway.send(BodyPublishers.ofString(body), "POST", "/v1/aggregates");
  }

  private static String body(Instant from, Instant to, String more) {
    return """
        {"table": "orders", "time": {"column": "created_at", "from": "%s", "to": "%s"}, %s}
        """
        .formatted(from, to, more);
  }

  private static String measures(String... more) {
    return "\"aggregates\": " + MEASURES + String.join("", more);
  }

  private List<Row> between(Instant from, Instant to) {
    return rows.stream()
        .filter(row -> !row.createdAt().isBefore(from) && row.createdAt().isBefore(to))
        .toList();
  }

  /** Of rows of one group, as the answer has them. */
  private static void assertMeasures(JsonNode values, List<Row> of) {
    List<Long> amounts = of.stream().map(Row::amountCent).filter(Objects::nonNull).toList();
    long sum = amounts.stream().mapToLong(Long::longValue).sum();
    assertThat(values.get("count").asLong()).isEqualTo(of.size());
    assertThat(values.get("count_amount_cent").asLong()).isEqualTo(amounts.size());
    if (amounts.isEmpty()) {
      assertThat(values.get("sum_amount_cent").isNull()).isTrue();
      assertThat(values.get("avg_amount_cent").isNull()).isTrue();
      assertThat(values.get("min_amount_cent").isNull()).isTrue();
    } else {
      assertThat(values.get("sum_amount_cent").asLong()).isEqualTo(sum);
      assertThat(values.get("avg_amount_cent").asText())
          .isEqualTo(
              BigDecimal.valueOf(sum)
                  .divide(BigDecimal.valueOf(amounts.size()), 6, RoundingMode.HALF_EVEN)
                  .toPlainString());
      assertThat(values.get("min_amount_cent").asLong())
          .isEqualTo(LongStream.of(amounts.stream().mapToLong(x -> x).toArray()).min().orElse(0));
    }
    assertThat(Instant.parse(values.get("max_created_at").asText()))
        .isEqualTo(of.stream().map(Row::createdAt).max(Instant::compareTo).orElseThrow());
  }

  @ParameterizedTest
  @CsvSource({
    "minute,UTC",
    "hour,UTC",
    "day,UTC",
    "hour,Europe/Paris",
    "day,Europe/Paris",
    "day,America/New_York",
    "hour,America/St_Johns",
    "day,Asia/Kolkata",
    "hour,Asia/Kolkata",
    "minute,Asia/Kolkata",
    "day,Australia/Lord_Howe",
    "day,Pacific/Auckland",
    "day,-09:30"
  })
  void intervalsAreThoseOfTheZonesClocks(String unit, String zone) {
    Instant from = BEGIN.plus(Duration.ofMinutes(701));
    Instant to = BEGIN.plus(unit.equals("minute") ? Duration.ofHours(40) : DAYS.minusHours(5));

    Answer answer =
        ask(
            body(
                from,
                to,
                measures(
                    ", \"by\": {\"unit\": \"" + unit + "\", \"zone\": \"" + zone + "\"}",
                    ", \"dimensions\": [\"status\"]")));

    assertThat(answer.status()).as("%s", answer.body()).isEqualTo(200);
    ZoneId clocks = ZoneId.of(zone);
    Map<String, List<Row>> groups = new TreeMap<>();
    for (Row row : between(from, to)) {
      ZonedDateTime at = row.createdAt().atZone(clocks);
      ZonedDateTime start =
          switch (unit) {
            case "minute" -> at.truncatedTo(ChronoUnit.MINUTES);
            case "hour" -> at.truncatedTo(ChronoUnit.HOURS);
            default -> at.toLocalDate().atStartOfDay(clocks);
          };
      groups
          .computeIfAbsent(
              start.toInstant().toEpochMilli()
                  + " "
                  + DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(start)
                  + " "
                  + row.status(),
              unused -> new ArrayList<>())
          .add(row);
    }
    List<String> found = new ArrayList<>();
    for (JsonNode group : answer.body().get("groups")) {
      String start = group.get("start").asText();
      String key =
          ZonedDateTime.parse(start).toInstant().toEpochMilli()
              + " "
              + start
              + " "
              + group.get("dimensions").get("status").asInt();
      found.add(key);
      assertThat(groups).containsKey(key);
      assertMeasures(group.get("values"), groups.get(key));
    }
    assertThat(found).containsExactlyElementsOf(groups.keySet());
    assertThat(document.mistakes("AggregateAnswer", answer.body())).isEmpty();
  }

  @Test
  void withoutIntervalsAndDimensionsThereIsOneGroup() {
    Answer all = ask(body(BEGIN, BEGIN.plus(DAYS), measures()));
    assertThat(all.status()).as("%s", all.body()).isEqualTo(200);
    assertThat(all.body().get("groups")).hasSize(1);
    assertMeasures(all.body().get("groups").get(0).get("values"), between(BEGIN, BEGIN.plus(DAYS)));
    assertThat(all.body().get("complete").asBoolean()).isTrue();

    Answer none = ask(body(BEGIN.minusSeconds(60), BEGIN.minusSeconds(30), measures()));
    JsonNode values = none.body().get("groups").get(0).get("values");
    assertThat(values.get("count").asLong()).isZero();
    assertThat(values.get("sum_amount_cent").isNull()).isTrue();

    Answer some =
        ask(
            body(
                BEGIN,
                BEGIN.plus(DAYS),
                measures(", \"where\": [{\"column\": \"seller_id\", \"in\": [1, 3]}]")));
    assertMeasures(
        some.body().get("groups").get(0).get("values"),
        rows.stream().filter(row -> row.sellerId() == 1 || row.sellerId() == 3).toList());
  }

  @Test
  void sketchesStateTheirErrorAndAreExactForFewValues() {
    String sketches =
        """
        "aggregates": [{"function": "distinct", "column": "buyer_id"},
          {"function": "distinct", "column": "order_id"}, {"function": "count"},
          {"function": "percentile", "column": "order_id", "at": [0.5, 0.99, 1]}]
        """;
    Answer few = ask(body(BEGIN, BEGIN.plus(Duration.ofHours(12)), sketches));
    List<Long> ids =
        between(BEGIN, BEGIN.plus(Duration.ofHours(12))).stream()
            .map(Row::orderId)
            .sorted()
            .toList();
    JsonNode values = few.body().get("groups").get(0).get("values");
    assertThat(values.get("count").asInt()).isEqualTo(ids.size());
    assertThat(values.get("distinct_order_id").get("estimate").asDouble())
        .isCloseTo(ids.size(), org.assertj.core.data.Offset.offset(0.5));
    JsonNode places = values.get("percentile_order_id");
    assertThat(places.get("rankError").asDouble()).isZero();
    assertThat(places.get("percentiles").get(0).get("value").asLong())
        .isEqualTo(ids.get((ids.size() + 1) / 2 - 1));
    assertThat(places.get("percentiles").get(2).get("value").asLong())
        .isEqualTo(ids.get(ids.size() - 1));

    Answer many = ask(body(BEGIN, BEGIN.plus(DAYS), sketches));
    JsonNode all = many.body().get("groups").get(0).get("values");
    JsonNode distinct = all.get("distinct_order_id");
    assertThat(distinct.get("lower").asDouble()).isLessThanOrEqualTo(2_000);
    assertThat(distinct.get("upper").asDouble()).isGreaterThanOrEqualTo(2_000);
    assertThat(distinct.get("confidence").asDouble()).isEqualTo(0.997);
    assertThat(all.get("distinct_buyer_id").get("estimate").asDouble())
        .isCloseTo(200, org.assertj.core.data.Offset.offset(1.0));
    JsonNode middle = all.get("percentile_order_id").get("percentiles").get(0);
    double error = all.get("percentile_order_id").get("rankError").asDouble();
    assertThat(error).isBetween(0.001, 0.01);
    // Three times the error that one in a hundred may exceed.
    assertThat(middle.get("value").asDouble())
        .isBetween(1_000 + 2_000 * (0.5 - 3 * error), 1_000 + 2_000 * (0.5 + 3 * error));
    assertThat(document.mistakes("AggregateAnswer", many.body())).isEmpty();
  }

  @Test
  void allMistakesAreToldAtOnce() {
    Answer answer =
        ask(
            """
            {"table": "orders", "group": "other", "consistency": "settlement", "onPartial": "async",
             "time": {"column": "created_at", "from": "2011-11-01T00:00:00Z",
                      "to": "2011-12-01T00:00:00Z"},
             "aggregates": [{"function": "sum", "column": "note"}, {"function": "median"},
               {"function": "avg"}, {"function": "min", "column": "nothing"},
               {"function": "percentile", "column": "amount_cent", "at": [2]},
               {"function": "count", "at": [0.5]}, {"function": "count"}],
             "by": {"unit": "minute", "zone": "Mars/Base"}, "dimensions": ["nothing", "status", "status"],
             "having": 1}
            """);

    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.code()).isEqualTo("SW801");
    List<String> places = new ArrayList<>();
    answer.body().get("error").get("problems").forEach(p -> places.add(p.get("at").asText()));
    assertThat(places)
        .contains(
            "/having",
            "/aggregates/1/function",
            "/by/zone",
            "/consistency",
            "/onPartial",
            "/group",
            "/aggregates/0/column",
            "/aggregates/1/column",
            "/aggregates/2/column",
            "/aggregates/3/at/0",
            "/aggregates/4/at",
            "/aggregates/5",
            "/dimensions/0",
            "/dimensions/2");
  }

  @Test
  void tooManyIntervalsAndGroupsAreRefused() {
    Answer intervals =
        ask(
            body(
                BEGIN,
                BEGIN.plus(Duration.ofDays(8)),
                measures(", \"by\": {\"unit\": \"minute\"}")));
    assertThat(intervals.code()).isEqualTo("SW801");
    assertThat(intervals.message()).contains("cuts the range into more than 10000");

    Answer sketched =
        ask(
            body(
                BEGIN,
                BEGIN.plus(DAYS),
                """
                "aggregates": [{"function": "distinct", "column": "status"}],
                "dimensions": ["order_id"]
                """));
    assertThat(sketched.status()).isEqualTo(400);
    assertThat(sketched.message()).contains("/dimensions gives more than 1000 groups");
  }

  @Test
  void shardsThatAreMissingAreTold() {
    String body = body(BEGIN, BEGIN.plus(DAYS), measures(", \"onPartial\": \"partial\""));
    gateway.proxy(1).refuse();
    gateway.proxy(1).cut();
    try {
      Answer answer = ask(body);
      assertThat(answer.status()).as("%s", answer.body()).isEqualTo(200);
      assertThat(answer.body().get("complete").asBoolean()).isFalse();
      assertThat(answer.body().get("completeness").get("missing").get(0).get("shard").asText())
          .isEqualTo("s1");
      assertThat(ask(body.replace("\"partial\"", "\"fail\"")).code()).isEqualTo("SW803");
    } finally {
      gateway.proxy(1).heal();
      // Forgets that the shard kept failing.
      gateway.restart();
    }
  }

  @Test
  void oneSilentShardLeavesTimeForTheOthers() {
    String body =
        body(
            BEGIN,
            BEGIN.plus(DAYS),
            """
            "aggregates": [{"function": "count"}, {"function": "distinct", "column": "order_id"}],
            "onPartial": "partial"
            """);
    String page =
        body(BEGIN, BEGIN.plus(DAYS), "\"select\": [\"order_id\"], \"onPartial\": \"partial\", ")
            .replaceFirst(", *\\}\\s*$", "}");
    assertThat(ask(body).status()).isEqualTo(200);
    assertThat(gateway.query(page).status()).as("%s", page).isEqualTo(200);
    gateway.proxy(1).stall();
    try {
      Answer answer = gateway.query(page.replaceFirst("\\}\\s*$", ", \"count\": \"exact\"}"));
      assertThat(answer.status()).as("%s", answer.body()).isEqualTo(200);
      assertThat(missing(answer)).containsExactly("s1");
      long others = answer.body().get("count").get("value").asLong();
      assertThat(others).isBetween(1_000L, 1_900L);

      Answer estimate = gateway.query(page.replaceFirst("\\}\\s*$", ", \"count\": \"estimate\"}"));
      assertThat(missing(estimate)).containsExactly("s1");
      assertThat(estimate.body().get("count").get("value").asLong()).isPositive();
    } finally {
      gateway.proxy(1).heal();
      gateway.restart();
    }
  }

  private static List<String> missing(Answer answer) {
    List<String> missing = new ArrayList<>();
    answer
        .body()
        .get("completeness")
        .get("missing")
        .forEach(shard -> missing.add(shard.get("shard").asText()));
    return missing;
  }

  @Test
  void momentsThatADatabaseDoesNotKeepAreRefused() {
    for (String range :
        List.of(
            "\"from\": \"9999-12-31T00:00:00Z\", \"to\": \"+10000-01-01T00:00:00Z\"",
            "\"from\": \"-0001-01-01T00:00:00Z\", \"to\": \"-0001-01-02T00:00:00Z\"",
            "\"from\": \"-999999999-01-01T00:00:00+18:00\", \"to\": \"2011-01-01T00:00:00Z\"")) {
      Answer answer =
          ask(
              """
              {"table": "orders", "aggregates": [{"function": "count"}], "by": {"unit": "day"},
               "time": {"column": "created_at", %s}}
              """
                  .formatted(range));
      assertThat(answer.code()).as(range).isEqualTo("SW801");
      assertThat(answer.message()).contains("/time is beyond the years 1 to 9999");
    }
    Answer later =
        ask(
            body(
                BEGIN,
                BEGIN.plus(DAYS),
                measures(
                    ", \"where\": [{\"column\": \"paid_at\", \"lt\":"
                        + " \"+10000-01-01T00:00:00Z\"}]")));
    assertThat(later.status()).isEqualTo(kind() == Kind.POSTGRESQL ? 200 : 400);
  }

  @Test
  void intervalsOfLongAgo() {
    Instant old = Instant.parse("0900-02-28T22:30:00Z");
    List<Row> few = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      few.add(row(9_000 + i, old.plus(Duration.ofMinutes(30L * i)), i % 2 == 0 ? "" : "a"));
    }
    gateway.insert(few);
    Answer answer =
        ask(
            body(
                old,
                old.plus(Duration.ofHours(5)),
                """
                "aggregates": [{"function": "count"}, {"function": "distinct", "column": "note"}],
                "by": {"unit": "hour"}
                """));
    List<String> groups = new ArrayList<>();
    answer
        .body()
        .get("groups")
        .forEach(
            group ->
                groups.add(
                    group.get("start").asText() + " " + group.get("values").get("count").asInt()));
    assertThat(groups)
        .containsExactly(
            "0900-02-28T22:00:00Z 1",
            "0900-02-28T23:00:00Z 2",
            "0900-03-01T00:00:00Z 2",
            "0900-03-01T01:00:00Z 2",
            "0900-03-01T02:00:00Z 1");
    JsonNode texts =
        answer.body().get("groups").get(1).get("values").get("distinct_note").get("estimate");
    assertThat(texts.asDouble())
        .as("the empty text is one")
        .isCloseTo(2, org.assertj.core.data.Offset.offset(0.1));
  }

  private static Row row(long id, Instant created, String note) {
    return new Row(id, id, 1, 1, 1L, note, created, null);
  }
}
