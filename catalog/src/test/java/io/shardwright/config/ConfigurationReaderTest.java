package io.shardwright.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.config.Configuration.CodecColumn;
import io.shardwright.config.Configuration.Endpoint;
import io.shardwright.config.Configuration.GeneIdColumn;
import io.shardwright.config.Configuration.Group;
import io.shardwright.config.Configuration.Heat;
import io.shardwright.config.Configuration.Index;
import io.shardwright.config.Configuration.Moves;
import io.shardwright.config.Configuration.OrderNumberColumn;
import io.shardwright.config.Configuration.Pool;
import io.shardwright.config.Configuration.Scatter;
import io.shardwright.config.Configuration.SegmentColumn;
import io.shardwright.config.Configuration.Shard;
import io.shardwright.config.Configuration.SnowflakeColumn;
import io.shardwright.config.Configuration.Table;
import io.shardwright.config.Configuration.UniqueScope;
import io.shardwright.config.Configuration.UuidColumn;
import io.shardwright.config.IndexKind.Covering;
import io.shardwright.config.IndexKind.Freshness;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.ids.KeyCodec;
import io.shardwright.ids.OrderNumberFormat;
import io.shardwright.routing.HashAlgorithm;
import io.shardwright.routing.ScatterPolicy;
import io.shardwright.routing.ScatterRule;
import io.shardwright.routing.ShardId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

// Long because: one test names every key and the whole configuration that comes of it.
class ConfigurationReaderTest {
  private static final String MINIMAL =
      """
      version: 1
      shards:
        s0: {url: "jdbc:postgresql://h/d", user: app}
      groups:
        g:
          key: [k]
          buckets: 16
          tables: {t: {}}
      """;

  @TempDir Path directory;

  @Test
  void parse_minimalFile_hasDefaults() {
    Configuration configuration = ConfigurationReader.parse("f", MINIMAL, Map.of());

    ShardId s0 = new ShardId("s0");
    assertThat(configuration)
        .isEqualTo(
            new Configuration(
                Optional.empty(),
                Map.of(
                    s0,
                    new Shard(
                        s0,
                        new Endpoint("jdbc:postgresql://h/d", "app", ""),
                        new Pool(16, Duration.ofSeconds(3)))),
                Map.of(
                    "g",
                    new Group(
                        "g",
                        List.of("k"),
                        16,
                        HashAlgorithm.XXH64,
                        List.of(),
                        Map.of("t", new Table("t", List.of("k"), Map.of())),
                        new Scatter(
                            new ScatterRule(ScatterPolicy.BOUNDED, "default"),
                            new ScatterRule(ScatterPolicy.REFUSE, "default")),
                        Map.of())),
                List.of(),
                Map.of(),
                Optional.empty(),
                OptionalInt.empty(),
                new Moves(Duration.ofSeconds(10)),
                Optional.empty(),
                new Heat(Duration.ofSeconds(60))));
  }

