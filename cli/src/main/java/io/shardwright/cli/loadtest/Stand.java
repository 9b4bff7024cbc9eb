package io.shardwright.cli.loadtest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.shardwright.config.Configuration;
import io.shardwright.driver.Shardwright;
import io.shardwright.driver.ShardwrightDataSource;
import io.shardwright.driver.StatementTrace;
import io.shardwright.routing.ShardId;
import io.shardwright.server.GatewayServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** A driver and a gateway in this process, and a client that asks over HTTP. Thread-safe. */
final class Stand implements AutoCloseable {
  private static final String HOST = "127.0.0.1";
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** Above the longest time of a query, which the gateway ends itself. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final ShardwrightDataSource source;
  private final GatewayServer server;
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final List<ShardId> shards;
  private final Map<ShardId, LongAdder> statements = new ConcurrentHashMap<>();
  private final Map<Long, ShardId> shardOfBuyer = new ConcurrentHashMap<>();

  /**
   * What the gateway sent.
   *
   * @param status 0: nothing came
   * @param failure when nothing came
   * @param retryAfter whether it says when to ask again
   */
  record Reply(int status, JsonNode body, boolean retryAfter, String failure) {}

  Stand(Configuration configuration) {
    shards = configuration.shardIds();
    source = Shardwright.open(configuration);
    GatewayServer started = null;
    try {
      started = GatewayServer.start(source, configuration, HOST, 0);
    } finally {
      if (started == null) {
        source.close();
      }
    }
    server = started;
    source.addListener(this::executed);
  }

  private void executed(StatementTrace trace) {
    trace
        .shards()
        .forEach(shard -> statements.computeIfAbsent(shard, unused -> new LongAdder()).increment());
  }

  ShardwrightDataSource source() {
    return source;
  }

  List<ShardId> shards() {
    return shards;
  }

  /** Sent since the start, to all shards. */
  Map<String, Long> statements() {
    Map<String, Long> counts = new LinkedHashMap<>();
    for (ShardId shard : shards) {
      LongAdder count = statements.get(shard);
      counts.put(shard.name(), count == null ? 0 : count.sum());
    }
    return counts;
  }

  /** Rows that shards sent since the start for answers of several. */
  long rowsMerged() {
    return source.statistics().total().rowsMerged();
  }

  ShardId shardOf(long buyer) {
    return shardOfBuyer.computeIfAbsent(
        buyer,
        id ->
            source
                .explain("SELECT order_id FROM orders WHERE buyer_id = ?", List.of(id))
                .shards()
                .iterator()
                .next());
  }

  Reply ask(String json, String token) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://" + HOST + ":" + server.port() + "/v1/query"))
            .header("Authorization", "Bearer " + token)
            .timeout(PATIENCE)
            .POST(HttpRequest.BodyPublishers.ofString(json))
            .build();
    try {
      HttpResponse<byte[]> response = client.send(request, HttpResponse.BodyHandlers.ofByteArray());
      return new Reply(
          response.statusCode(),
          MAPPER.readTree(response.body()),
          response.headers().firstValue("Retry-After").isPresent(),
          "");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Reply(0, MissingNode.getInstance(), false, "interrupted");
    } catch (IOException e) {
      return new Reply(0, MissingNode.getInstance(), false, e.toString());
    }
  }

  @Override
  public void close() {
    server.close();
    source.close();
  }
}
