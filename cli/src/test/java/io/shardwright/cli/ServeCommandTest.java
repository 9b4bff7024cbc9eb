package io.shardwright.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServeCommandTest {
  private static final String QUERY =
      """
      query:
        cursor_keys: [0123456789abcdef0123456789abcdef]
        tables:
          orders: {id: [tenant_id, buyer_id, order_id], times: {created: created_at}}
      """;
  private static final long PATIENCE_SECONDS = 60;

  @TempDir Path directory;

  private TestingShards shards(String query) throws Exception {
    TestingShards shards = TestingShards.ready(directory, 2);
    Files.writeString(Path.of(shards.file()), query, StandardOpenOption.APPEND);
    return shards;
  }

  @Test
  void serve_answersUntilItIsStopped() throws Exception {
    TestingShards shards = shards(QUERY);
    String insert =
        "INSERT INTO orders (order_id, tenant_id, buyer_id, created_at) VALUES"
            + " (1, 1, 1, '2011-11-01 10:00Z'), (2, 1, 2, '2011-11-01 11:00Z'), (3, 1, 3,"
            + " '2011-11-01 12:00Z'), (4, 1, 3, '2011-11-02 00:00Z')";
    assertThat(Shell.run("sql", "-c", shards.file(), insert).exit()).isZero();
    String index = "CREATE INDEX orders_created ON orders (created_at, order_id)";
    assertThat(Shell.run("sql", "-c", shards.file(), index).exit()).isZero();

    Process serve =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "serve",
                "-c",
                shards.file(),
                "--port",
                "0")
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader out = serve.inputReader(StandardCharsets.UTF_8)) {
      String line = out.readLine();
      assertThat(line).startsWith("serving on http://127.0.0.1:");
      HttpRequest request =
          HttpRequest.newBuilder(URI.create(line.substring("serving on ".length()) + "/v1/query"))
              .POST(
                  HttpRequest.BodyPublishers.ofString(
                      "{\"table\": \"orders\", \"select\": [\"order_id\"], \"time\": {\"purpose\":"
                          + " \"created\", \"from\": \"2011-11-01T00:00:00Z\", \"to\":"
                          + " \"2011-11-02T00:00:00Z\"}}"))
              .build();
      HttpResponse<String> answer =
          HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
      assertThat(answer.body())
          .contains("\"rows\":[{\"order_id\":3},{\"order_id\":2},{\"order_id\":1}]");
      serve.toHandle().destroy();
      assertThat(out.readLine()).isEqualTo("stopping");
      assertThat(out.readLine()).isEqualTo("stopped");
      assertThat(serve.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    } finally {
      serve.destroyForcibly();
    }
  }

  @Test
  void serve_withoutRules_saysWhatToWrite() throws Exception {
    Shell.Run run = Shell.run("serve", "-c", shards("").file(), "--port", "0");
    assertThat(run.exit()).isEqualTo(3);
    assertThat(run.err()).contains("SW101: query is missing in the file");
  }

  @Test
  void serve_rulesThatDoNotFitTheTables_areAllTold() throws Exception {
    String query =
        """
        query:
          cursor_keys: [0123456789abcdef0123456789abcdef]
          tables:
            orders: {id: [order_id], times: {created: day}, select: [order_id, nothing]}
        """;
    Shell.Run run = Shell.run("serve", "-c", shards(query).file(), "--port", "0");
    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.err())
        .contains("SW105: ", "names column nothing", "times.created is day", "id is [order_id]");
  }

  @Test
  void serve_onAnAddressOfOthers_isRefused() throws Exception {
    Shell.Run run = Shell.run("serve", "-c", shards(QUERY).file(), "--host", "0.0.0.0");
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).contains("0.0.0.0 can be reached from other machines");
  }
}
