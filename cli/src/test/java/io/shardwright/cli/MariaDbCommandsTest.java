package io.shardwright.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.testkit.EmbeddedMariaDbServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands that look after the shards, on MariaDB. */
class MariaDbCommandsTest {
  private static final EmbeddedMariaDbServer SERVER = EmbeddedMariaDbServer.shared();

  @TempDir private Path directory;
  private final List<String> urls = new ArrayList<>();
  private String file;

  @BeforeEach
  void write() throws IOException {
    StringBuilder yaml = new StringBuilder("version: 1\ncatalog: ");
    yaml.append(endpoint(SERVER.createDatabase("catalog"))).append("\nshards:\n");
    for (int i = 0; i < 2; i++) {
      urls.add(SERVER.createDatabase("shard"));
      yaml.append("  s").append(i).append(": ").append(endpoint(urls.get(i))).append('\n');
    }
    yaml.append("groups: {orders: {key: [buyer_id], buckets: 1024, tables: {orders: {}}}}\n");
    file = Files.writeString(directory.resolve("shardwright.yaml"), yaml).toString();
  }

  private static String endpoint(String url) {
    return "{url: \"%s\", user: %s, password: %s}".formatted(url, SERVER.user(), SERVER.password());
  }

  private void execute(int shard, String sql) throws SQLException {
    try (Connection connection =
            DriverManager.getConnection(urls.get(shard), SERVER.user(), SERVER.password());
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private void createTables(String collation) throws SQLException {
    for (int shard = 0; shard < 2; shard++) {
      execute(
          shard,
          "CREATE TABLE orders (bucket_id smallint NOT NULL, order_id bigint NOT NULL,"
              + " buyer_id varchar(40) COLLATE %s NOT NULL,".formatted(collation)
              + " PRIMARY KEY (bucket_id, buyer_id, order_id))");
    }
  }

  @Test
  void apply_keyThatIgnoresCase_saysWhatToWrite() throws SQLException {
    createTables("utf8mb4_general_ci");

    Shell.Run run = Shell.run("apply", "-c", file);

    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.out())
        .contains("created  catalog: table shardwright_meta")
        .contains("created  shard s1: table shardwright_shard")
        .contains("SW105: route key column orders.buyer_id is varchar(40)")
        .contains("write varchar(40) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin");
  }

  @Test
  void apply_thenVerify_findsTheRowInTheWrongPlace() throws SQLException {
    createTables("utf8mb4_nopad_bin");
    assertThat(Shell.run("apply", "-c", file).exit()).isZero();
    assertThat(Shell.run("verify", "--placement", "-c", file).exit()).isZero();
    execute(0, "UPDATE shardwright_bucket SET state = 'open' WHERE bucket = 1023");
    execute(0, "INSERT INTO orders VALUES (1023, 1, 'x')");

    Shell.Run verify = Shell.run("verify", "--placement", "-c", file);

    assertThat(verify.exit()).isEqualTo(1);
    assertThat(verify.out()).contains("not ok: ").doesNotContain(SERVER.password());
  }

  @Test
  void route_ofAKey_agreesWithVerify() throws SQLException {
    createTables("utf8mb4_nopad_bin");
    assertThat(Shell.run("apply", "-c", file).exit()).isZero();
    Shell.Run route = Shell.run("route", "-c", file, "orders", "buyer_id=Grüße", "--json");
    assertThat(route.exit()).as(route.err()).isZero();
    int shard = route.json().get("shard").asText().equals("s0") ? 0 : 1;
    execute(
        shard,
        "INSERT INTO orders VALUES (" + route.json().get("bucket").asInt() + ", 1, 'Grüße')");

    assertThat(Shell.run("verify", "--placement", "-c", file).exit()).isZero();
  }

  @Test
  void index_createdAndUsedAndDropped() throws IOException, SQLException {
    createTables("utf8mb4_nopad_bin");
    for (int shard = 0; shard < 2; shard++) {
      execute(shard, "ALTER TABLE orders ADD order_no varchar(20) COLLATE utf8mb4_general_ci");
    }
    Path path = Path.of(file);
    Files.writeString(
        path,
        Files.readString(path)
            .replace(
                "tables: {orders: {}}",
                "tables: {orders: {}}, indexes: {by_number: {columns: [order_no], unique: true}}"));
    Shell.Run apply = Shell.run("apply", "-c", file);
    assertThat(apply.exit()).as(apply.out()).isZero();
    String insert = "INSERT INTO orders (order_id, buyer_id, order_no) VALUES (1, 'x', 'A-1')";
    assertThat(Shell.run("sql", "-c", file, insert).exit()).isZero();

    Shell.Run create = Shell.run("index", "create", "by_number", "-c", file);

    assertThat(create.exit()).as(create.err()).isZero();
    Shell.Run explain =
        Shell.run("explain", "-c", file, "SELECT order_id FROM orders WHERE order_no = 'a-1'");
    assertThat(explain.out()).contains("lookup       orders.by_number: 1 value asked on s");
    Shell.Run again =
        Shell.run("sql", "-c", file, insert.replace("(1,", "(2,").replace("A-1", "a-1"));
    assertThat(again.err()).startsWith("error: 23000: ").contains("orders.by_number");
    assertThat(Shell.run("index", "status", "-c", file).exit()).isZero();
    assertThat(Shell.run("index", "drop", "by_number", "-c", file).exit()).isZero();
  }
}
