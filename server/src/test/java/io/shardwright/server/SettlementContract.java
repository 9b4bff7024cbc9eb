package io.shardwright.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.shardwright.catalog.Move;
import io.shardwright.migration.Moves;
import io.shardwright.query.GatewayDirectory;
import io.shardwright.routing.BucketSet;
import io.shardwright.routing.ShardId;
import io.shardwright.server.TestingGateway.Answer;
import io.shardwright.server.TestingGateway.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Settlements over HTTP; a subclass for each database. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class SettlementContract {
  // Long because: one gateway serves all cases.

  private static final Instant DAY = Instant.parse("2011-11-01T00:00:00Z");
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private TestingGateway gateway;
  private Path directory;
  private int day;

  abstract Kind kind();

  static String query(Path directory) {
    return TestingGateway.QUERY
            .replace("timeout: 2s", "timeout: 20s")
            .replace("shard_timeout: 1s", "shard_timeout: 2s")
            .replace("paid: paid_at}", "settled: {column: settled_at, assigned: database}}")
            .replace("created_at, paid_at]", "created_at, settled_at]")
        + "  directory: "
        + directory
        + "\n";
  }

  @BeforeAll
  void open() throws IOException {
    directory = Files.createTempDirectory("settlements");
    gateway = new TestingGateway(kind(), 3, query(directory));
  }

  @AfterAll
  void close() {
    gateway.close();
    GatewayDirectory.delete(directory);
  }

  /** Each case has a day of its own, and so a settlement. */
  @BeforeEach
  void nextDay() {
    update("DELETE FROM orders");
    day++;
  }

  private Instant day() {
    return DAY.plus(day, ChronoUnit.DAYS);
  }

  private void insert(long from, long to) {
    try (Connection connection = gateway.source().getConnection()) {
      for (long id = from; id < to; id++) {
        insert(connection, id, day().plusSeconds(id));
      }
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  /**
   * @param settled null: the database assigns it
   */
  private void insert(Connection connection, long id, Instant settled) throws SQLException {
    String columns = "order_id, buyer_id, seller_id, status, amount_cent, created_at";
    String sql =
        settled == null
            ? "INSERT INTO orders (" + columns + ") VALUES (?, ?, ?, 1, ?, ?)"
            : "INSERT INTO orders (" + columns + ", settled_at) VALUES (?, ?, ?, 1, ?, ?, ?)";
    try (PreparedStatement insert = connection.prepareStatement(sql)) {
      insert.setLong(1, id);
      insert.setLong(2, id);
      insert.setLong(3, id % 3);
      insert.setLong(4, 100 + id);
      insert.setObject(5, kind().time(day()));
      if (settled != null) {
        insert.setObject(6, kind().time(settled));
      }
      insert.executeUpdate();
    }
  }

  private void update(String sql) {
    try (Connection connection = gateway.source().getConnection();
        Statement statement = connection.createStatement()) {
      connection
          .unwrap(io.shardwright.driver.ShardwrightSession.class)
          .set("scatter_writes", "allow");
      statement.executeUpdate(sql);
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  private Answer ask(String more) {
    return ask(day(), day().plus(1, ChronoUnit.DAYS), more);
  }

  private Answer ask(Instant from, Instant to, String more) {
    return gateway.query(body(from, to, more));
  }

  private static String body(Instant from, Instant to, String more) {
    return """
        {"table": "orders", "select": ["order_id", "amount_cent", "status"],
         "consistency": "settlement",
         "time": {"column": "settled_at", "from": "%s", "to": "%s"}%s}
        """
        .formatted(from, to, more.isEmpty() ? "" : ", " + more);
  }

  private static JsonNode settlement(Answer answer) {
    assertThat(answer.status()).as("%s", answer.body()).isEqualTo(200);
    return answer.body().path("settlement");
  }

  private static long number(Answer answer) {
    return settlement(answer).path("number").asLong();
  }

  private List<Long> pages(String more) {
    List<Long> ids = new ArrayList<>();
    String cursor = "";
    while (true) {
      Answer answer = ask(more + cursor);
      settlement(answer);
      ids.addAll(answer.ids());
      if (!answer.body().hasNonNull("nextCursor")) {
        return ids;
      }
      cursor = ", \"cursor\": \"" + answer.body().path("nextCursor").asText() + "\"";
    }
  }

  private static List<Long> range(long from, long to) {
    return LongStream.range(from, to).boxed().toList();
  }

  private static List<Long> reversed(List<Long> ids) {
    List<Long> all = new ArrayList<>(ids);
    Collections.reverse(all);
    return all;
  }

  @Test
  void askedAgain_afterManyWritesAndARestart_isTheSame() {
    insert(0, 100);
    Answer first = ask("\"limit\": 7, \"count\": \"exact\"");
    JsonNode made = settlement(first);
    assertThat(made.path("number").asLong()).isEqualTo(1);
    assertThat(made.path("rows").asLong()).isEqualTo(100);
    assertThat(made.at("/sums/amount_cent").asText()).isEqualTo(String.valueOf(100 * 100 + 4950));
    assertThat(made.path("cutOff").asText()).isEqualTo(day().plus(1, ChronoUnit.DAYS).toString());
    assertThat(made.path("difference").isNull()).isTrue();
    assertThat(first.ids()).isEqualTo(reversed(range(93, 100)));
    assertThat(first.body().at("/count/value").asLong()).isEqualTo(100);
    assertThat(first.body().path("complete").asBoolean()).isTrue();
    long rows = 0;
    long sum = 0;
    for (JsonNode shard : made.path("shards")) {
      rows += shard.path("rows").asLong();
      sum += shard.at("/sums/amount_cent").asLong();
      assertThat(shard.path("sha256").asText()).hasSize(64);
      assertThat(Instant.parse(shard.path("passedAt").asText())).isAfter(day());
      assertThat(shard.path("position").asText(":")).as("null without a log").contains(":");
    }
    assertThat(made.path("shards").size()).isEqualTo(3);
    assertThat(rows).isEqualTo(100);
    assertThat(sum).isEqualTo(made.at("/sums/amount_cent").asLong());
    assertThat(pages("\"limit\": 7")).isEqualTo(reversed(range(0, 100)));

    update("UPDATE orders SET amount_cent = amount_cent + 1");
    insert(100, 150);
    update("DELETE FROM orders WHERE order_id < 20");
    for (int i = 0; i < 2; i++) {
      Answer again = ask("\"limit\": 7, \"count\": \"exact\"");
      assertThat(again.body().path("rows")).isEqualTo(first.body().path("rows"));
      assertThat(again.body().path("settlement")).isEqualTo(made);
      assertThat(again.body().path("nextCursor")).isEqualTo(first.body().path("nextCursor"));
      assertThat(pages("\"limit\": 7")).isEqualTo(reversed(range(0, 100)));
      gateway.restart();
    }
    assertThat(pages("\"limit\": 30, \"order\": [{\"column\": \"settled_at\"}]"))
        .isEqualTo(range(0, 100));
  }

  @Test
  void rerun_listsWhatCameLateAndWhatElseDiffers() {
    insert(0, 30);
    Answer first = ask("\"limit\": 10");
    String cursor = first.body().path("nextCursor").asText();
    insert(30, 33);
    update("UPDATE orders SET amount_cent = 7, settled_at = settled_at WHERE order_id = 5");
    update("DELETE FROM orders WHERE order_id = 6");

    assertThat(number(ask(""))).isEqualTo(1);
    Answer second = ask("\"settlement\": {\"rerun\": true}, \"limit\": 3");
    JsonNode difference = settlement(second).path("difference");
    assertThat(number(second)).isEqualTo(2);
    assertThat(settlement(second).path("rows").asLong()).isEqualTo(32);
    assertThat(difference.path("against").asLong()).isEqualTo(1);
    assertThat(difference.path("added").asLong()).isEqualTo(3);
    assertThat(difference.path("removed").asLong()).isEqualTo(1);
    assertThat(difference.path("changed").asLong()).isEqualTo(1);
    assertThat(difference.path("truncated").asBoolean()).isTrue();
    List<String> seen = new ArrayList<>();
    for (int from = 0; from < 5; from += 3) {
      JsonNode page =
          settlement(
                  ask(
                      "\"limit\": 3, \"settlement\": {\"number\": 2, \"differenceFrom\": "
                          + from
                          + "}"))
              .path("difference");
      assertThat(page.path("truncated").asBoolean()).isEqualTo(from == 0);
      page.path("rows")
          .forEach(
              row ->
                  seen.add(
                      row.path("change").asText()
                          + " "
                          + row.at("/before/order_id").asText("")
                          + " "
                          + row.at("/after/amount_cent").asText("")));
    }
    assertThat(seen)
        .containsExactly("added  130", "added  131", "added  132", "removed 6 ", "changed 5 7");

    assertThat(number(ask(""))).as("the last").isEqualTo(2);
    Answer old = ask("\"settlement\": {\"number\": 1}, \"limit\": 10");
    assertThat(old.body().path("rows")).isEqualTo(first.body().path("rows"));
    Answer next = ask("\"limit\": 10, \"cursor\": \"" + cursor + "\"");
    assertThat(number(next)).as("that of the first page").isEqualTo(1);
    assertThat(next.ids()).isEqualTo(reversed(range(10, 20)));
    Answer there = ask("\"settlement\": {\"rerun\": true, \"number\": 2}");
    assertThat(number(there)).as("made already").isEqualTo(2);
    assertThat(ask("\"settlement\": {\"number\": 3}").code()).isEqualTo("SW812");
    assertThat(ask("\"settlement\": {\"rerun\": true, \"number\": 4}").message())
        .contains("the next is 3");
    assertThat(number(ask("\"settlement\": {\"rerun\": true, \"number\": 3}"))).isEqualTo(3);
  }

  @Test
  void openTransaction_isWaitedForAndNamed_andItsRowIsThere() throws SQLException {
    try (Connection writer = gateway.source().getConnection()) {
      writer.setAutoCommit(false);
      Instant begin = Instant.now().truncatedTo(ChronoUnit.MICROS);
      insert(writer, 1, null);
      Instant cutOff = Instant.now().truncatedTo(ChronoUnit.MICROS);

      Answer waits = ask(begin, cutOff, "\"timeoutMs\": 3000");

      assertThat(waits.status()).as("%s", waits.body()).isEqualTo(503);
      assertThat(waits.code()).isEqualTo("SW811");
      assertThat(waits.body().at("/error/retryable").asBoolean()).isTrue();
      assertThat(waits.headers().get("retry-after")).containsExactly("1");
      JsonNode blocker = waits.body().at("/error/blockers/0");
      assertThat(blocker.path("shard").asText()).isIn("s0", "s1", "s2");
      assertThat(blocker.path("who").asText()).matches("(process|connection) \\d+");
      assertThat(blocker.path("user").asText()).isEqualTo(kind().user());
      assertThat(Instant.parse(blocker.path("since").asText())).isBefore(cutOff);
      assertThat(waits.message()).contains(blocker.path("who").asText());

      CompletableFuture<Answer> waiting =
          CompletableFuture.supplyAsync(() -> ask(begin, cutOff, ""));
      writer.commit();
      assertThat(waiting.join().ids()).containsExactly(1L);
    }
  }

  @Test
  void cutOffAhead_isNotMadeAndToldWhenToAsk() {
    Instant cutOff = Instant.now().plusSeconds(1000).truncatedTo(ChronoUnit.SECONDS);

    Answer answer = ask(cutOff.minusSeconds(100), cutOff, "");

    assertThat(answer.status()).isEqualTo(503);
    assertThat(answer.code()).isEqualTo("SW811");
    assertThat(answer.message()).contains("the clock of shard", "past the cut-off " + cutOff);
    assertThat(Integer.parseInt(answer.headers().get("retry-after").get(0))).isBetween(900, 1002);
  }

  @Test
  void whatMayNotBeAsked_isToldAllAtOnce() {
    Answer answer =
        gateway.query(
            """
            {"table": "orders", "select": ["order_id"], "consistency": "settlement",
             "onPartial": "partial", "order": [{"column": "amount_cent"}],
             "time": {"column": "created_at", "from": "2011-11-01T00:00:00Z",
                      "to": "2011-11-02T00:00:00Z"}}
            """);
    List<String> places = new ArrayList<>();
    answer.body().at("/error/problems").forEach(problem -> places.add(problem.path("at").asText()));
    assertThat(answer.status()).isEqualTo(400);
    assertThat(places).containsExactlyInAnyOrder("/onPartial", "/order", "/time");
    assertThat(answer.body().toString()).contains("which applications assign", "use settled_at");
    for (String wrong :
        List.of(
            "\"settlement\": {\"number\": 0}",
            "\"settlement\": {\"rerun\": 1}",
            "\"settlement\": {\"no\": 1}",
            "\"settlement\": 7",
            "\"settlement\": {\"differenceFrom\": -1}")) {
      assertThat(ask(wrong).code()).as(wrong).isEqualTo("SW801");
    }
    assertThat(
            gateway
                .query(
                    body(day(), day().plusSeconds(9), "\"settlement\": {\"number\": 1}")
                        .replace("\"settlement\",", "\"shard-latest\","))
                .code())
        .isEqualTo("SW801");
  }

  @Test
  void shardDown_nothingIsMade() throws IOException {
    insert(0, 10);
    gateway.proxy(1).refuse();
    gateway.proxy(1).cut();
    try {
      Answer answer = ask("");
      assertThat(answer.code()).as("%s", answer.body()).isEqualTo("SW401");
      assertThat(answer.status()).isEqualTo(503);
      assertThat(answer.message()).contains("shard s1");
    } finally {
      gateway.proxy(1).heal();
    }
    insert(10, 12);
    Answer made = awaitMade(() -> ask(""));
    assertThat(number(made)).isEqualTo(1);
    assertThat(settlement(made).path("rows").asLong()).isEqualTo(12);
  }

  private static Answer awaitMade(java.util.function.Supplier<Answer> ask) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    Answer answer = ask.get();
    while (answer.status() == 503) {
      assertThat(System.nanoTime()).as("%s", answer.body()).isLessThan(deadline);
      answer = ask.get();
    }
    return answer;
  }

  @Test
  void equalRequestsAtOnce_makeOneNumber() {
    insert(0, 20);
    for (String more : List.of("", "\"settlement\": {\"rerun\": true}")) {
      List<CompletableFuture<Answer>> asked =
          Stream.generate(() -> CompletableFuture.supplyAsync(() -> ask(more))).limit(6).toList();
      Set<Long> numbers = new HashSet<>();
      Set<String> hashes = new HashSet<>();
      for (CompletableFuture<Answer> one : asked) {
        numbers.add(number(one.join()));
        hashes.add(settlement(one.join()).path("sha256").asText());
      }
      if (more.isEmpty()) {
        assertThat(numbers).containsExactly(1L);
      }
      assertThat(hashes).hasSize(1);
    }
  }

  @Test
  void bucketsThatMoveMeanwhile_loseNoRow() {
    insert(0, 60);
    AtomicBoolean moved = new AtomicBoolean();
    gateway
        .proxy(0)
        .beforeRequest(
            () -> {
              if (moved.compareAndSet(false, true)) {
                move("0-10", new ShardId("s2"));
              }
            });
    try {
      Answer answer = awaitMade(() -> ask("\"limit\": 100"));
      assertThat(moved).isTrue();
      assertThat(answer.ids()).isEqualTo(reversed(range(0, 60)));
    } finally {
      gateway.proxy(0).heal();
    }
    Answer again = ask("\"limit\": 100, \"settlement\": {\"rerun\": true}");
    assertThat(again.body().at("/settlement/sha256")).isNotNull();
    assertThat(settlement(again).at("/difference/added").asLong()).isZero();
    assertThat(settlement(again).at("/difference/removed").asLong()).isZero();
    assertThat(settlement(again).at("/difference/changed").asLong()).isZero();
  }

  private void move(String buckets, ShardId target) {
    try (Moves moves = new Moves(gateway.configuration(), "test")) {
      for (Move move :
          moves.create("orders", BucketSet.parse(buckets), target, Move.Options.DEFAULT)) {
        moves.run(move.id(), state -> {});
      }
    }
  }

  @Test
  void damagedFile_isRefused_andTheNextNumberIsMade() throws IOException {
    insert(0, 10);
    Path rows = directory.resolve("settlements/" + id(ask("")) + "/1.rows");
    byte[] bytes = Files.readAllBytes(rows);
    bytes[bytes.length - 3] ^= 1;
    Files.write(rows, bytes);

    Answer answer = ask("");
    assertThat(answer.status()).isEqualTo(503);
    assertThat(answer.code()).isEqualTo("SW813");
    assertThat(answer.message()).contains("1.rows").doesNotContain(directory.toString());
    Answer next = ask("\"settlement\": {\"rerun\": true}");
    assertThat(number(next)).isEqualTo(2);
    assertThat(settlement(next).path("difference").isNull()).as("nothing to compare").isTrue();
    assertThat(ask("\"settlement\": {\"number\": 1}").code()).isEqualTo("SW813");

    Path manifest = rows.resolveSibling("2.json");
    Files.writeString(
        manifest, Files.readString(manifest).replace("\"rows\" : 10", "\"rows\" : 9"));
    assertThat(ask("").code()).isEqualTo("SW813");
  }

  private static String id(Answer answer) {
    return settlement(answer).path("id").asText();
  }

  @Test
  void numberThatWasCutOffByACrash_isNone() throws IOException {
    insert(0, 10);
    Path made = directory.resolve("settlements/" + id(ask("")));
    for (String left :
        List.of("2.rows", "2.rows.unfinished", "2.difference", "2.json.unfinished")) {
      Files.writeString(made.resolve(left), "what was left behind\n");
    }
    Files.createDirectories(made.resolve("scratch/x"));
    gateway.restart();

    assertThat(number(ask(""))).isEqualTo(1);
    assertThat(ask("\"settlement\": {\"number\": 2}").code()).isEqualTo("SW812");
    Answer next = ask("\"settlement\": {\"rerun\": true}");
    assertThat(number(next)).isEqualTo(2);
    assertThat(next.ids()).hasSize(10);
    try (Stream<Path> files = Files.list(made)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder("1.rows", "1.json", "2.rows", "2.json", "2.difference");
    }
  }

  @Test
  void sameRowsAskedForOtherwise_areTheSameSettlement_andOthersAreNot() {
    insert(0, 12);
    String two =
        "\"where\": [{\"column\": \"status\", \"in\": [1, 2]}, {\"column\": \"seller_id\", \"gte\": 0}]";
    String same =
        "\"where\": [{\"column\": \"seller_id\", \"gte\": 0}, {\"column\": \"status\", \"in\": [2, 1]}]";
    assertThat(id(ask(two))).isEqualTo(id(ask(same))).isNotEqualTo(id(ask("")));
    Answer key = ask("\"where\": [{\"column\": \"buyer_id\", \"eq\": 5}]");
    assertThat(key.ids()).containsExactly(5L);
    assertThat(settlement(key).path("shards").size()).as("all were waited for").isEqualTo(3);
  }
}
