package io.shardwright.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.catalog.Catalog;
import io.shardwright.errors.ErrorCode;
import io.shardwright.ids.KeyCodec;
import io.shardwright.ids.OrderNumber;
import io.shardwright.ids.OrderNumberFormat;
import io.shardwright.routing.BucketId;
import io.shardwright.schema.PlacementCheck;
import io.shardwright.schema.PlacementReport;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Column t of table samples holds numbers that carry the route key k, or its bucket. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class CarriedKeyContract {
  private static final String INSERT = "INSERT INTO samples (k, id, t) VALUES (?, ?, ?)";
  private static final String BY_NUMBER = "SELECT id FROM samples WHERE t = ?";

  private final TestingDatabase database;
  private final Numbers numbers;
  private TestingShards shards;

  /** A kind of numbers. */
  interface Numbers {
    /** As the file declares it. */
    String id();

    /** What such a number is, in messages. */
    String rule();

    String reason();

    String number(TestingShards shards, long k, long id);

    /** Texts that are none of these numbers, whatever number is made of one. */
    List<String> malformed(String number);
  }

  /** They carry the key. */
  record Codec() implements Numbers {
    private static final KeyCodec FORMAT = KeyCodec.of("h2r_{base36 k}_{base36 id}");

    @Override
    public String id() {
      return "{column: t, type: codec, pattern: '" + FORMAT + "'}";
    }

    @Override
    public String rule() {
      return "h2r_";
    }

    @Override
    public String reason() {
      return "route key in t of samples";
    }

    @Override
    public String number(TestingShards shards, long k, long id) {
      return FORMAT.encode(List.of(k, id));
    }

    @Override
    public List<String> malformed(String number) {
      return List.of("h2r_7_", number.toUpperCase(Locale.ROOT), number + " ", "", "x");
    }
  }

  /** They carry the bucket. */
  record OrderNumbers() implements Numbers {
    private static final OrderNumberFormat FORMAT = new OrderNumberFormat("SO", 64);

    @Override
    public String id() {
      return "{column: t, type: order_number, prefix: SO}";
    }

    @Override
    public String rule() {
      return "generation 0, with the prefix 'SO'";
    }

    @Override
    public String reason() {
      return "bucket in t of samples";
    }

    @Override
    public String number(TestingShards shards, long k, long id) {
      return FORMAT.text(number(0, shards.samplesBucket(k), id));
    }

    private static OrderNumber number(int generation, int bucket, long id) {
      return new OrderNumber(
          generation, Instant.parse("2026-03-01T12:00:00Z"), new BucketId(bucket), 5, (int) id);
    }

    @Override
    public List<String> malformed(String number) {
      int bucket = FORMAT.parse(number).orElseThrow().gene().value();
      char last = number.charAt(number.length() - 1);
      return List.of(
          number.substring(0, number.length() - 1) + (last == '0' ? '1' : '0'),
          FORMAT.text(number(1, bucket, 1)),
          new OrderNumberFormat("PO", 64).text(number(0, bucket, 1)),
          new OrderNumberFormat("SO", 1024).text(number(0, 700, 1)),
          number.toLowerCase(Locale.ROOT),
          number + " ",
          "",
          "x");
    }
  }

  CarriedKeyContract(TestingDatabase database, Numbers numbers) {
    this.database = database;
    this.numbers = numbers;
  }

  @BeforeAll
  void open() {
    shards = TestingShards.withIndexes(database, 3, "{max: 4, timeout: 3s}", "{}\n" + id());
  }

  @AfterAll
  void close() {
    shards.close();
  }

  @AfterEach
  void clear() {
    shards.assertIdle();
    shards.clear();
  }

  private String id() {
    return "    id: " + numbers.id();
  }

  private String number(long k, long id) {
    return numbers.number(shards, k, id);
  }

  private void insert(long k, long id) throws SQLException {
    shards.update(INSERT, k, id, number(k, id));
  }

  private List<StatementTrace> traced(ThrowingCallable work) throws Throwable {
    List<StatementTrace> traces = new ArrayList<>();
    StatementListener listener = traces::add;
    shards.source().addListener(listener);
    try {
      work.call();
    } finally {
      shards.source().removeListener(listener);
    }
    return traces;
  }

  private static void assertRefused(ThrowingCallable call, ErrorCode code, String... parts) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getMessage()).startsWith(code.code()))
        .hasMessageContainingAll(parts);
  }

  @Test
  void aNumberAlone_findsItsRow_onOneShard() throws Throwable {
    for (long k = 1; k <= 20; k++) {
      insert(k, k * 100);
    }
    for (long k = 1; k <= 20; k++) {
      long key = k;
      List<StatementTrace> traces =
          traced(
              () ->
                  assertThat(shards.rows(BY_NUMBER, number(key, key * 100)))
                      .containsExactly("" + key * 100));
      assertThat(traces).extracting(StatementTrace::physicalStatements).containsExactly(1);
      assertThat(traces.get(0).reason()).isEqualTo(numbers.reason());
    }
  }

  @Test
  void aForgedOrMistypedNumber_findsNothing_onOneShard() throws Throwable {
    insert(7, 700);
    List<String> texts = new ArrayList<>(numbers.malformed(number(7, 700)));
    texts.addAll(List.of(number(7, 701), number(8, 700)));
    for (String text : texts) {
      List<StatementTrace> traces =
          traced(() -> assertThat(shards.rows(BY_NUMBER, text)).as(text).isEmpty());
      assertThat(traces).extracting(StatementTrace::physicalStatements).containsExactly(1);
    }
  }

  @Test
  void severalNumbers_andOtherConditions() throws Throwable {
    for (long k = 1; k <= 20; k++) {
      insert(k, k);
    }
    assertThat(
            shards.rows(
                "SELECT id FROM samples WHERE t IN (?, ?, ?, 'none') ORDER BY id",
                number(3, 3),
                number(17, 17),
                number(4, 5)))
        .containsExactly("3", "17");
    assertThat(shards.rows("SELECT id FROM samples WHERE t = ? OR k = 5 ORDER BY id", number(9, 9)))
        .containsExactly("5", "9");
    assertThat(shards.rows(BY_NUMBER + " AND k = 4", number(3, 3))).isEmpty();
    assertThat(shards.rows(BY_NUMBER, (Object) null)).isEmpty();
    assertThat(
            shards.rows(
                "SELECT a.id FROM samples a JOIN samples b ON b.k = a.k WHERE b.t = ?",
                number(6, 6)))
        .containsExactly("6");
  }

  @Test
  void updateAndDelete_goToTheRowsShard() throws Throwable {
    insert(7, 700);
    insert(8, 800);
    List<StatementTrace> traces =
        traced(
            () -> {
              assertThat(shards.update("UPDATE samples SET v = 'a' WHERE t = ?", number(7, 700)))
                  .isEqualTo(1);
              assertThat(shards.update("DELETE FROM samples WHERE t = ?", number(8, 800)))
                  .isEqualTo(1);
              assertThat(shards.update("DELETE FROM samples WHERE t = ?", number(8, 700))).isZero();
            });
    assertThat(traces).extracting(StatementTrace::physicalStatements).containsExactly(1, 1, 1);
    assertThat(shards.rows("SELECT id, v FROM samples")).containsExactly("700|a");
  }

  @Test
  void aNumberOfAnotherKey_isNotStored() throws Throwable {
    insert(7, 700);
    assertRefused(() -> shards.update(INSERT, 7, 1, number(8, 1)), ErrorCode.ID_GENE_MISMATCH, "t");
    assertRefused(() -> shards.update(INSERT, 7, 1, "A-17"), ErrorCode.ID_MALFORMED, "t");
    for (String text : numbers.malformed(number(7, 700))) {
      assertRefused(
          () -> shards.update(INSERT, 7, 1, text), ErrorCode.ID_MALFORMED, "t", numbers.rule());
      assertRefused(
          () -> shards.update("UPDATE samples SET t = ? WHERE k = 7", text),
          ErrorCode.ID_MALFORMED,
          numbers.rule());
    }
    assertRefused(
        () -> shards.update("INSERT INTO samples (k, id, t) VALUES (7, 1, concat('h2r_', '7'))"),
        ErrorCode.ROUTE_KEY_MISSING,
        "t of samples");
    assertRefused(
        () -> shards.update("UPDATE samples SET t = ? WHERE k = 7", number(8, 700)),
        ErrorCode.ID_GENE_MISMATCH,
        "t of samples");
    assertRefused(
        () -> shards.update("UPDATE samples SET t = ? WHERE id = 700", number(7, 700)),
        ErrorCode.ROUTE_KEY_UPDATE,
        "WHERE");
    assertRefused(
        () -> shards.update("UPDATE samples SET t = lower(t) WHERE k = 7"),
        ErrorCode.ROUTE_KEY_MISSING,
        "expression");
    assertThat(shards.rows("SELECT id, t FROM samples")).containsExactly("700|" + number(7, 700));
  }

  /** The flow for a number that holds the database's own identity value. */
  @Test
  void aNumberOfARowsOwnIdentity_isSetInTheInsertsTransaction() throws Throwable {
    try (Connection connection = shards.connect()) {
      connection.setAutoCommit(false);
      TestingShards.update(connection, INSERT, 7L, 700L, null);
      long id;
      try (PreparedStatement made =
          connection.prepareStatement("SELECT max(id) FROM samples WHERE k = 7")) {
        try (ResultSet row = made.executeQuery()) {
          row.next();
          id = row.getLong(1);
        }
      }
      TestingShards.update(
          connection, "UPDATE samples SET t = ? WHERE k = 7 AND id = ?", number(7, id), id);
      connection.commit();
    }
    assertThat(shards.rows(BY_NUMBER, number(7, 700))).containsExactly("700");
  }

  @Test
  void batchesAndSeveralRows_areChecked() throws Throwable {
    assertThat(
            shards.update(
                "INSERT INTO samples (k, id, t) VALUES (1, 1, ?), (2, 2, ?), (3, 3, NULL)",
                number(1, 1),
                number(2, 2)))
        .isEqualTo(3);
    assertRefused(
        () ->
            shards.update(
                "INSERT INTO samples (k, id, t) VALUES (4, 4, ?), (5, 5, ?)",
                number(4, 4),
                number(9, 5)),
        ErrorCode.ID_GENE_MISMATCH,
        "t of samples");
    assertThat(shards.rows("SELECT id FROM samples ORDER BY id")).containsExactly("1", "2", "3");
  }

  @Test
  void rowsThatOthersWroteWrong_areFoundByTheCheckOfPlacement() throws Throwable {
    insert(7, 700);
    int shard = Integer.parseInt(shards.shardOf(8).substring(1));
    shards.onShard(
        shard,
        "INSERT INTO samples (bucket_id, k, id, t) VALUES ("
            + shards.samplesBucket(8)
            + ", 8, 1, '"
            + number(9, 1)
            + "')");
    PlacementReport report;
    try (Catalog catalog = Catalog.open(shards.configuration())) {
      report = PlacementCheck.run(shards.configuration(), catalog.load());
    }
    assertThat(report.violatingRows()).isEqualTo(Map.of(PlacementReport.Kind.WRONG_NUMBER, 1L));
  }

  @Test
  void adoptedNumbers_areFoundByTheirLookupIndex() throws Throwable {
    try (TestingShards adopting =
        TestingShards.withIndexes(
            database,
            3,
            "{max: 6, timeout: 3s}",
            "{by_t: {columns: [t], unique: true}}\n" + id())) {
      adopting.source().lookupIndexes().create("samples.by_t", 0, (done, all, report) -> {});
      adopting.update(INSERT, 7L, 700L, "HT-1");
      adopting.update(INSERT, 8L, 800L, number(8, 800));
      String other = numbers.malformed(number(8, 800)).get(1);
      adopting.update(INSERT, 9L, 900L, other);
      List<StatementTrace> traces = new ArrayList<>();
      adopting.source().addListener(traces::add);
      assertThat(adopting.rows(BY_NUMBER, "HT-1")).containsExactly("700");
      assertThat(adopting.rows(BY_NUMBER, number(8, 800))).containsExactly("800");
      assertThat(adopting.rows(BY_NUMBER, other)).containsExactly("900");
      assertThat(traces).extracting(StatementTrace::physicalStatements).containsExactly(2, 1, 2);
      assertThat(
              adopting.rows(
                  "SELECT id FROM samples WHERE t IN ('HT-1', ?) ORDER BY id", number(8, 800)))
          .containsExactly("700", "800");
    }
  }
}
