package io.shardwright.routing;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.testkit.EmbeddedPostgresServer;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The contract's second implementation, docs/vectors/routing-v1.sql, in a real server: against the
 * vectors and against the Java one. It is here because this module alone has both a server and the
 * routing code.
 */
class SqlContractTest {
  private static final Path VECTORS = Path.of("..", "docs", "vectors");

  private static final Map<KeyType, String> SQL_EXPRESSIONS =
      Map.of(
          KeyType.INTEGER, "?::text::bigint",
          KeyType.TEXT, "?::text",
          KeyType.FOLDED_TEXT, "rtrim(lower(?::text), ' ')",
          KeyType.UUID, "?::text::uuid",
          KeyType.TIMESTAMP, "?::text::timestamp",
          KeyType.TIMESTAMP_WITH_ZONE, "?::text::timestamptz",
          KeyType.DATE, "?::text::date",
          KeyType.BYTES, "decode(?, 'hex')");

  private static final List<KeyType> TYPES = List.of(KeyType.values());

  private static Connection connection;

  @BeforeAll
  static void installFunctions() throws SQLException, IOException {
    EmbeddedPostgresServer server = EmbeddedPostgresServer.shared();
    connection =
        DriverManager.getConnection(
            server.createDatabase("contract"), server.user(), server.password());
    try (Statement statement = connection.createStatement()) {
      statement.execute(Files.readString(VECTORS.resolve("routing-v1.sql")));
    }
  }

  @AfterAll
  static void disconnect() throws SQLException {
    connection.close();
  }

  @Test
  void sql_ofEveryVector_agrees() throws SQLException, IOException {
    List<String[]> vectors = rows("routing-v1.tsv");
    for (String[] cells : vectors) {
      List<KeyType> types =
          Arrays.stream(cells[0].split(","))
              .map(name -> KeyType.valueOf(name.toUpperCase(Locale.ROOT)))
              .toList();

      Answer answer = ask(types, List.of(cells[1].split("\\|", -1)), Integer.parseInt(cells[4]));

      assertThat(answer)
          .as("%s %s", cells[0], cells[1])
          .isEqualTo(
              new Answer(
                  cells[2],
                  Long.parseUnsignedLong(cells[3], 16),
                  new BucketId(Integer.parseInt(cells[5]))));
    }
    assertThat(vectors).hasSizeGreaterThan(100);
  }

  @Test
  void sql_ofRandomKeys_agreesWithJava() throws SQLException {
    Random random = new Random(6);
    for (int i = 0; i < 3_000; i++) {
      int columns = random.nextInt(3) == 0 ? 1 : 1 + random.nextInt(BucketFunction.MAX_COLUMNS);
      List<KeyType> types = new ArrayList<>();
      List<String> texts = new ArrayList<>();
      List<Object> values = new ArrayList<>();
      for (int column = 0; column < columns; column++) {
        KeyType type = TYPES.get(random.nextInt(TYPES.size()));
        String text = randomText(type, random);
        types.add(type);
        texts.add(text);
        values.add(type == KeyType.BYTES ? HexFormat.of().parseHex(text) : text);
      }
      int buckets = 1 + random.nextInt(BucketFunction.MAX_BUCKETS);
      BucketFunction function = new BucketFunction(types, HashAlgorithm.XXH64, buckets);

      Answer answer = ask(types, texts, buckets);

      assertThat(function.bucket(values)).as("%s %s", types, texts).contains(answer.bucket());
      assertThat(HashAlgorithm.XXH64.hash(HexFormat.of().parseHex(answer.canonical())))
          .isEqualTo(answer.hash());
    }
  }

  @Test
  void sql_ofOtherIntegerTypes_agrees() throws SQLException {
    assertThat(
            queryText(
                """
                SELECT count(DISTINCT k) FROM unnest(ARRAY[
                  shardwright_v1.canonical(4::smallint), shardwright_v1.canonical(4::integer),
                  shardwright_v1.canonical(4::bigint), shardwright_v1.canonical(4.00::numeric(10, 2))
                ]) AS u(k)
                """))
        .isEqualTo("1");
  }

  @Test
  void sql_ofNullComponent_isNull() throws SQLException {
    assertThat(
            queryText(
                "SELECT shardwright_v1.bucket(16, shardwright_v1.canonical(1),"
                    + " shardwright_v1.canonical(NULL::bigint))"))
        .isNull();
  }

  @Test
  void sql_ofGeneIdVectors_agrees() throws SQLException, IOException {
    List<String[]> vectors = rows("gene-id-v1.tsv");
    for (String[] cells : vectors) {
      String decoded =
          queryText(
              "SELECT concat_ws(' ', version, to_char(created_at AT TIME ZONE 'UTC',"
                  + " 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"Z\"'), gene, node, sequence)"
                  + " FROM shardwright_v1.gene_id("
                  + cells[7]
                  + ", "
                  + cells[0]
                  + ")");

      assertThat(decoded)
          .isEqualTo(String.join(" ", cells[1], cells[3], cells[4], cells[5], cells[6]));
    }
    assertThat(vectors).hasSizeGreaterThan(20);
  }