  @Test
  void parse_everyKey_isMapped() {
    Configuration configuration =
        ConfigurationReader.parse(
            "f",
            """
            version: 1
            catalog: {url: "jdbc:postgresql://c:5433/cat", user: cu, password: "${CAT}"}
            shards:
              s1: {url: "jdbc:postgresql://h1/d", user: u1, password: 0123, pool: {max: 7, timeout: 250ms}, weight: 3, labels: {region: eu, tier: ssd}}
              s0:
                url: jdbc:postgresql://h0/d?sslmode=require
                user: u-${WHO}
                password: "a$${b}"
                pool: {timeout: 2m}
            groups:
              orders:
                key: [tenant_id, buyer_id]
                buckets: 1024
                hash: xxh64
                layout: column
                id:
                  - {column: order_id, type: gene}
                  - {column: refund_no, type: codec, pattern: "r_{decimal buyer_id}_{base36 tenant_id}"}
                  - {column: order_no, type: order_number, prefix: SO}
                  - {column: event_id, type: snowflake}
                  - {column: coupon, type: segment, block: 50000}
                  - {column: seq, type: segment}
                  - {column: trace, type: uuid7}
                tables:
                  orders:
                  order_addresses: {key: [tenant_id, customer_id]}
                  refunds: {unique: {refunds_code: local, refunds_no: id, refunds_c: index}}
                scatter: {reads: allow}
                indexes:
                  by_code: {table: refunds, columns: [shop_id, code], unique: true}
                  by_no: {columns: [refund_no], unique: true, mode: sync}
                  by_shop:
                    table: refunds
                    columns: [shop_id, kind, created_at]
                    unique: false
                    mode: async
                    shard_by: [shop_id, kind]
                    spread: {giants: 16, values: [[17, a], [42, b]]}
                    covering: {status: stale-ok, deleted: check}
                    freshness: own-writes
                  by_kind: {columns: [kind, created_at], unique: false}
              shops: {key: [shop], buckets: 7, tables: {shops: {}}}
            reference: [countries, currencies]
            single: {s0: [flyway_schema_history], s1: [jobs]}
            moves: {cutover_wait: 1500ms}
            warn_shards: 8
            mover: {user: mover, password: "${MOVE}"}
            heat: {interval: 5m}
            scatter: {reads: refuse, writes: allow}
            """,
            Map.of("CAT", "s3cret", "WHO", "me", "MOVE", "m0ve"));

    ShardId s0 = new ShardId("s0");
    ShardId s1 = new ShardId("s1");
    List<String> key = List.of("tenant_id", "buyer_id");
    assertThat(configuration)
        .isEqualTo(
            new Configuration(
                Optional.of(new Endpoint("jdbc:postgresql://c:5433/cat", "cu", "s3cret")),
                Map.of(
                    s1,
                    new Shard(
                        s1,
                        new Endpoint("jdbc:postgresql://h1/d", "u1", "0123"),
                        new Pool(7, Duration.ofMillis(250)),
                        3,
                        Map.of("region", "eu", "tier", "ssd")),
                    s0,
                    new Shard(
                        s0,
                        new Endpoint("jdbc:postgresql://h0/d?sslmode=require", "u-me", "a${b}"),
                        new Pool(16, Duration.ofMinutes(2)))),
                Map.of(
                    "orders",
                    new Group(
                        "orders",
                        key,
                        1024,
                        HashAlgorithm.XXH64,
                        List.of(
                            new GeneIdColumn("order_id", 1024),
                            new CodecColumn(
                                "refund_no",
                                KeyCodec.of("r_{decimal buyer_id}_{base36 tenant_id}")),
                            new OrderNumberColumn("order_no", new OrderNumberFormat("SO", 1024)),
                            new SnowflakeColumn("event_id"),
                            new SegmentColumn("coupon", 50_000),
                            new SegmentColumn("seq", 1_000),
                            new UuidColumn("trace")),
                        Map.of(
                            "orders",
                            new Table("orders", key, Map.of()),
                            "order_addresses",
                            new Table(
                                "order_addresses", List.of("tenant_id", "customer_id"), Map.of()),
                            "refunds",
                            new Table(
                                "refunds",
                                key,
                                Map.of(
                                    "refunds_code",
                                    UniqueScope.LOCAL,
                                    "refunds_no",
                                    UniqueScope.ID,
                                    "refunds_c",
                                    UniqueScope.INDEX))),
                        new Scatter(
                            new ScatterRule(ScatterPolicy.ALLOW, "groups.orders.scatter.reads"),
                            new ScatterRule(ScatterPolicy.ALLOW, "scatter.writes")),
                        Map.of(
                            "by_code",
                            new Index(
                                "by_code",
                                Optional.of("refunds"),
                                List.of("shop_id", "code"),
                                new IndexKind.Unique()),
                            "by_no",
                            new Index(
                                "by_no",
                                Optional.empty(),
                                List.of("refund_no"),
                                new IndexKind.Unique()),
                            "by_shop",
                            new Index(
                                "by_shop",
                                Optional.of("refunds"),
                                List.of("shop_id", "kind", "created_at"),
                                new IndexKind.Listing(
                                    2,
                                    Optional.of(
                                        new IndexKind.Spread(
                                            16, List.of(List.of("17", "a"), List.of("42", "b")))),
                                    Map.of("status", Covering.STALE_OK, "deleted", Covering.CHECK),
                                    Freshness.OWN_WRITES)),
                            "by_kind",
                            new Index(
                                "by_kind",
                                Optional.empty(),
                                List.of("kind", "created_at"),
                                new IndexKind.Listing(
                                    1, Optional.empty(), Map.of(), Freshness.LAGGING)))),
                    "shops",
                    new Group(
                        "shops",
                        List.of("shop"),
                        7,
                        HashAlgorithm.XXH64,
                        List.of(),
                        Map.of("shops", new Table("shops", List.of("shop"), Map.of())),
                        new Scatter(
                            new ScatterRule(ScatterPolicy.REFUSE, "scatter.reads"),
                            new ScatterRule(ScatterPolicy.ALLOW, "scatter.writes")),
                        Map.of())),
                List.of("countries", "currencies"),
                Map.of("flyway_schema_history", s0, "jobs", s1),
                Optional.empty(),
                OptionalInt.of(8),
                new Moves(Duration.ofMillis(1500)),
                Optional.of(new Configuration.Mover("mover", "m0ve")),
                new Heat(Duration.ofMinutes(5))));
    assertThat(configuration.shardIds()).containsExactly(s1, s0);
    assertThat(configuration.groups().get("orders").tables().keySet())
        .containsExactly("orders", "order_addresses", "refunds");
  }

