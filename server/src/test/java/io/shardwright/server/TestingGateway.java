package io.shardwright.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.shardwright.config.Configuration;
import io.shardwright.config.ConfigurationReader;
import io.shardwright.driver.Shardwright;
import io.shardwright.driver.ShardwrightDataSource;
import io.shardwright.schema.Apply;
import io.shardwright.schema.ApplyReport;
import io.shardwright.testkit.EmbeddedMariaDbServer;
import io.shardwright.testkit.EmbeddedPostgresServer;
import io.shardwright.testkit.TcpProxy;
import io.shardwright.testkit.TestingClock;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Shards of one database behind proxies, a catalog, orders, and a gateway that serves them. */
final class TestingGateway implements AutoCloseable {
  // Long because: the tables of each database stand beside what fills them.

  static final String QUERY =
      """
      query:
        timeout: 2s
        shard_timeout: 1s
        rows: 100
        rate: 10000
        cursor_keys: [0123456789abcdef0123456789abcdef]
        tables:
          orders:
            id: [order_id]
            times: {created: created_at, paid: paid_at}
            select: [order_id, buyer_id, seller_id, status, amount_cent, note, created_at, paid_at]
            filter: [status, seller_id, buyer_id, note, paid_at, amount_cent]
            order: [amount_cent, note]
            span: 24h
      """;

  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** The databases that the tests run on. */
  enum Kind {
    POSTGRESQL(
        """
        CREATE TABLE orders (
          bucket_id int NOT NULL, order_id bigint NOT NULL, buyer_id bigint NOT NULL,
          seller_id bigint NOT NULL, status smallint NOT NULL, amount_cent bigint,
          note text COLLATE "C", created_at timestamptz NOT NULL, paid_at timestamptz,
          settled_at timestamptz DEFAULT now(), PRIMARY KEY (bucket_id, order_id));
        CREATE INDEX orders_created ON orders (created_at, order_id, bucket_id);
        CREATE INDEX orders_settled ON orders (settled_at, order_id, bucket_id)
        """) {
      @Override
      String create(String prefix) {
        return EmbeddedPostgresServer.shared().createDatabase(prefix);
      }

      @Override
      int port() {
        return EmbeddedPostgresServer.shared().port();
      }

      @Override
      String user() {
        return EmbeddedPostgresServer.shared().user();
      }

      @Override
      String password() {
        return EmbeddedPostgresServer.shared().password();
      }

      @Override
      List<String> mover() {
        return List.of(
            "DO $$ BEGIN IF to_regrole('shardwright_mover') IS NULL THEN CREATE ROLE"
                + " shardwright_mover LOGIN SUPERUSER PASSWORD 'shardwright_mover'; END IF; END $$");
      }

      @Override
      Object time(Instant instant) {
        return instant == null ? null : instant.atOffset(ZoneOffset.UTC);
      }
    },
    MARIADB(
        """
        CREATE TABLE orders (
          bucket_id int NOT NULL, order_id bigint NOT NULL, buyer_id bigint NOT NULL,
          seller_id bigint NOT NULL, status smallint NOT NULL, amount_cent bigint,
          note varchar(40) COLLATE utf8mb4_nopad_bin, created_at datetime(6) NOT NULL,
          paid_at datetime(6), settled_at datetime(6) DEFAULT (utc_timestamp(6)), PRIMARY KEY (bucket_id, order_id));
        CREATE INDEX orders_created ON orders (created_at, order_id, bucket_id);
        CREATE INDEX orders_settled ON orders (settled_at, order_id, bucket_id)
        """) {
      @Override
      String create(String prefix) {
        return EmbeddedMariaDbServer.shared().createDatabase(prefix);
      }

      @Override
      int port() {
        return EmbeddedMariaDbServer.shared().port();
      }

      @Override
      String user() {
        return EmbeddedMariaDbServer.shared().user();
      }

      @Override
      String password() {
        return EmbeddedMariaDbServer.shared().password();
      }

      @Override
      List<String> mover() {
        return List.of(
            "CREATE USER IF NOT EXISTS shardwright_mover@'%' IDENTIFIED BY 'shardwright_mover'",
            "GRANT ALL ON *.* TO shardwright_mover@'%'");
      }

      @Override
      Object time(Instant instant) {
        return instant == null ? null : LocalDateTime.ofInstant(instant, ZoneOffset.UTC);
      }
    };

