package io.shardwright.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.testkit.Ports;
import io.shardwright.testkit.TcpProxy;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import redis.clients.jedis.RedisClient;
import redis.embedded.RedisServer;

/** Two processes that share places of a unique lookup index through a real Redis server. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SharedLookupCacheTest {
  private static final String INSERT = "INSERT INTO samples (k, id, v) VALUES (?, ?, ?)";
  private static final String BY_V = "SELECT id FROM samples WHERE v = ?";

  private RedisServer redis;
  private RedisClient client;
  private int port;
  private TestingShards shards;
  private ShardwrightDataSource other;

  /** Looks nothing up, so it has no cache that its writes would go through. */
  private ShardwrightDataSource writer;

  @BeforeAll
  void open() throws IOException, SQLException {
    port = Ports.free();
    redis =
        RedisServer.newRedisServer()
            .bind("127.0.0.1")
            .port(port)
            .setting("save \"\"")
            .setting("appendonly no")
            .build();
    redis.start();
    client = RedisClient.create("127.0.0.1", port);
    shards = open(port);
    other = shards.openDirect();
    writer = shards.openDirect();
    assertThat(found(shards.source(), "none")).isEqualTo("[] by 2");
  }

  private static TestingShards open(int port) throws SQLException {
    TestingShards opened =
        TestingShards.withIndexes(
            TestingDatabase.POSTGRESQL,
            2,
            "{max: 6, timeout: 3s}",
            "{by_v: {columns: [v], unique: true, cache: {redis: true}}}",
            "redis: {url: \"redis://127.0.0.1:" + port + "\", timeout: 2s}\n");
    opened.source().lookupIndexes().create("samples.by_v", 0, (done, all, report) -> {});
    return opened;
  }

  @AfterAll
  void close() throws IOException {
    writer.close();
    other.close();
    shards.close();
    client.close();
    redis.stop();
  }

  @AfterEach
  void forget() {
    client.flushAll();
  }

  private void insert(int key, String value) throws SQLException {
    try (Connection connection = writer.getConnection()) {
      TestingShards.update(connection, INSERT, key, key, value);
    }
  }

  private static String found(ShardwrightDataSource source, String value) throws SQLException {
    List<StatementTrace> traces = new ArrayList<>();
    StatementListener listener = traces::add;
    source.addListener(listener);
    try (Connection connection = source.getConnection()) {
      List<String> rows = TestingShards.rows(connection, BY_V, value);
      return rows + " by " + traces.get(0).physicalStatements();
    } finally {
      source.removeListener(listener);
    }
  }

  @Test
  void whatOneProcessKnows_theOtherDoesNotAskFor() throws SQLException {
    insert(1, "shared");
    assertThat(found(shards.source(), "shared")).isEqualTo("[1] by 2");
    assertThat(found(other, "shared")).isEqualTo("[1] by 1");
    shards.update(INSERT, 2, 2, "written");
    assertThat(found(other, "written")).as("written through").isEqualTo("[2] by 1");
  }

  @Test
  void keysShowNoValues_andPlacesExpire() throws SQLException {
    insert(3, "secret-17");
    assertThat(found(shards.source(), "secret-17")).startsWith("[3]");
    Set<String> keys = client.keys("*");
    assertThat(keys).isNotEmpty().allMatch(key -> key.startsWith("shardwright:1:samples.by_v:"));
    assertThat(keys).noneMatch(key -> key.contains("secret"));
    assertThat(keys).allMatch(key -> client.pttl(key) > 0);
  }

  @Test
  void aPlaceThatIsOutOfDate_orNoPlaceAtAll_isFoundOut() throws SQLException {
    insert(4, "wrong");
    assertThat(found(shards.source(), "wrong")).startsWith("[4]");
    for (String key : client.keys("*")) {
      client.set(key, "0123456789abcdef=63");
    }
    assertThat(found(other, "wrong")).startsWith("[4]");
    insert(5, "garbled");
    assertThat(found(shards.source(), "garbled")).isEqualTo("[5] by 2");
    for (String key : client.keys("*")) {
      client.set(key, "what is this");
    }
    assertThat(found(other, "garbled")).isEqualTo("[5] by 2");
  }

  @Test
  void withoutRedis_answersAreTheSame() throws SQLException {
    try (TcpProxy broken = new TcpProxy("127.0.0.1", port);
        TestingShards alone = open(broken.port())) {
      alone.update(INSERT, 6, 6, "alone");
      broken.refuse();
      broken.cut();
      assertThat(found(alone.source(), "alone")).isEqualTo("[6] by 2");
      alone.update(INSERT, 7, 7, "alone-too");
      assertThat(found(alone.source(), "alone-too")).startsWith("[7]");
      assertThat(alone.source().lookupCaches().get("samples.by_v").redisFailures()).isPositive();
    }
  }
}