  @Test
  void sql_ofDirectoryVectors_agrees() throws SQLException, IOException {
    List<String[]> vectors = rows("directory-v1.tsv");
    for (String[] cells : vectors) {
      List<String> types = List.of(cells[0].split(",", -1));
      List<String> entries = new ArrayList<>();
      for (String entry : cells[2].split(" ", -1)) {
        String[] parts = entry.split("[=+]", -1);
        List<String> key =
            Arrays.stream(parts[0].split(",", -1))
                .map(value -> URLDecoder.decode(value, StandardCharsets.UTF_8))
                .toList();
        entries.add(
            "ROW(ARRAY["
                + canonical(types, key)
                + "], "
                + parts[1]
                + ", "
                + parts[2]
                + ")::shardwright_v1.entry");
      }
      assertThat(
              queryText(
                  "SELECT shardwright_v1.bucket("
                      + cells[1]
                      + ", ARRAY["
                      + String.join(", ", entries)
                      + "], "
                      + canonical(types, List.of(cells[3].split("\\|", -1)))
                      + ")"))
          .as("%s %s", cells[2], cells[3])
          .isEqualTo(cells[4]);
    }
    assertThat(vectors).hasSizeGreaterThan(50);
  }

  /** Of the first types, as many as there are values. */
  private static String canonical(List<String> types, List<String> values) {
    List<String> components = new ArrayList<>();
    for (int i = 0; i < values.size(); i++) {
      String literal = "'" + values.get(i).replace("'", "''") + "'";
      components.add(
          "shardwright_v1.canonical("
              + SQL_EXPRESSIONS
                  .get(KeyType.valueOf(types.get(i).toUpperCase(Locale.ROOT)))
                  .replace("?", literal)
              + ")");
    }
    return String.join(", ", components);
  }

  private record Answer(String canonical, long hash, BucketId bucket) {}

  private static Answer ask(List<KeyType> types, List<String> texts, int buckets)
      throws SQLException {
    String components =
        types.stream()
            .map(type -> "shardwright_v1.canonical(" + SQL_EXPRESSIONS.get(type) + ")")
            .collect(Collectors.joining(", "));
    String sql =
        "SELECT encode(k, 'hex'), shardwright_v1.xxh64(k), shardwright_v1.bucket(?, VARIADIC c)"
            + " FROM (SELECT ARRAY["
            + components
            + "]) AS a(c), LATERAL (SELECT shardwright_v1.key(VARIADIC c)) AS b(k)";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setInt(1, buckets);
      for (int i = 0; i < texts.size(); i++) {
        statement.setString(i + 2, texts.get(i));
      }
      try (ResultSet rows = statement.executeQuery()) {
        rows.next();
        return new Answer(rows.getString(1), rows.getLong(2), new BucketId(rows.getInt(3)));
      }
    }
  }

  private static String randomText(KeyType type, Random random) {
    LocalDateTime time =
        LocalDateTime.ofEpochSecond(
            random.nextLong(-60_000_000_000L, 250_000_000_000L),
            random.nextInt(1_000_000) * 1_000,
            ZoneOffset.UTC);
    return switch (type) {
      case INTEGER -> Long.toString(random.nextLong() >> random.nextInt(Long.SIZE));
      case TEXT -> randomString(random);
      case FOLDED_TEXT ->
          random
              .ints(random.nextInt(40), ' ', '~' + 1)
              .mapToObj(Character::toString)
              .collect(Collectors.joining());
      case UUID -> new UUID(random.nextLong(), random.nextLong()).toString();
      case TIMESTAMP -> time.toString();
      case TIMESTAMP_WITH_ZONE ->
          time.atOffset(ZoneOffset.ofTotalSeconds(60 * random.nextInt(-720, 840))).toString();
      case DATE -> LocalDate.from(time).toString();
      case BYTES -> {
        byte[] bytes = new byte[random.nextInt(100)];
        random.nextBytes(bytes);
        yield HexFormat.of().formatHex(bytes);
      }
    };
  }

  /** Up to 40 code points of all planes, without NUL and surrogates, which text cannot hold. */
  private static String randomString(Random random) {
    int[] ranges = {0x7f, 0x7ff, 0xd7ff, 0x10ffff};
    return Stream.generate(() -> 1 + random.nextInt(ranges[random.nextInt(ranges.length)]))
        .filter(point -> point < 0xd800 || point > 0xdfff)
        .limit(random.nextInt(40))
        .map(Character::toString)
        .collect(Collectors.joining());
  }

  private static String queryText(String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getString(1);
    }
  }

  private static List<String[]> rows(String file) throws IOException {
    return Files.readAllLines(VECTORS.resolve(file), StandardCharsets.UTF_8).stream()
        .filter(line -> !line.startsWith("#"))
        .skip(1)
        .map(line -> line.split("\t", -1))
        .toList();
  }
}
