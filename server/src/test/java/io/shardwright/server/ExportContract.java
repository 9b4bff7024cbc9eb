package io.shardwright.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.github.luben.zstd.ZstdInputStream;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import io.shardwright.catalog.Move;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.migration.Moves;
import io.shardwright.query.GatewayDirectory;
import io.shardwright.routing.BucketSet;
import io.shardwright.routing.ShardId;
import io.shardwright.server.TestingGateway.Answer;
import io.shardwright.server.TestingGateway.Kind;
import io.shardwright.server.TestingGateway.Row;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.PGConnection;

/** What is exported is what is there, whatever happens meanwhile; a subclass for each database. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ExportContract {
  // Long because: each test reads what the others write.

  private static final Instant DAY = Instant.parse("2011-11-01T00:00:00Z");
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int ROWS = 1_050;
  private static final String ALL =
      "\"order_id\", \"buyer_id\", \"status\", \"amount_cent\", \"note\", \"created_at\","
          + " \"paid_at\"";

  private final List<Row> rows = new ArrayList<>();
  private TestingGateway gateway;
  private Path root;
  private String rules;

  abstract Kind kind();

  @BeforeAll
  void open(@TempDir Path directory) {
    root = directory;
    rules =
        TestingGateway.QUERY
            + "  directory: "
            + root.resolve("kept")
            + "\n  exports: {span: 48h, rate: 800, file_rows: 250, patience: 3s}\n";
    gateway = new TestingGateway(kind(), 3, rules);
    RandomGenerator random = new SplittableRandom(7);
    List<String> notes = List.of("", "a", "é\"q\"", "x,y", "one\r\ntwo", "null", " ");
    for (int i = 0; i < ROWS; i++) {
      rows.add(
          new Row(
              1_000 + i,
              random.nextInt(200),
              random.nextInt(5),
              random.nextInt(3),
              random.nextInt(4) == 0 ? null : random.nextLong(1L << 60) - (1L << 59),
              random.nextInt(4) == 0 ? null : notes.get(random.nextInt(notes.size())),
              DAY.plus(Duration.ofMinutes(random.nextInt(600))).plusNanos(1_000L * i % 3_000),
              random.nextInt(3) == 0 ? null : DAY.plusSeconds(random.nextInt(4))));
    }
    gateway.insert(rows);
    rows.sort(Comparator.comparing(Row::createdAt).thenComparing(Row::orderId));
  }

  @AfterAll
  void close() {
    gateway.close();
  }

  private static String body(String select, String more) {
    return """
        {"table": "orders", "select": [%s],
         "time": {"column": "created_at", "from": "2011-11-01T00:00:00Z",
                  "to": "2011-11-02T00:00:00Z"}%s}
        """
        .formatted(select, more.isEmpty() ? "" : ", " + more);
  }

  private Answer post(String body, String... headers) {
    return gateway.send(HttpRequest.BodyPublishers.ofString(body), "POST", "/v1/exports", headers);
  }

  private Answer ask(String method, String path, String... headers) {
    return gateway.send(HttpRequest.BodyPublishers.noBody(), method, "/v1/exports" + path, headers);
  }

  private String start(String body, String... headers) {
    Answer answer = post(body, headers);
    assertThat(answer.status()).as("%s", answer.body()).isEqualTo(202);
    assertThat(answer.body().path("state").asText()).isIn("queued", "running", "done");
    return answer.body().path("exportId").asText();
  }

  private JsonNode await(String id, Predicate<JsonNode> condition, String... headers) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    JsonNode export = ask("GET", "/" + id, headers).body();
    while (!condition.test(export)) {
      assertThat(System.nanoTime()).as("%s", export).isLessThan(deadline);
      export = ask("GET", "/" + id, headers).body();
    }
    return export;
  }

  private JsonNode done(String id, String... headers) {
    JsonNode export = await(id, e -> isOver(e), headers);
    assertThat(export.path("state").asText()).as("%s", export).isEqualTo("done");
    return export.path("manifest");
  }

  private static boolean isOver(JsonNode export) {
    return !List.of("queued", "running").contains(export.path("state").asText());
  }

  private void awaitRows(String id, int written) {
    JsonNode export = await(id, e -> isOver(e) || e.at("/progress/rows").asInt() >= written);
    assertThat(export.path("state").asText()).as("%s", export).isEqualTo("running");
  }

  private byte[] file(String id, String name, String... headers) {
    HttpResponse<byte[]> response =
        gateway.download("/v1/exports/" + id + "/files/" + name, headers);
    assertThat(response.statusCode()).isEqualTo(200);
    return response.body();
  }

  private List<String> csv(String id, JsonNode manifest, String... headers) {
    StringBuilder text = new StringBuilder();
    List<String> lines = new ArrayList<>();
    for (JsonNode file : manifest.path("files")) {
      String name = file.path("name").asText();
      byte[] bytes = file(id, name, headers);
      assertThat(sha256(bytes)).isEqualTo(file.path("sha256").asText());
      assertThat(bytes).hasSize(file.path("bytes").asInt());
      List<String> part = lines(unpacked(name, bytes));
      assertThat(part).hasSize(file.path("rows").asInt() + 1);
      lines.addAll(part.subList(1, part.size()));
      text.append(part.get(0)).append('\n');
    }
    assertThat(text.toString().lines().distinct()).hasSize(1);
    return lines;
  }

  /** As PostgreSQL's COPY: nothing is NULL, and quotes are the empty text. */
  private static List<String> lines(byte[] text) {
    List<String> lines = new ArrayList<>();
    // Apart from the reader of CSV, which does not tell the two.
    String marked =
        new String(text, StandardCharsets.UTF_8).replaceAll("(?<=,)\"\"(?=[,\r])", "EMPTY");
    try (CsvReader<CsvRecord> reader = CsvReader.builder().ofCsvRecord(marked)) {
      reader.forEach(record -> lines.add(String.join("|", record.getFields())));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return lines;
  }

  private static byte[] unpacked(String name, byte[] bytes) {
    try (InputStream in =
        name.endsWith(".gz")
            ? new GZIPInputStream(new ByteArrayInputStream(bytes))
            : name.endsWith(".zst")
                ? new ZstdInputStream(new ByteArrayInputStream(bytes))
                : new ByteArrayInputStream(bytes)) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  private static String line(Row row) {
    return Stream.of(
            row.orderId(),
            row.buyerId(),
            row.status(),
            row.amountCent(),
            row.note() != null && row.note().isEmpty() ? "EMPTY" : row.note(),
            row.createdAt(),
            row.paidAt())
        .map(value -> value == null ? "" : value.toString())
        .reduce((a, b) -> a + "|" + b)
        .orElseThrow();
  }

  private List<String> expected() {
    return rows.stream().map(ExportContract::line).toList();
  }

  @Test
  void export_isTheScan_whileRowsAreWrittenAndBucketsMove() throws Exception {
    gateway.restartWith(rules.replace("rate: 800, file_rows: 250", "rate: 50, file_rows: 100"));
    long before = gateway.source().bucketMap("orders").version();
    AtomicBoolean over = new AtomicBoolean();
    CompletableFuture<Integer> written =
        CompletableFuture.supplyAsync(() -> writeBeside(over), task -> new Thread(task).start());
    String id = start(body(ALL, ""));
    awaitRows(id, 100);
    move("0-31", new ShardId("s2"));
    awaitRows(id, 100);
    gateway.restartWith(rules);
    JsonNode manifest = done(id);
    over.set(true);

    assertThat(written.join()).isPositive();
    assertThat(csv(id, manifest)).isEqualTo(expected());
    assertThat(manifest.at("/mapVersion/first").asLong()).isEqualTo(before);
    assertThat(manifest.at("/mapVersion/last").asLong()).isGreaterThan(before);
  }

  /** On the next day and the one before. */
  private int writeBeside(AtomicBoolean over) {
    int count = 0;
    while (!over.get()) {
      Instant time = count % 2 == 0 ? DAY.plus(Duration.ofDays(1)) : DAY.minusNanos(1_000);
      gateway.insert(List.of(new Row(50_000 + count, count, 1, 1, 1L, "n", time, null)));
      count++;
    }
    return count;
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

  @Test
  void manifest_saysWhatTheFilesAre() {
    String body = body(ALL, "\"compression\": \"none\"");
    String id = start(body);
    JsonNode manifest = done(id);

    assertThat(manifest.path("rows").asInt()).isEqualTo(ROWS);
    assertThat(manifest.path("files")).hasSize(5);
    assertThat(manifest.at("/files/0/name").asText()).isEqualTo("orders-00000.csv");
    assertThat(manifest.at("/files/0/rows").asInt()).isEqualTo(250);
    assertThat(manifest.at("/files/4/rows").asInt()).isEqualTo(50);
    assertThat(manifest.at("/files/0/first").asText())
        .isEqualTo(rows.get(0).createdAt().toString());
    assertThat(manifest.at("/files/4/last").asText())
        .isEqualTo(rows.get(ROWS - 1).createdAt().toString());
    assertThat(manifest.at("/sums/amount_cent").asText())
        .isEqualTo(
            rows.stream()
                .filter(row -> row.amountCent() != null)
                .map(row -> java.math.BigInteger.valueOf(row.amountCent()))
                .reduce(java.math.BigInteger.ZERO, java.math.BigInteger::add)
                .toString());
    assertThat(manifest.at("/sums/order_id").asLong())
        .isEqualTo(rows.stream().mapToLong(Row::orderId).sum());
    assertThat(manifest.path("sums").has("note")).isFalse();
    assertThat(manifest.path("cutOff").asText()).isEqualTo("2011-11-02T00:00:00Z");
    assertThat(manifest.at("/request/time/column").asText()).isEqualTo("created_at");
    assertThat(manifest.path("shards")).hasSize(3);
    for (JsonNode shard : manifest.path("shards")) {
      for (String when : List.of("begun", "ended")) {
        JsonNode position = shard.path(when);
        if (kind() == Kind.POSTGRESQL) {
          assertThat(position.path("snapshot").asText()).matches("\\d+:\\d+:[\\d,]*");
          assertThat(position.path("wal").asText()).matches("[0-9A-F]+/[0-9A-F]+");
        } else {
          assertThat(position.path("gtid").asText()).matches("(\\d+-\\d+-\\d+,?)*");
        }
      }
    }
    OpenApi document = document();
    assertThat(document.mistakes("ExportManifest", manifest)).isEmpty();
    assertThat(document.mistakes("Export", withoutManifest(ask("GET", "/" + id).body()))).isEmpty();
    assertThat(document.mistakes("Exports", ask("GET", "").body())).isEmpty();
    assertThat(file(id, "manifest.json")).asString(StandardCharsets.UTF_8).contains(id);
    String again = start(body);
    JsonNode second = done(again);
    assertThat(second.path("run").asInt()).isEqualTo(manifest.path("run").asInt() + 1);
    assertThat(second.path("files")).isEqualTo(manifest.path("files"));
  }

  private OpenApi document() {
    try {
      return new OpenApi(new ObjectMapper().readTree(gateway.get("/v1/openapi.json")));
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** It has a schema of its own. */
  private static JsonNode withoutManifest(JsonNode export) {
    return ((ObjectNode) export).without("manifest");
  }

  @Test
  void parquet_hasEveryRow() throws IOException {
    for (String compression : List.of("zstd", "gzip", "none")) {
      String id =
          start(
              body(
                  ALL + ", \"seller_id\"",
                  "\"format\": \"parquet\", \"compression\": \"" + compression + "\""));
      JsonNode manifest = done(id);
      List<String> read = new ArrayList<>();
      for (JsonNode file : manifest.path("files")) {
        byte[] bytes = file(id, file.path("name").asText());
        assertThat(sha256(bytes)).isEqualTo(file.path("sha256").asText());
        Path path = Files.write(root.resolve("read.parquet"), bytes);
        read.addAll(ParquetRows.read(path));
      }
      assertThat(read)
          .as(compression)
          .isEqualTo(rows.stream().map(ExportContract::parquet).toList());
    }
  }

  private static String parquet(Row row) {
    return Stream.of(
            row.orderId(),
            row.buyerId(),
            row.status(),
            row.amountCent(),
            row.note(),
            row.createdAt(),
            row.paidAt(),
            row.sellerId())
        .map(String::valueOf)
        .reduce((a, b) -> a + "|" + b)
        .orElseThrow();
  }

  @Test
  void stopOfTheServer_takesNothingFromTheFiles() throws IOException {
    for (String more : List.of("\"compression\": \"zstd\"", "\"format\": \"parquet\"")) {
      String whole = start(body(ALL, more));
      JsonNode expected = done(whole).path("files");
      String id = start(body(ALL, more));
      for (int written : new int[] {300, 800}) {
        awaitRows(id, written);
        gateway.restart(() -> leave(root.resolve("kept/exports"), id));
      }

      JsonNode manifest = done(id);
      assertThat(manifest.path("files")).isEqualTo(expected);
      assertThat(manifest.path("rows").asInt()).isEqualTo(ROWS);
      for (JsonNode file : manifest.path("files")) {
        assertThat(sha256(file(id, file.path("name").asText())))
            .isEqualTo(file.path("sha256").asText());
      }
      assertThat(root.resolve("kept/exports/half-made")).doesNotExist();
    }
  }

  /** What a machine that stops at the worst moment leaves. */
  private static void leave(Path exports, String id) {
    try {
      Path half = Files.createDirectories(exports.resolve("half-made"));
      Files.writeString(half.resolve("job.json.unfinished"), "{");
      Path job = exports.resolve(id);
      Files.writeString(job.resolve("job.json.unfinished"), "{\"format\": 1");
      for (String ending : List.of(".csv.zst", ".parquet")) {
        for (int number = 0; number < 5; number++) {
          String name = "orders-0000" + number + ending;
          if (!Files.readString(job.resolve("job.json")).contains(name)) {
            Files.writeString(job.resolve(name), "longer than nothing".repeat(10_000));
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void cancel_endsItAndItsFilesGo() throws IOException {
    String id = start(body(ALL, ""));
    awaitRows(id, 300);

    Answer cancelled = ask("DELETE", "/" + id);

    assertThat(cancelled.status()).isEqualTo(200);
    assertThat(cancelled.body().path("state").asText()).isEqualTo("cancelled");
    awaitFilesGone(id);
    gateway.restart();
    assertThat(ask("GET", "/" + id).body().path("state").asText()).isEqualTo("cancelled");
    assertThat(ask("DELETE", "/" + id).body().path("state").asText()).isEqualTo("cancelled");
    Answer file = ask("GET", "/" + id + "/files/orders-00000.csv.gz");
    assertThat(file.status()).isEqualTo(404);
    assertThat(file.code()).isEqualTo("SW809");
    assertThat(file.message()).contains("is cancelled");
  }

  private void awaitFilesGone(String id) throws IOException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (count(id) > 1) {
      assertThat(System.nanoTime()).isLessThan(deadline);
    }
  }

  private long count(String id) throws IOException {
    try (Stream<Path> files = Files.list(root.resolve("kept/exports").resolve(id))) {
      return files.count();
    }
  }

  @Test
  void expiry_takesTheFilesAndLaterTheName() throws IOException {
    String id = start(body("\"order_id\"", "\"where\": [{\"column\": \"status\", \"eq\": 1}]"));
    done(id);
    String expires = ask("GET", "/" + id).body().path("expires").asText();
    assertThat(Instant.parse(expires))
        .isEqualTo(gateway.clock().instant().plus(Duration.ofDays(1)));

    gateway.clock().step(Duration.ofHours(24).minusMillis(1));
    assertThat(ask("GET", "/" + id).body().path("state").asText()).isEqualTo("done");
    gateway.clock().step(Duration.ofMillis(1));
    assertThat(ask("GET", "/" + id).body().path("state").asText()).isEqualTo("expired");
    assertThat(count(id)).isEqualTo(1);
    assertThat(ask("GET", "/" + id + "/files/manifest.json").message()).contains("is expired");
    gateway.clock().step(Duration.ofDays(90));
    assertThat(ask("GET", "/" + id).status()).isEqualTo(404);
    assertThat(root.resolve("kept/exports").resolve(id)).doesNotExist();
  }

  @Test
  void noRows_areAFileOfNames() {
    String id = start(body(ALL, "\"where\": [{\"column\": \"status\", \"eq\": 9}]"));
    JsonNode manifest = done(id);

    assertThat(manifest.path("rows").asInt()).isZero();
    assertThat(manifest.path("files")).hasSize(1);
    assertThat(csv(id, manifest)).isEmpty();
    assertThat(manifest.at("/files/0/first").isNull()).isTrue();
  }

  @Test
  void mistakes_areAllTold() {
    Answer answer =
        post(
            """
            {"table": "orders", "select": ["order_id", "secret"], "limit": 5,
             "time": {"column": "created_at", "from": "2011-11-01T00:00:00Z",
                      "to": "2011-11-09T00:00:00Z"},
             "where": [{"column": "status", "eq": "x"}],
             "format": "xls", "compression": "rar"}
            """);

    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.code()).isEqualTo("SW801");
    List<String> places = new ArrayList<>();
    answer.body().at("/error/problems").forEach(p -> places.add(p.path("at").asText()));
    assertThat(places)
        .containsExactlyInAnyOrder(
            "/limit", "/select/1", "/time", "/where/status/eq", "/format", "/compression");
    assertThat(post("{").status()).isEqualTo(400);
    assertThat(post("{}").status()).isEqualTo(400);
    assertThat(ask("GET", "/nothing").status()).isEqualTo(404);
    assertThat(ask("DELETE", "/..%2F..").status()).isIn(400, 404);
    assertThat(ask("GET", "/x/files/..%2Fjob.json").status()).isIn(400, 404);
  }

  @Test
  void noIndex_isRefused() {
    Answer answer = post(body("\"order_id\"", "").replace("created_at", "paid_at"));

    assertThat(answer.code()).as("%s", answer.body()).isEqualTo("SW804");
  }

  @Test
  void shardThatIsAway_isWaitedFor() {
    String id = start(body(ALL, ""));
    awaitRows(id, 200);
    gateway.proxy(1).refuse();
    gateway.proxy(1).cut();
    for (int i = 0; i < 50; i++) {
      ask("GET", "/" + id);
    }
    gateway.proxy(1).heal();

    assertThat(csv(id, done(id))).isEqualTo(expected());
  }

  @Test
  void shardThatStaysAway_failsItWithTheReason() throws IOException {
    String id = start(body(ALL, ""));
    awaitRows(id, 200);
    gateway.proxy(1).refuse();
    gateway.proxy(1).cut();
    JsonNode export = await(id, ExportContract::isOver);
    gateway.proxy(1).heal();

    assertThat(export.path("state").asText()).isEqualTo("failed");
    assertThat(export.path("reason").asText())
        .contains("no page of all shards could be had for PT3S", "s1");
    assertThat(export.path("manifest").isNull()).isTrue();
    awaitFilesGone(id);
    done(start(body("\"order_id\"", "")));
  }

  @Test
  void secondGateway_onTheSameDirectory_isRefused() {
    assertThatThrownBy(gateway::startSecond)
        .isInstanceOf(ShardwrightException.class)
        .hasMessageContaining("SW808")
        .hasMessageContaining("is held by another gateway");
    done(start(body("\"order_id\"", "")));
  }

  @Test
  void callers_seeTheirOwnAsFarAsTheyMay() {
    String access =
        """
          roles:
            ops: {exports: true, unmasked: true}
            seller: {columns: [order_id, note, seller_id], rows: 20, exports: true, where: {status: [1, 2]}}
            reader: {}
          tokens:
            - {name: olga, hash: "sha256:%s", role: ops}
            - {name: seller-3, hash: "sha256:%s", role: seller, where: {seller_id: 3}}
            - {name: rita, hash: "sha256:%s", role: reader}
        """
            .formatted(hash("T-ops"), hash("T-seller"), hash("T-reader"));
    String masked =
        rules
            .replace("filter: [status, seller_id, buyer_id, note,", "filter: [status, seller_id,")
            .replace("order: [amount_cent, note]", "mask: [note]");
    gateway.restartWith(masked + access);
    try {
      String id = start(body("\"order_id\", \"note\"", ""), bearer("T-seller"));
      List<Long> mine =
          rows.stream()
              .filter(row -> row.sellerId() == 3 && row.status() > 0)
              .map(Row::orderId)
              .toList();
      JsonNode manifest = done(id, bearer("T-seller"));
      List<String> lines = csv(id, manifest, bearer("T-seller"));
      assertThat(lines.stream().map(line -> Long.valueOf(line.substring(0, 4))).toList())
          .isEqualTo(mine);
      assertThat(lines).allMatch(line -> line.matches("(?s)\\d{4}\\|(\\*{4}(\ntwo)?)?"));
      assertThat(manifest.path("sums").has("order_id")).isTrue();

      for (Answer answer :
          List.of(
              ask("GET", "/" + id, bearer("T-ops")),
              ask("DELETE", "/" + id, bearer("T-ops")),
              ask("GET", "/" + id + "/files/manifest.json", bearer("T-ops")))) {
        assertThat(answer.status()).isEqualTo(404);
        assertThat(answer.code()).isEqualTo("SW809");
      }
      assertThat(ask("GET", "", bearer("T-ops")).body().path("exports")).isEmpty();
      assertThat(ask("GET", "", bearer("T-seller")).body().path("exports")).hasSize(1);
      assertThat(ask("GET", "/" + id).status()).isEqualTo(401);
      assertThat(post(body("\"order_id\"", ""), bearer("T-reader")).message())
          .contains("role reader, which may not export");

      String begun = start(body("\"order_id\"", ""), bearer("T-ops"));
      gateway.restartWith(masked + access.replace("unmasked: true", "where: {status: 1}"));
      JsonNode failed = await(begun, ExportContract::isOver, bearer("T-ops"));
      assertThat(failed.path("state").asText()).isEqualTo("failed");
      assertThat(failed.path("reason").asText()).contains("what olga may see has changed");
    } finally {
      gateway.restartWith(rules);
    }
  }

  private Path job(String id) {
    return root.resolve("kept/exports").resolve(id);
  }

  /** From now on its record cannot be replaced, as on a full disk, until its files are deleted. */
  private Path block(String id) throws IOException {
    Path block = Files.createDirectories(job(id).resolve("job.json.unfinished"));
    Files.writeString(block.resolve("x"), "x");
    return block;
  }

  private String slowly() {
    return rules.replace("rate: 800, file_rows: 250", "rate: 200, file_rows: 100");
  }

  private String running() {
    String id = start(body(ALL, "\"compression\": \"none\""));
    await(id, e -> isOver(e) || e.at("/progress/files").asInt() >= 1);
    return id;
  }

  @Test
  void diskThatFails_leavesNoRecordOfFilesThatAreGone() throws IOException {
    gateway.restartWith(slowly());
    try {
      String id = running();
      block(id);
      JsonNode failed = await(id, ExportContract::isOver);

      assertThat(failed.path("state").asText()).isEqualTo("failed");
      assertThat(failed.path("reason").asText())
          .contains("job.json under query.directory cannot be read or written")
          .doesNotContain(root.toString());
      awaitFilesGone(id);
      gateway.restart();
      assertThat(ask("GET", "/" + id).body().path("state").asText()).isEqualTo("failed");

      // Not even the record goes: then its files stay, too.
      String stays = running();
      Path kept = job(stays).resolve("job.json");
      Files.move(kept, job(stays).resolve("aside"));
      Files.createDirectory(kept);
      Files.writeString(kept.resolve("x"), "x");
      await(stays, ExportContract::isOver);
      Answer refused = ask("DELETE", "/" + stays);
      assertThat(refused.status()).isEqualTo(503);
      assertThat(refused.code()).isEqualTo("SW808");
      assertThat(refused.message()).doesNotContain(root.toString());
      assertThat(job(stays).resolve("orders-00000.csv")).exists();
      Files.delete(kept.resolve("x"));
      Files.delete(kept);
      assertThat(ask("DELETE", "/" + stays).status()).isEqualTo(200);
      awaitFilesGone(stays);
      assertThat(kept).content().contains("\"failed\"");
    } finally {
      gateway.restartWith(rules);
    }
  }

  @Test
  void diskThatIsFull_holdsUpNoCancellation() throws IOException {
    String done = start(body(ALL, ""));
    done(done);
    block(done);
    Answer expired = ask("DELETE", "/" + done);
    assertThat(expired.status()).as("%s", expired.body()).isEqualTo(200);
    assertThat(expired.body().path("state").asText()).isEqualTo("expired");
    assertThat(count(done)).isEqualTo(1);

    gateway.restartWith(slowly());
    try {
      String id = running();
      block(id);
      assertThat(ask("DELETE", "/" + id).body().path("state").asText()).isEqualTo("cancelled");
      awaitFilesGone(id);
      gateway.restart();
      assertThat(ask("GET", "/" + id).body().path("state").asText()).isEqualTo("cancelled");
      assertThat(ask("GET", "/" + done).body().path("state").asText()).isEqualTo("expired");
    } finally {
      gateway.restartWith(rules);
    }
  }

  @Test
  void filesThatAreGone_areNotPassedOver() throws IOException {
    gateway.restartWith(slowly());
    try {
      for (String left : List.of("", "short")) {
        String id = running();
        gateway.restart(
            () -> {
              try {
                Path file = job(id).resolve("orders-00000.csv");
                if (left.isEmpty()) {
                  Files.delete(file);
                } else {
                  Files.writeString(file, left);
                }
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
        JsonNode failed = await(id, ExportContract::isOver);
        assertThat(failed.path("state").asText()).isEqualTo("failed");
        assertThat(failed.path("reason").asText())
            .contains("its file orders-00000.csv")
            .contains(left.isEmpty() ? "is gone" : "has 5 bytes instead of");
        awaitFilesGone(id);
      }
    } finally {
      gateway.restartWith(rules);
    }
    String done = start(body(ALL, ""));
    done(done);
    Files.delete(job(done).resolve("orders-00001.csv.gz"));
    Answer answer = ask("GET", "/" + done + "/files/orders-00001.csv.gz");
    assertThat(answer.status()).isEqualTo(404);
    assertThat(answer.code()).isEqualTo("SW809");
    assertThat(answer.message())
        .contains("is damaged: its file orders-00001.csv.gz is gone")
        .doesNotContain(root.toString());
  }

  private static String tokens(String role, String token) {
    return """
          roles: {seller: {%s}}
          tokens: [{name: seller-1, hash: "sha256:%s", role: seller, %s}]
        """
        .formatted(role, hash("T-seller"), token);
  }

  @Test
  void rightsThatAreGone_giveNoFiles() {
    String where = "where: {seller_id: 1}";
    gateway.restartWith(rules + tokens("exports: true", where));
    try {
      String id = start(body("\"order_id\", \"note\"", ""), bearer("T-seller"));
      done(id, bearer("T-seller"));
      String path = "/" + id + "/files/";
      for (String now :
          List.of(
              rules + tokens("exports: false", where),
              rules + tokens("exports: true, columns: [order_id]", where),
              rules + tokens("exports: true", "where: {seller_id: 2}"),
              rules
                      .replace("buyer_id, note,", "buyer_id,")
                      .replace("order: [amount_cent, note]", "mask: [note]")
                  + tokens("exports: true", where))) {
        gateway.restartWith(now);
        for (String name : List.of("orders-00000.csv.gz", "manifest.json")) {
          Answer answer = ask("GET", path + name, bearer("T-seller"));
          assertThat(answer.status()).as("%s %s", now, answer.body()).isEqualTo(404);
          assertThat(answer.code()).isEqualTo("SW809");
        }
        JsonNode told = ask("GET", "/" + id, bearer("T-seller")).body();
        assertThat(told.path("manifest").isNull()).isTrue();
        assertThat(told.path("reason").asText()).containsAnyOf("has changed", "no exports");
      }
      gateway.restartWith(rules + tokens("exports: true", where));
      assertThat(file(id, "orders-00000.csv.gz", bearer("T-seller"))).isNotEmpty();
    } finally {
      gateway.restartWith(rules);
    }
  }

  @Test
  void tokenThatExpired_isNotWrittenFor() throws IOException {
    String slow = slowly() + tokens("exports: true", "where: {seller_id: [0, 1, 2]}");
    gateway.restartWith(slow);
    try {
      String id = start(body("\"order_id\"", ""), bearer("T-seller"));
      await(id, e -> e.at("/progress/files").asInt() >= 1, bearer("T-seller"));
      gateway.restartWith(
          slow.replace("role: seller,", "role: seller, expires: \"2026-05-01T00:00:00Z\","));
      long deadline = System.nanoTime() + PATIENCE.toNanos();
      while (!Files.readString(job(id).resolve("job.json")).contains("\"failed\"")) {
        assertThat(System.nanoTime()).isLessThan(deadline);
      }
      gateway.restartWith(slow);
      assertThat(ask("GET", "/" + id, bearer("T-seller")).body().path("reason").asText())
          .contains("the token of seller-1 expired at 2026-05-01T00:00:00Z");
    } finally {
      gateway.restartWith(rules);
    }
  }

  @Test
  void endOfDataOfPostgres_isAValue() throws Exception {
    List<String> notes = List.of("a", "\\.", "", "\\.x", "b");
    Instant day = DAY.minus(Duration.ofDays(30));
    for (int i = 0; i < notes.size(); i++) {
      gateway.insert(
          List.of(new Row(90_000 + i, i, 0, 1, 1L, notes.get(i), day.plusSeconds(i), null)));
    }
    String id =
        start(
            body("\"note\"", "\"compression\": \"none\"")
                .replace("2011-11-01", "2011-10-02")
                .replace("2011-11-02", "2011-10-03"));
    done(id);
    byte[] csv = file(id, "orders-00000.csv");
    assertThat(csv)
        .asString(StandardCharsets.UTF_8)
        .isEqualTo("note\r\na\r\n\"\\.\"\r\n\"\"\r\n\\.x\r\nb\r\n");
    if (kind() == Kind.POSTGRESQL) {
      try (Connection connection = gateway.direct(0);
          Statement statement = connection.createStatement()) {
        statement.execute("CREATE TEMP TABLE copied (note text)");
        connection
            .unwrap(PGConnection.class)
            .getCopyAPI()
            .copyIn("COPY copied FROM STDIN (FORMAT csv, HEADER)", new ByteArrayInputStream(csv));
        List<String> copied = new ArrayList<>();
        try (ResultSet read = statement.executeQuery("SELECT note FROM copied")) {
          while (read.next()) {
            copied.add(read.getString(1));
          }
        }
        assertThat(copied).isEqualTo(notes);
      }
    }
  }

  @Test
  void filesAndRecords_areTheOwners() throws IOException {
    String id = start(body("\"order_id\"", ""));
    done(id);
    for (Path directory : List.of(job(id), job(id).getParent())) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory)))
          .isEqualTo("rwx------");
    }
    for (String name : List.of("job.json", "orders-00000.csv.gz")) {
      assertThat(
              PosixFilePermissions.toString(Files.getPosixFilePermissions(job(id).resolve(name))))
          .isEqualTo("rw-------");
    }
  }

  @Test
  void startThatFails_holdsNoDirectory() throws IOException {
    Path other = Files.createDirectories(root.resolve("other"));
    Path wrong = Files.writeString(other.resolve("exports"), "a file");
    String there = rules.replace(root.resolve("kept").toString(), other.toString());
    assertThatThrownBy(() -> gateway.restartWith(there)).hasMessageContaining("SW808");
    assertThatThrownBy(() -> gateway.restartWith(there)).hasMessageContaining("exports under");
    Files.delete(wrong);
    gateway.restartWith(there);
    done(start(body("\"order_id\"", "")));
    gateway.restartWith(rules);
  }

  @Test
  void thousandsThatAreOver_areForgotten() throws IOException {
    String over = start(body(ALL, ""));
    ask("DELETE", "/" + over);
    awaitFilesGone(over);
    Path exports = root.resolve("kept/exports");
    String record = Files.readString(job(over).resolve("job.json"));
    List<String> copies = new ArrayList<>();
    gateway.restart(
        () -> {
          try {
            for (int i = 0; i < 1_000; i++) {
              String id = new UUID(1, i).toString();
              copies.add(id);
              Files.writeString(
                  Files.createDirectories(exports.resolve(id)).resolve("job.json"),
                  record
                      .replace(over, id)
                      .replaceAll(
                          "\"created\" : \"[^\"]*\"",
                          "\"created\" : \"" + DAY.plusSeconds(i) + "\""));
            }
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
    String id = start(body("\"order_id\"", ""));
    done(id);
    assertThat(ask("GET", "").body().path("exports").size()).isEqualTo(1_000);
    assertThat(ask("GET", "/" + copies.get(0)).status()).isEqualTo(404);
    assertThat(exports.resolve(copies.get(0))).doesNotExist();
    assertThat(ask("GET", "/" + copies.get(999)).status()).isEqualTo(200);

    // Those that have files are not forgotten.
    String whole = Files.readString(job(id).resolve("job.json"));
    gateway.restart(
        () -> {
          try {
            for (String copy : copies) {
              Files.writeString(
                  Files.createDirectories(exports.resolve(copy)).resolve("job.json"),
                  whole.replace(id, copy));
            }
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
    Answer refused = post(body("\"order_id\"", ""));
    assertThat(refused.status()).isEqualTo(429);
    assertThat(refused.message()).contains("keep their files");
    gateway.restart(() -> copies.forEach(copy -> GatewayDirectory.delete(exports.resolve(copy))));
    done(start(body("\"order_id\"", "")));
  }

  private static String[] bearer(String token) {
    return new String[] {"Authorization", "Bearer " + token};
  }

  private static String hash(String token) {
    return sha256(token.getBytes(StandardCharsets.UTF_8));
  }
}
