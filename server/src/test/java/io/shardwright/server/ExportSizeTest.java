package io.shardwright.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.shardwright.server.TestingGateway.Answer;
import io.shardwright.server.TestingGateway.Kind;
import io.shardwright.server.TestingGateway.Row;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.LongStream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Many rows in a small heap. With {@code -Dshardwright.export.rows=1000000 -Xmx128m} it is what
 * docs/gateway.md states; in the build a small form of it runs.
 */
class ExportSizeTest {
  private static final int ROWS = Integer.getInteger("shardwright.export.rows", 20_000);
  private static final int SHARDS = 2;
  private static final Instant DAY = Instant.parse("2011-11-01T00:00:00Z");
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  @TempDir Path root;

  @ParameterizedTest
  @ValueSource(strings = {"csv", "parquet"})
  void everyRow_isThereOnceInOrder(String format) throws IOException, SQLException {
    String rules =
        TestingGateway.QUERY
                .replace("rows: 100", "rows: 1000")
                .replace("timeout: 2s", "timeout: 9s")
            + "  directory: "
            + root.resolve("kept")
            + "\n  exports: {rate: 1000000, file_rows: "
            + Math.max(100, ROWS / 4)
            + "}\n";
    try (TestingGateway gateway = new TestingGateway(Kind.POSTGRESQL, SHARDS, rules)) {
      fill(gateway);
      long start = System.nanoTime();
      JsonNode manifest = export(gateway, format);
      long millis = Duration.ofNanos(System.nanoTime() - start).toMillis();
      System.out.printf(
          "%s: %d rows in %d ms, heap at most %d MiB%n",
          format, ROWS, millis, Runtime.getRuntime().maxMemory() >> 20);

      assertThat(manifest.path("rows").asInt()).isEqualTo(ROWS);
      assertThat(manifest.path("files")).hasSize(4);
      assertThat(manifest.at("/sums/order_id").asLong()).isEqualTo(LongStream.range(0, ROWS).sum());
      long next = 0;
      for (JsonNode file : manifest.path("files")) {
        Path path =
            root.resolve("kept/exports")
                .resolve(manifest.path("exportId").asText())
                .resolve(file.path("name").asText());
        next = format.equals("csv") ? checkCsv(path, next) : checkParquet(path, next);
      }
      assertThat(next).isEqualTo(ROWS);
    }
  }

  /** Past Shardwright, into a bucket that each shard owns; ids and times alternate between them. */
  private static void fill(TestingGateway gateway) throws SQLException {
    gateway.insert(
        LongStream.range(0, 20)
            .mapToObj(i -> new Row(-1 - i, i, 1, 1, 1L, "n", DAY, null))
            .toList());
    for (int shard = 0; shard < SHARDS; shard++) {
      int bucket;
      try (Connection connection = gateway.direct(shard);
          Statement statement = connection.createStatement();
          ResultSet row = statement.executeQuery("SELECT bucket_id FROM orders LIMIT 1")) {
        row.next();
        bucket = row.getInt(1);
      }
      gateway.execute(shard, "DELETE FROM orders");
      gateway.execute(
          shard,
          "INSERT INTO orders SELECT %d, n, n, 1, 1, n * 3, 'note of ' || n, timestamptz '%s' + n *"
                  .formatted(bucket, DAY)
              + " interval '50 ms', NULL FROM generate_series(%d, %d, %d) n"
                  .formatted(shard, ROWS - 1, SHARDS));
      gateway.execute(shard, "ANALYZE orders");
    }
  }

  private static JsonNode export(TestingGateway gateway, String format) {
    Answer created =
        gateway.send(
            HttpRequest.BodyPublishers.ofString(
                """
                {"table": "orders", "format": "%s",
                 "select": ["order_id", "buyer_id", "amount_cent", "note", "created_at"],
                 "time": {"column": "created_at", "from": "2011-11-01T00:00:00Z",
                          "to": "2011-11-02T00:00:00Z"}}
                """
                    .formatted(format)),
            "POST",
            "/v1/exports");
    assertThat(created.status()).as("%s", created.body()).isEqualTo(202);
    String path = "/v1/exports/" + created.body().path("exportId").asText();
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    JsonNode export = created.body();
    while (List.of("queued", "running").contains(export.path("state").asText())) {
      assertThat(System.nanoTime()).as("%s", export).isLessThan(deadline);
      export = gateway.send(HttpRequest.BodyPublishers.noBody(), "GET", path).body();
    }
    assertThat(export.path("state").asText()).as("%s", export).isEqualTo("done");
    return export.path("manifest");
  }

  private static long checkCsv(Path path, long first) throws IOException {
    long next = first;
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(path)), StandardCharsets.UTF_8))) {
      lines.readLine();
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        assertThat(line).startsWith(next + "," + next + "," + 3 * next + ",note of " + next + ",");
        next++;
      }
    }
    return next;
  }

  private static long checkParquet(Path path, long first) throws IOException {
    long[] next = {first};
    ParquetRows.read(
        path,
        row -> {
          assertThat(row)
              .startsWith(
                  next[0] + "|" + next[0] + "|" + 3 * next[0] + "|note of " + next[0] + "|");
          next[0]++;
        });
    return next[0];
  }
}