  @Test
  void parse_heatOff_countsNothing() {
    Configuration configuration = ConfigurationReader.parse("f", MINIMAL + "heat: off\n", Map.of());

    assertThat(configuration.heat()).isEqualTo(Heat.OFF);
    assertThat(configuration.heat().isOn()).isFalse();
  }

  @Test
  void parse_shardsOfMariaDb_foldTheNamesOfColumns() {
    Configuration configuration =
        ConfigurationReader.parse(
            "f",
            """
            version: 1
            catalog: {url: "jdbc:postgresql://c/d", user: app}
            shards:
              s0: {url: "jdbc:mariadb://h:3306/d?useCompression", user: app}
              s1: {url: "jdbc:mysql://h2/d", user: app}
            groups:
              g:
                key: [Tenant_ID]
                buckets: 1024
                id: [{column: Order_ID}, {column: No, type: codec, pattern: "{base36 TENANT_id}"}]
                tables: {T: {}, u: {key: [Customer]}}
            """,
            Map.of());

    assertThat(configuration.product()).isEqualTo(DatabaseProduct.MARIADB);
    assertThat(configuration.catalog().orElseThrow().product())
        .isEqualTo(DatabaseProduct.POSTGRESQL);
    Group group = configuration.groups().get("g");
    assertThat(group.key()).containsExactly("tenant_id");
    assertThat(group.id().orElseThrow().column()).isEqualTo("order_id");
    assertThat(group.ids())
        .containsExactly(
            new GeneIdColumn("order_id", 1024),
            new CodecColumn("no", KeyCodec.of("{base36 tenant_id}")));
    assertThat(group.tables()).containsOnlyKeys("T", "u");
    assertThat(group.tables().get("u").key()).containsExactly("customer");
  }

  @Test
  void parse_anchors_areFollowed() {
    Configuration configuration =
        ConfigurationReader.parse(
            "f",
            MINIMAL.replace(
                "user: app}",
                "user: app, pool: &p {max: 3}}\n  s1: {url: \"jdbc:postgresql://i/d\", user: app,"
                    + " pool: *p}"),
            Map.of());

    assertThat(configuration.shards().get(new ShardId("s1")).pool().max()).isEqualTo(3);
  }

  @Test
  void parse_fifteenMistakes_areAllReportedInFileOrder() {
    String yaml =
        """
        version: 2
        catalogue: {url: "jdbc:postgresql://c/c", user: u}
        shards:
          S0: {url: "jdbc:postgresql://h0/d", user: app}
          s1: {url: "jdbc:postgresql://h1/d", user: app, passwort: hunter2}
          s2: {url: "jdbc:oracle:thin:@h", user: app}
          s3: {url: "jdbc:postgresql://h1/d", user: app}
          s4: {url: "jdbc:postgresql://h4/d", user: app, password: "${NOT_SET_HERE}"}
          s5: {url: "jdbc:postgresql://h5/d", user: app, pool: {max: 0, timeout: 3}}
        groups:
          orders:
            key: [tenant_id, tenant_id]
            buckets: 1000
            hash: md5
            id: {column: order_id, type: gene}
            tables:
              orders: {key: [a]}
              items: {unique: {items_no: index}}
          shops: {key: [k], buckets: many, tables: {items: {}}}
        reference: [orders]
        """;

    ConfigurationException e = failure(yaml);

    assertThat(e.problems())
        .extracting(p -> p.line() + " " + p.key())
        .containsExactly(
            "1 version",
            "2 catalogue",
            "4 shards.S0",
            "5 shards.s1.passwort",
            "6 shards.s2.url",
            "7 shards.s3",
            "8 shards.s4.password",
            "9 shards.s5.pool.max",
            "9 shards.s5.pool.timeout",
            "12 groups.orders.key[1]",
            "13 groups.orders.buckets",
            "14 groups.orders.hash",
            "17 groups.orders.tables.orders.key",
            "18 groups.orders.tables.items.unique.items_no",
            "19 groups.shops.buckets",
            "19 groups.shops.tables.items",
            "20 reference[0]");
    assertThat(e.code()).isEqualTo(ErrorCode.CONFIGURATION_INVALID);
    assertThat(e.file()).isEqualTo("shardwright.yaml");
    assertThat(e.getMessage())
        .startsWith("SW101: shardwright.yaml has 17 problems:\n")
        .contains(
            "\n  shardwright.yaml:2:12: catalogue: is not a known key; did you mean catalog?\n")
        .doesNotContain("hunter2");
  }

