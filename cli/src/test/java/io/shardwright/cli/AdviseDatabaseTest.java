package io.shardwright.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.testkit.EmbeddedMariaDbServer;
import io.shardwright.testkit.EmbeddedPostgresServer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
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
import picocli.CommandLine;

/** {@code advise --database} on both databases. */
class AdviseDatabaseTest {
  @TempDir Path directory;
  private Path log;

  /** Half of the rows are of one buyer; the log, which asks for all alike, does not show it. */
  private static final List<String> TABLES =
      List.of(
          "CREATE TABLE orders (order_id bigint PRIMARY KEY, buyer_id bigint NOT NULL, shop_id"
              + " bigint NOT NULL)",
          "CREATE TABLE order_items (order_id bigint NOT NULL REFERENCES orders (order_id), line"
              + " int NOT NULL, PRIMARY KEY (order_id, line))");

  @BeforeEach
  void writeLog() throws IOException {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < 1_000; i++) {
      lines.append("SELECT * FROM orders WHERE buyer_id = ").append(i % 900).append(" LIMIT 20;\n");
      lines.append("SELECT * FROM orders WHERE shop_id = ").append(i % 700).append(" LIMIT 5;\n");
    }
    log = Files.writeString(directory.resolve("statements.sql"), lines);
  }

  private static String rows() {
    StringBuilder rows = new StringBuilder("INSERT INTO orders VALUES ");
    for (int i = 0; i < 4_000; i++) {
      rows.append(i == 0 ? "(" : ", (").append(i).append(", ");
      rows.append(i % 2 == 0 ? 77 : i % 900).append(", ").append(i % 700).append(')');
    }
    return rows.toString();
  }

  private static String makeTables(String url, String user, String password) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url, user, password);
        Statement statement = connection.createStatement()) {
      for (String sql : TABLES) {
        statement.execute(sql);
      }
      statement.execute(rows());
    }
    return url;
  }

  /** With the variable SHOP_PASSWORD in the environment. */
  private static Shell.Run advise(String password, String... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Console console =
        Shell.console(new ByteArrayInputStream(new byte[0]), out, err, StandardCharsets.UTF_8);
    CommandLine line =
        new CommandLine(
            new AdviseCommand(console, name -> name.equals("SHOP_PASSWORD") ? password : null));
    List<String> failures = new ArrayList<>();
    line.setExecutionExceptionHandler(
        (e, failed, parsed) -> {
          failures.add(e.getMessage());
          return 1;
        });
    int exit = line.execute(arguments);
    console.flush();
    return new Shell.Run(
        exit,
        out.toString(StandardCharsets.UTF_8),
        err.toString(StandardCharsets.UTF_8) + failures);
  }

  @Test
  void advise_postgreSql_readsTablesAndCountsKeys() throws SQLException {
    EmbeddedPostgresServer server = EmbeddedPostgresServer.shared();
    String url = makeTables(server.createDatabase("shop"), server.user(), server.password());

    readsAndCounts(url, server.user(), server.password());
  }

  @Test
  void advise_mariaDb_readsTablesAndCountsKeys() throws SQLException {
    EmbeddedMariaDbServer server = EmbeddedMariaDbServer.shared();
    String url = makeTables(server.createDatabase("shop"), server.user(), server.password());

    readsAndCounts(url, server.user(), server.password());
  }

  private void readsAndCounts(String url, String user, String password) {
    String[] arguments = {
      log.toString(), "--database", url, "--user", user, "--password-env", "SHOP_PASSWORD"
    };

    Shell.Run without = advise(password, arguments);
    Shell.Run all = advise(password, with(arguments, "--sample", "--show-keys"));
    Shell.Run named = advise(password, with(arguments, "--sample", "shop_id,lorem"));

    assertThat(without.exit()).as(without.err()).isZero();
    assertThat(without.out())
        .contains("by buyer_id")
        .doesNotContain("neither DDL nor a database", "rows of orders");
    assertThat(all.exit()).as(all.err()).isZero();
    assertThat(all.out())
        .contains("buyer_id: REFUSED, uneven by rows of orders.buyer_id", "by shop_id");
    assertThat(named.out())
        .contains("by buyer_id", "samples of [lorem] are of no column")
        .doesNotContain("rows of orders.buyer_id");
  }

  @Test
  void advise_databaseOptionsThatAreWrong_areRefused() throws IOException {
    String url = "jdbc:postgresql://127.0.0.1:1/shop";

    assertThat(advise("x", log.toString(), "--sample", "buyer_id").err())
        .contains("are of --database; give its url");
    assertThat(advise("x", log.toString(), "--database", url, "--password-env", "NOWHERE").err())
        .contains("the environment has no variable NOWHERE");
    assertThat(advise("x", log.toString(), "--database", "postgres://u:secret@h/d").err())
        .contains("holds a user or a password")
        .doesNotContain("secret");
    assertThat(advise("x", log.toString(), "--database", "shop").err())
        .contains("--database shop is no url of a database");
    assertThat(advise("x", log.toString(), "--database", url).err())
        .contains("cannot be read", "127.0.0.1:1");
    Path other = Files.writeString(directory.resolve("other.sql"), "SELECT 1;\n");
    assertThat(advise("x", log.toString(), "--database", url, "--sample", other.toString()).err())
        .contains("names a file, not a column");
  }

  private static String[] with(String[] arguments, String... more) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }
}