    private final String tables;

    Kind(String tables) {
      this.tables = tables;
    }

    abstract String create(String prefix);

    abstract int port();

    abstract String user();

    abstract String password();

    /** Makes the role that moves buckets unless it is there. */
    abstract List<String> mover();

    abstract Object time(Instant instant);
  }

  /** A row of orders. */
  record Row(
      long orderId,
      long buyerId,
      long sellerId,
      int status,
      Long amountCent,
      String note,
      Instant createdAt,
      Instant paidAt) {}

  /** What came back. */
  record Answer(int status, JsonNode body, Map<String, List<String>> headers) {
    List<Long> ids() {
      List<Long> ids = new ArrayList<>();
      body.path("rows").forEach(row -> ids.add(row.path("order_id").asLong()));
      return ids;
    }

    String code() {
      return body.path("error").path("code").asText();
    }

    String message() {
      return body.path("error").path("message").asText();
    }
  }

  private final Kind kind;
  private final List<String> urls = new ArrayList<>();
  private final List<TcpProxy> proxies = new ArrayList<>();
  private final HttpClient client = HttpClient.newHttpClient();
  private final String shards;
  private Configuration configuration;
  private final ShardwrightDataSource source;
  private final TestingClock clock = new TestingClock(Instant.parse("2026-06-01T00:00:00Z"));
  private GatewayServer server;

