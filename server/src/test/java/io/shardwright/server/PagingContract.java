package io.shardwright.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.catalog.Move;
import io.shardwright.migration.Moves;
import io.shardwright.routing.BucketSet;
import io.shardwright.routing.ShardId;
import io.shardwright.server.TestingGateway.Answer;
import io.shardwright.server.TestingGateway.Kind;
import io.shardwright.server.TestingGateway.Row;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Pages one after the other are the whole result; a subclass for each database. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class PagingContract {
  private static final Instant DAY = Instant.parse("2011-11-01T00:00:00Z");
  private static final int PAGES_MAX = 1_000;

  private final List<Row> rows = new ArrayList<>();
  private TestingGateway gateway;

  abstract Kind kind();

  @BeforeAll
  void open() {
    gateway = new TestingGateway(kind(), 3, TestingGateway.QUERY);
    RandomGenerator random = new SplittableRandom(1);
    for (int i = 0; i < 150; i++) {
      rows.add(row(random, i));
    }
    gateway.insert(rows);
  }

  /** Few different values, so that most keys tie, and some are NULL. */
  private static Row row(RandomGenerator random, int i) {
    return new Row(
        1_000 + i,
        random.nextInt(40),
        random.nextInt(5),
        random.nextInt(3),
        random.nextInt(4) == 0 ? null : (long) random.nextInt(6) - 3,
        random.nextInt(4) == 0 ? null : List.of("", "a", "Z", "é", "b'").get(random.nextInt(5)),
        DAY.plus(Duration.ofHours(random.nextInt(8))).plusNanos(1_000L * random.nextInt(2)),
        random.nextInt(3) == 0 ? null : DAY.plusSeconds(random.nextInt(4)));
  }

  @AfterAll
  void close() {
    gateway.close();
  }

  private static String body(String order, int limit, Optional<String> cursor) {
    return """
        {"table": "orders", "select": ["order_id", "status"], "limit": %d, "cursor": %s,
         "time": {"column": "created_at", "from": "2011-11-01T00:00:00Z",
                  "to": "2011-11-02T00:00:00Z"}, "order": %s}
        """
        .formatted(limit, cursor.map(text -> "\"" + text + "\"").orElse("null"), order);
  }

  private List<Long> pages(String order, int limit, Runnable between) {
    List<Long> ids = new ArrayList<>();
    Optional<String> cursor = Optional.empty();
    for (int page = 0; page < PAGES_MAX; page++) {
      Answer answer = gateway.query(body(order, limit, cursor));
      assertThat(answer.status()).as("%s", answer.body()).isEqualTo(200);
      ids.addAll(answer.ids());
      var next = answer.body().path("nextCursor");
      assertThat(answer.body().path("truncated").asBoolean()).isEqualTo(!next.isNull());
      assertThat(answer.body().path("precedingComplete").asBoolean()).isTrue();
      if (next.isNull()) {
        return ids;
      }
      assertThat(answer.ids()).hasSize(limit);
      cursor = Optional.of(next.asText());
      between.run();
    }
    throw new AssertionError("the pages do not end");
  }

  /** As the database puts NULL: PostgreSQL as the largest value, MariaDB as the smallest. */
  private <T extends Comparable<T>> Comparator<T> nulls() {
    return kind() == Kind.POSTGRESQL
        ? Comparator.nullsLast(Comparator.naturalOrder())
        : Comparator.nullsFirst(Comparator.naturalOrder());
  }

  private List<Long> sorted(Comparator<Row> order) {
    return rows.stream().sorted(order).map(Row::orderId).toList();
  }

  private static String order(String... items) {
    StringBuilder json = new StringBuilder("[");
    for (String item : items) {
      String[] words = item.split(" ", -1);
      json.append(json.length() > 1 ? ", " : "");
      json.append("{\"column\": \"" + words[0] + "\", \"dir\": \"" + words[1] + "\"}");
    }
    return json.append("]").toString();
  }

  @Test
  void pages_areTheWholeResult_inEveryOrder() {
    Comparator<Row> created = Comparator.comparing(Row::createdAt);
    Comparator<Row> amount = Comparator.comparing(Row::amountCent, nulls());
    Comparator<Row> note = Comparator.comparing(Row::note, nulls());
    Comparator<Row> paid = Comparator.comparing(Row::paidAt, nulls());
    Comparator<Row> id = Comparator.comparing(Row::orderId);
    for (int limit : new int[] {1, 7, 50, 100}) {
      assertPages(limit, created.reversed().thenComparing(id.reversed()), "created_at desc");
      assertPages(limit, created.thenComparing(id), "created_at asc");
      assertPages(limit, amount.thenComparing(id), "amount_cent asc");
      assertPages(limit, amount.reversed().thenComparing(id.reversed()), "amount_cent desc");
      assertPages(
          limit,
          note.reversed()
              .thenComparing(paid)
              .thenComparing(created.reversed())
              .thenComparing(id.reversed()),
          "note desc",
          "paid_at asc",
          "created_at desc");
      assertPages(limit, id.reversed(), "order_id desc");
    }
  }

  private void assertPages(int limit, Comparator<Row> order, String... items) {
    assertThat(pages(order(items), limit, () -> {}))
        .as("pages of %s by %s", limit, List.of(items))
        .isEqualTo(sorted(order));
  }

  @Test
  void rowsThatWereThere_areGivenOnce_whileOthersAreWritten() {
    RandomGenerator random = new SplittableRandom(2);
    List<Row> written = new ArrayList<>();
    List<Long> ids =
        pages(
            order("created_at desc"),
            10,
            () -> {
              Row row = row(random, 5_000 + written.size());
              written.add(row);
              gateway.insert(List.of(row));
            });
    for (int shard = 0; shard < 3; shard++) {
      gateway.execute(shard, "DELETE FROM orders WHERE order_id >= 6000");
    }

    assertThat(written).isNotEmpty();
    assertThat(new HashSet<>(ids)).hasSameSizeAs(ids);
    assertThat(ids.stream().filter(id -> id < 6_000).toList())
        .isEqualTo(
            sorted(Comparator.comparing(Row::createdAt).thenComparing(Row::orderId).reversed()));
  }

  @Test
  void cursor_survivesARestartAndAMoveOfBuckets() throws Exception {
    AtomicBoolean moved = new AtomicBoolean();
    long before = gateway.source().bucketMap("orders").version();
    List<Long> ids =
        pages(
            order("created_at desc"),
            20,
            () -> {
              if (moved.compareAndSet(false, true)) {
                gateway.restart();
                move("0-31", new ShardId("s2"));
              }
            });

    assertThat(gateway.source().bucketMap("orders").version()).isGreaterThan(before);
    assertThat(ids)
        .isEqualTo(
            sorted(Comparator.comparing(Row::createdAt).thenComparing(Row::orderId).reversed()));
  }

  private void move(String buckets, ShardId target) {
    try (Moves moves = new Moves(gateway.configuration(), "test")) {
      for (Move move :
          moves.create("orders", BucketSet.parse(buckets), target, Move.Options.DEFAULT)) {
        moves.run(move.id(), state -> {});
      }
    }
    gateway.source().refreshMaps();
  }

  private String firstCursor() {
    return gateway
        .query(body(order("created_at desc"), 10, Optional.empty()))
        .body()
        .path("nextCursor")
        .asText();
  }

  private void assertRefused(String request, String why) {
    Answer answer = gateway.query(request);
    assertThat(answer.status()).as("%s", answer.body()).isEqualTo(400);
    assertThat(answer.code()).isEqualTo("SW802");
    assertThat(answer.message()).contains(why);
  }

  @Test
  void cursor_ofAnotherQuery_isRefused() {
    String cursor = firstCursor();
    String same = body(order("created_at desc"), 10, Optional.of(cursor));

    assertThat(gateway.query(same).status()).isEqualTo(200);
    assertThat(gateway.query(same.replace("\"limit\": 10", "\"limit\": 3")).ids()).hasSize(3);
    for (String other :
        List.of(
            same.replace("\"desc\"", "\"asc\""),
            same.replace("T00:00:00Z\"}", "T00:00:01Z\"}")
                .replace("2011-11-02T00:00:01", "2011-11-01T23:00:00"),
            same.replace(
                "\"limit\"", "\"where\": [{\"column\": \"status\", \"eq\": 1}], \"limit\""),
            same.replace(
                "{\"column\": \"created_at\", \"dir\"", "{\"column\": \"paid_at\", \"dir\""))) {
      assertRefused(other, "is of another query");
    }
  }

  @Test
  void cursor_thatWasChanged_isRefused() {
    byte[] bytes = Base64.getUrlDecoder().decode(firstCursor());
    for (int i = 1; i < bytes.length; i++) {
      byte[] changed = bytes.clone();
      changed[i] ^= 1;
      assertRefused(with(changed), "was not signed by this gateway");
    }
    assertRefused(with(new byte[] {1}), "was not signed");
    assertRefused(body(order("created_at desc"), 10, Optional.of("***")), "is no text");
    assertRefused(body(order("created_at desc"), 10, Optional.of("")), "is empty");
  }

  @Test
  void cursor_ofAnotherFormat_isRefused() {
    byte[] bytes = Base64.getUrlDecoder().decode(firstCursor());
    bytes[0] = 0;
    assertRefused(with(bytes), "has format 0, and this release reads format 1");
  }

  private static String with(byte[] cursor) {
    String text = Base64.getUrlEncoder().withoutPadding().encodeToString(cursor);
    return body(order("created_at desc"), 10, Optional.of(text));
  }
}