  @Test
  void parse_passwords_areNeverShown() {
    assertThat(failure(MINIMAL.replace("user: app", "user: app, password: [hunter2]")).getMessage())
        .doesNotContain("hunter2");
    assertThat(failure(MINIMAL.replace("user: app", "user: app, password: *hunter2")).getMessage())
        .doesNotContain("hunter2")
        .contains("must stand in quotes");
    assertThat(failure(MINIMAL.replace("/d\"", "/d?password=hunter2\"")).getMessage())
        .doesNotContain("hunter2")
        .contains("shards.s0.url: holds a user or a password");
    assertThat(failure(MINIMAL.replace("/d\"", "/d?sslpassword=hunter2\"")).getMessage())
        .doesNotContain("hunter2")
        .contains("shards.s0.url: holds a secret as its parameter sslpassword");
    assertThat(
            failure(MINIMAL.replace("jdbc:postgresql://h/d", "jdbc:x:d;key=hunter2")).getMessage())
        .doesNotContain("hunter2")
        .contains("is 'jdbc:x:d', not the JDBC url");
    assertThat(failure(MINIMAL.replace("//h/", "//app:hunter2@h/")).getMessage())
        .doesNotContain("hunter2");
    assertThat(new Endpoint("jdbc:postgresql://h/d?x=hunter2", "u", "hunter2").toString())
        .isEqualTo("jdbc:postgresql://h/d");
  }

  @Test
  void parse_secretParameterAsVariable_isAcceptedAndNeverShown() {
    Configuration configuration =
        ConfigurationReader.parse(
            "f",
            MINIMAL.replace(
                "/d\"", "/d?sslkey=/etc/k.pk8&sslpassword=${P}&passwordCharacterEncoding=utf8\""),
            Map.of("P", "hunter2"));

    Endpoint endpoint = configuration.shards().get(new ShardId("s0")).endpoint();
    assertThat(endpoint.url()).contains("sslpassword=hunter2");
    assertThat(configuration.toString()).doesNotContain("hunter2", "k.pk8");
  }

  @Test
  void parse_variableInMessage_isShownAsWritten() {
    assertThatThrownBy(
            () ->
                ConfigurationReader.parse(
                    "f", MINIMAL.replace("jdbc:postgresql:", "${U}"), Map.of("U", "s3cret:")))
        .hasMessageContaining("is '${U}//h/d', not the JDBC url")
        .hasMessageNotContaining("s3cret");
  }

  @Test
  void read_file_isParsed() throws IOException {
    Path file = Files.writeString(directory.resolve("shardwright.yaml"), "\uFEFF" + MINIMAL);

    assertThat(ConfigurationReader.read(file).groups()).containsOnlyKeys("g");
  }

  @Test
  void read_unreadableFiles_areRefusedByName() throws IOException {
    Path missing = directory.resolve("none.yaml");
    assertUnreadable(missing, "does not exist");
    assertUnreadable(directory, "is a directory");
    Path latin1 = directory.resolve("latin1.yaml");
    Files.write(latin1, "reference: [l\u00e4nder]".getBytes(StandardCharsets.ISO_8859_1));
    assertUnreadable(latin1, "is not UTF-8 text");
    Path huge = Files.write(directory.resolve("huge.yaml"), new byte[(1 << 20) + 1]);
    assertUnreadable(huge, "has 1048577 bytes, at most 1048576");
  }

  private static void assertUnreadable(Path file, String reason) {
    assertThatThrownBy(() -> ConfigurationReader.read(file))
        .isInstanceOf(ShardwrightException.class)
        .hasMessageContaining(file.toString())
        .hasMessageContaining(reason)
        .extracting(e -> ((ShardwrightException) e).code())
        .isEqualTo(ErrorCode.CONFIGURATION_UNREADABLE);
  }

  private static ConfigurationException failure(String yaml) {
    return assertThatThrownBy(() -> ConfigurationReader.parse("shardwright.yaml", yaml, Map.of()))
        .asInstanceOf(InstanceOfAssertFactories.type(ConfigurationException.class))
        .actual();
  }
}