  TestingGateway(Kind kind, int shardCount, String query) {
    this.kind = kind;
    StringBuilder yaml = new StringBuilder("version: 1\ncatalog: ");
    yaml.append(endpoint(kind.create("catalog"), "")).append("\nshards:\n");
    for (int i = 0; i < shardCount; i++) {
      String url = kind.create("shard");
      urls.add(url);
      execute(i, kind.tables);
      TcpProxy proxy = new TcpProxy("localhost", kind.port());
      proxies.add(proxy);
      String proxied = url.replace(":" + kind.port() + "/", ":" + proxy.port() + "/");
      yaml.append("  s")
          .append(i)
          .append(": ")
          .append(endpoint(proxied, ", pool: {max: 16, timeout: 3s}"))
          .append('\n');
    }
    String pkey = kind == Kind.POSTGRESQL ? "orders_pkey" : "PRIMARY";
    yaml.append(
        """
        groups:
          orders:
            key: [buyer_id]
            buckets: 64
            tables: {orders: {unique: {%s: id}}}
        """
            .formatted(pkey));
    yaml.append("mover: {user: shardwright_mover, password: shardwright_mover}\n");
    this.shards = yaml.toString();
    try (Connection connection = direct(0);
        Statement statement = connection.createStatement()) {
      for (String sql : kind.mover()) {
        statement.execute(sql);
      }
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
    configuration = ConfigurationReader.parse("test.yaml", this.shards + query, Map.of());
    ApplyReport report = Apply.run(configuration, Apply.Options.DEFAULT);
    assertThat(report.ok()).as("%s", report).isTrue();
    source = Shardwright.open(configuration);
    server = GatewayServer.start(source, configuration, "localhost", 0, clock);
  }

  private String endpoint(String url, String more) {
    return "{url: \"%s\", user: %s, password: \"%s\"%s}"
        .formatted(url, kind.user(), kind.password(), more);
  }

  /** As after a new release: another process, with the same file. */
  void restart() {
    server.close();
    server = GatewayServer.start(source, configuration, "localhost", 0, clock);
  }

  /** The same after what others did while none was there. */
  void restart(Runnable meanwhile) {
    server.close();
    meanwhile.run();
    server = GatewayServer.start(source, configuration, "localhost", 0, clock);
  }

  /** With other rules of queries. */
  void restartWith(String query) {
    server.close();
    configuration = ConfigurationReader.parse("test.yaml", shards + query, Map.of());
    server = GatewayServer.start(source, configuration, "localhost", 0, clock);
  }

  /** One more beside it. */
  void startSecond() {
    GatewayServer.start(source, configuration, "localhost", 0, clock).close();
  }

  Configuration configuration() {
    return configuration;
  }

  ShardwrightDataSource source() {
    return source;
  }

  /** Of the gateway. */
  int port() {
    return server.port();
  }

  int shards() {
    return urls.size();
  }

  TcpProxy proxy(int shard) {
    return proxies.get(shard);
  }

  /** Past Shardwright, on one shard. */
  void execute(int shard, String sql) {
    try (Connection connection = direct(shard);
        Statement statement = connection.createStatement()) {
      for (String one : sql.split(";\\s*\\n", -1)) {
        statement.execute(one);
      }
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  Connection direct(int shard) throws SQLException {
    return DriverManager.getConnection(urls.get(shard), kind.user(), kind.password());
  }

  void insert(Iterable<Row> rows) {
    String sql =
        "INSERT INTO orders (order_id, buyer_id, seller_id, status, amount_cent, note, created_at,"
            + " paid_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)";
    try (Connection connection = source.getConnection();
        PreparedStatement insert = connection.prepareStatement(sql)) {
      for (Row row : rows) {
        insert.setLong(1, row.orderId());
        insert.setLong(2, row.buyerId());
        insert.setLong(3, row.sellerId());
        insert.setInt(4, row.status());
        insert.setObject(5, row.amountCent(), java.sql.Types.BIGINT);
        insert.setString(6, row.note());
        insert.setObject(7, kind.time(row.createdAt()), timeType());
        insert.setObject(8, kind.time(row.paidAt()), timeType());
        insert.addBatch();
      }
      insert.executeBatch();
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  private int timeType() {
    return kind == Kind.POSTGRESQL
        ? java.sql.Types.TIMESTAMP_WITH_TIMEZONE
        : java.sql.Types.TIMESTAMP;
  }

  void clear() {
    for (int i = 0; i < urls.size(); i++) {
      execute(i, "DELETE FROM orders");
    }
  }

  int running() {
    return server.running();
  }

  TestingClock clock() {
    return clock;
  }

  Answer query(String json) {
    return send(HttpRequest.BodyPublishers.ofString(json), "POST", "/v1/query");
  }

  String get(String path) {
    try {
      return client
          .send(
              HttpRequest.newBuilder(URI.create("http://localhost:" + server.port() + path))
                  .build(),
              HttpResponse.BodyHandlers.ofString())
          .body();
    } catch (InterruptedException | java.io.IOException e) {
      throw new AssertionError(e);
    }
  }

  /** That this gateway serves. */
  OpenApi document() {
    try {
      return new OpenApi(MAPPER.readTree(get("/v1/openapi.json")));
    } catch (java.io.IOException e) {
      throw new AssertionError(e);
    }
  }

  Answer query(String json, String token) {
    return send(
        HttpRequest.BodyPublishers.ofString(json),
        "POST",
        "/v1/query",
        "Authorization",
        "Bearer " + token);
  }

  Answer send(HttpRequest.BodyPublisher body, String method, String path, String... headers) {
    HttpRequest.Builder builder =
        HttpRequest.newBuilder(URI.create("http://localhost:" + server.port() + path))
            .method(method, body);
    HttpRequest request = headers.length == 0 ? builder.build() : builder.headers(headers).build();
    try {
      HttpResponse<byte[]> response = client.send(request, HttpResponse.BodyHandlers.ofByteArray());
      return new Answer(
          response.statusCode(), MAPPER.readTree(response.body()), response.headers().map());
    } catch (InterruptedException | java.io.IOException e) {
      throw new AssertionError(e);
    }
  }

  /** The bytes of a file, and what came with them. */
  HttpResponse<byte[]> download(String path, String... headers) {
    HttpRequest.Builder builder =
        HttpRequest.newBuilder(URI.create("http://localhost:" + server.port() + path));
    try {
      return client.send(
          (headers.length == 0 ? builder : builder.headers(headers)).build(),
          HttpResponse.BodyHandlers.ofByteArray());
    } catch (InterruptedException | java.io.IOException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    server.close();
    source.close();
    proxies.forEach(TcpProxy::close);
  }
}
