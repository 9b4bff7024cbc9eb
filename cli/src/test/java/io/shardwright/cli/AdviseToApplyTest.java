package io.shardwright.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.testkit.EmbeddedMariaDbServer;
import io.shardwright.testkit.EmbeddedPostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file that {@code advise} writes is accepted by {@code apply --dry-run}, then by apply. */
class AdviseToApplyTest {
  private static final String ORDERS =
      "CREATE TABLE orders (%sorder_id bigint NOT NULL, order_no varchar(32) NOT NULL, buyer_id"
          + " bigint NOT NULL, PRIMARY KEY (%sbuyer_id, order_id))";
  private static final String ITEMS =
      "CREATE TABLE order_items (%sorder_id bigint NOT NULL, line int NOT NULL, buyer_id bigint NOT"
          + " NULL, PRIMARY KEY (%sbuyer_id, order_id, line))";

  @TempDir private Path directory;

  @Test
  void postgreSql() throws Exception {
    EmbeddedPostgresServer server = EmbeddedPostgresServer.shared();
    run("", server.user(), server.password(), () -> server.createDatabase("advised"));
  }

  @Test
  void mariaDb() throws Exception {
    EmbeddedMariaDbServer server = EmbeddedMariaDbServer.shared();
    run("`", server.user(), server.password(), () -> server.createDatabase("advised"));
  }

  private void run(String quote, String user, String password, Supplier<String> database)
      throws Exception {
    Path file = advised(quote);
    List<String> urls = new ArrayList<>();
    String yaml = Files.readString(file);
    for (String host : List.of("catalog", "shard0", "shard1")) {
      urls.add(database.get());
      yaml = yaml.replaceAll("jdbc:[a-z]+://" + host + ":\\d+/app", urls.get(urls.size() - 1));
    }
    yaml =
        yaml.replace("user: app", "user: " + user)
            .replaceAll("\"\\$\\{[A-Z_]+}\"", "\"" + password + "\"");
    Files.writeString(file, yaml);

    Shell.Run withoutTables = Shell.run("apply", "-c", file.toString(), "--dry-run");
    assertThat(withoutTables.exit()).isEqualTo(ExitCode.PROBLEMS_FOUND.number());
    assertThat(withoutTables.lines())
        .contains("would create  shard shard0: table shardwright_shard")
        .anyMatch(line -> line.startsWith("problem  SW105: table orders does not exist"))
        .last()
        .asString()
        .endsWith("; nothing was changed");

    for (String url : urls.subList(1, urls.size())) {
      for (String table : List.of(ORDERS, ITEMS)) {
        String bucket = "bucket_id integer NOT NULL, ";
        execute(url, user, password, table.formatted(bucket, "bucket_id, "));
      }
    }
    Shell.Run dry = Shell.run("apply", "-c", file.toString(), "--dry-run", "--json");
    assertThat(dry.exit()).as(dry.out()).isZero();
    assertThat(dry.json().get("ok").asBoolean()).isTrue();
    assertThat(dry.json().get("dry_run").asBoolean()).isTrue();
    assertThat(dry.json().get("created")).isNotEmpty();
    for (String url : urls) {
      assertThat(ownTables(url, user, password)).isZero();
    }

    Shell.Run applied = Shell.run("apply", "-c", file.toString());
    assertThat(applied.exit()).as(applied.out()).isZero();
    Shell.Run again = Shell.run("apply", "-c", file.toString(), "--dry-run");
    assertThat(again.exit()).as(again.out()).isZero();
    assertThat(again.lines()).last().asString().startsWith("ok: 0 to be created");

    assertRowsAreSampled(file, urls.get(1), user, password);
    // Shards of a cluster, under a catalog that is new.
    Files.writeString(file, yaml.replace(urls.get(0), database.get()));
    Shell.Run foreign = Shell.run("apply", "-c", file.toString(), "--dry-run");
    assertThat(foreign.lines())
        .anyMatch(line -> line.startsWith("would create  catalog: table shardwright_meta"))
        .anyMatch(line -> line.startsWith("problem  SW103") && line.contains("shard0"))
        .anyMatch(line -> line.startsWith("problem  SW103") && line.contains("shard1"));
    Shell.Run refused = Shell.run("apply", "-c", file.toString());
    assertThat(refused.out()).contains("SW103");
    assertThat(foreign.exit()).isEqualTo(refused.exit());
  }

  private static void assertRowsAreSampled(Path file, String shard, String user, String password)
      throws SQLException {
    for (int i = 0; i < 20; i++) {
      execute(
          shard,
          user,
          password,
          "INSERT INTO orders (bucket_id, order_id, order_no, buyer_id) VALUES (0, %d, 'n%d', %d)"
              .formatted(i, i, i));
    }
    for (String option : List.of("--dry-run", "--json")) {
      Shell.Run misplaced = Shell.run("apply", "-c", file.toString(), option);
      assertThat(misplaced.out()).contains("rows whose bucket_id is not the bucket of their key");
      assertThat(misplaced.exit()).isEqualTo(ExitCode.PROBLEMS_FOUND.number());
    }
    execute(shard, user, password, "DELETE FROM orders");
  }

  private Path advised(String quote) throws IOException {
    StringBuilder log = new StringBuilder();
    for (int i = 0; i < 1_000; i++) {
      String orders = quote + "orders" + quote;
      String items = quote + "order_items" + quote;
      String buyer = "SELECT * FROM " + orders + " WHERE buyer_id = " + i * 7_919 % 5_003;
      log.append("INSERT INTO ").append(orders).append(" (order_id, order_no, buyer_id) VALUES (");
      log.append(i).append(", 'SO").append(i).append("', ").append(i % 990).append(");\n");
      log.append("INSERT INTO ").append(items).append(" (order_id, line, buyer_id) VALUES (");
      log.append(i).append(", 1, ").append(i % 990).append(");\n");
      log.append(buyer).append(" LIMIT 20;\n").append(buyer).append(" LIMIT 50;\n");
      log.append("SELECT * FROM ").append(orders);
      log.append(" WHERE order_no = 'SO").append(i).append("';\n");
    }
    Path statements = Files.writeString(directory.resolve("statements.sql"), log);
    Path ddl =
        Files.writeString(
            directory.resolve("schema.sql"),
            ORDERS.formatted("", "") + ";\n" + ITEMS.formatted("", "") + ";\n");
    Path yaml = directory.resolve("shardwright.yaml");
    Shell.Run advised =
        Shell.run(
            "advise",
            statements.toString(),
            "--ddl",
            ddl.toString(),
            "--shards",
            "2",
            "--yaml",
            yaml.toString());
    assertThat(advised.exit()).as(advised.err()).isZero();
    assertThat(Files.readString(yaml))
        .contains("key: [buyer_id]", "by_order_no", quote.isEmpty() ? "postgresql" : "mariadb");
    return yaml;
  }

  private static void execute(String url, String user, String password, String sql)
      throws SQLException {
    try (Connection connection = DriverManager.getConnection(url, user, password);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static int ownTables(String url, String user, String password) throws SQLException {
    int found = 0;
    try (Connection connection = DriverManager.getConnection(url, user, password);
        ResultSet tables =
            connection
                .getMetaData()
                .getTables(
                    connection.getCatalog(),
                    connection.getSchema(),
                    "shardwright%",
                    new String[] {"TABLE"})) {
      while (tables.next()) {
        found++;
      }
    }
    return found;
  }
}
