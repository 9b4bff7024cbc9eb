package io.shardwright.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.testkit.EmbeddedMariaDbServer.Options;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedMariaDbServerTest {
  private static final EmbeddedMariaDbServer SHARED = EmbeddedMariaDbServer.shared();

  @Test
  void createDatabase_twice_givesTwoEmptyDatabasesWithTheServersOwnMode() throws SQLException {
    String first = SHARED.createDatabase("same");
    String second = SHARED.createDatabase("same");

    assertThat(first).isNotEqualTo(second);
    assertThat(query(SHARED, first, "SELECT @@character_set_database")).isEqualTo("utf8mb4");
    assertThat(query(SHARED, first, "SELECT @@global.sql_mode"))
        .isEqualTo(
            "STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_AUTO_CREATE_USER,"
                + "NO_ENGINE_SUBSTITUTION");
    assertThat(query(SHARED, first, "SELECT @@time_zone")).isEqualTo("+00:00");
    assertThat(query(SHARED, first, "SELECT @@innodb_flush_log_at_trx_commit")).isEqualTo("0");
    assertThat(query(SHARED, first, "SELECT version()")).startsWith("11.4.");
  }

  @Test
  void accounts_ofANewServer_areOurUserAlone() throws SQLException {
    assertThat(
            query(
                SHARED,
                SHARED.url("mysql"),
                "SELECT group_concat(user, '@', host ORDER BY user) FROM mysql.global_priv"))
        .isEqualTo("app@%,mariadb.sys@localhost");
  }

  @Test
  void login_withWrongPassword_isRefused() {
    String url = SHARED.createDatabase("login");

    assertThatThrownBy(() -> DriverManager.getConnection(url, SHARED.user(), "wrong"))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("28000"));
  }

  @Test
  void restart_ofADurableServer_keepsPortAndData() throws SQLException {
    try (EmbeddedMariaDbServer server =
        EmbeddedMariaDbServer.start(Options.durable().with("sort_buffer_size", "3M"))) {
      String url = server.createDatabase("kept");
      execute(server, url, "CREATE TABLE t AS SELECT 7 AS n");
      int port = server.port();
      server.stop();
      assertThatThrownBy(() -> query(server, url, "SELECT 1")).isInstanceOf(SQLException.class);

      server.restart();

      assertThat(server.port()).isEqualTo(port);
      assertThat(query(server, url, "SELECT n FROM t")).isEqualTo("7");
      assertThat(query(server, url, "SELECT @@innodb_flush_log_at_trx_commit")).isEqualTo("1");
      assertThat(query(server, url, "SELECT @@sort_buffer_size")).isEqualTo("3145728");
    }
  }

  @Test
  void close_removesProcessAndTemporaryDirectory() {
    EmbeddedMariaDbServer server = EmbeddedMariaDbServer.start(Options.fast());
    Path directory = server.directory();
    int port = server.port();

    server.close();

    assertThat(directory).doesNotExist();
    // Its process may still be in the process table, if nobody has collected its exit code.
    assertThatThrownBy(() -> new Socket(InetAddress.getLoopbackAddress(), port).close())
        .isInstanceOf(IOException.class);
  }

  @Test
  void start_ofAnotherServer_leavesTheFirstOneItsLock() throws Exception {
    try (EmbeddedMariaDbServer first = EmbeddedMariaDbServer.start(Options.fast());
        EmbeddedMariaDbServer second = EmbeddedMariaDbServer.start(Options.fast())) {
      assertThat(lockFromAnotherProcess(first)).isEqualTo("locked");
      assertThat(lockFromAnotherProcess(second)).isEqualTo("locked");
    }
  }

  @Test
  void start_afterAJvmWasKilled_clearsItsServerAway() throws Exception {
    Process killed = java("Starting");
    Path directory = Path.of(killed.inputReader().readLine());
    int port = Integer.parseInt(killed.inputReader().readLine());
    new Socket(InetAddress.getLoopbackAddress(), port).close();
    killed.destroyForcibly().waitFor();

    EmbeddedMariaDbServer.start(Options.fast()).close();

    assertThat(directory).doesNotExist();
    // Its process may still be in the process table, if nobody has collected its exit code.
    assertThatThrownBy(() -> new Socket(InetAddress.getLoopbackAddress(), port).close())
        .isInstanceOf(IOException.class);
  }

  /** Says where its server is and waits to be killed. */
  static final class Starting {
    public static void main(String[] arguments) throws IOException {
      EmbeddedMariaDbServer server = EmbeddedMariaDbServer.start(Options.fast());
      System.out.println(server.directory());
      System.out.println(server.port());
      System.exit(System.in.read());
    }
  }

  /** Looks as another JVM does. */
  static final class Locking {
    public static void main(String[] arguments) throws IOException {
      try (FileChannel channel = FileChannel.open(Path.of(arguments[0]), StandardOpenOption.WRITE);
          FileLock lock = channel.tryLock()) {
        System.out.println(lock == null ? "locked" : "free");
      }
    }
  }

  private static String lockFromAnotherProcess(EmbeddedMariaDbServer server) throws Exception {
    Process looking = java("Locking", server.directory().resolve("owner.lock").toString());
    return looking.inputReader().readLine();
  }

  private static Process java(String inner, String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(EmbeddedMariaDbServerTest.class.getName() + "$" + inner);
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
  }

  @Test
  void close_ofAKeptServer_leavesItRunning(@TempDir Path directory) throws Exception {
    EmbeddedMariaDbServer kept =
        EmbeddedMariaDbServer.start(Options.fast().withDirectory(directory).kept());
    try {
      kept.close();

      assertThat(query(kept, kept.url("mysql"), "SELECT 1")).isEqualTo("1");
      assertThat(ProcessHandle.of(kept.pid())).isPresent();
    } finally {
      kept.stop();
    }
  }

  @Test
  void start_onADirectoryWithData_findsItAgain(@TempDir Path directory) throws SQLException {
    Options options = Options.fast().withDirectory(directory);
    String database;
    try (EmbeddedMariaDbServer first = EmbeddedMariaDbServer.start(options)) {
      String url = first.createDatabase("again");
      database = url.substring(url.lastIndexOf('/') + 1);
      execute(first, url, "CREATE TABLE t AS SELECT 9 AS n");
    }

    try (EmbeddedMariaDbServer second = EmbeddedMariaDbServer.start(options)) {
      assertThat(query(second, second.url(database), "SELECT n FROM t")).isEqualTo("9");
      assertThat(second.createDatabase("again")).isNotEqualTo(second.url(database));
    }
  }

  @Test
  void start_onATakenPort_saysSo() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertFails(Options.fast().withPort(taken.getLocalPort()), "The port is taken");
    }
  }

  @Test
  void start_withAnUnknownSetting_quotesTheServer() {
    assertFails(Options.fast().with("no_such_setting", "1"), "no_such_setting");
  }

  @Test
  void start_inADirectoryThatCannotBe_saysSo(@TempDir Path parent) throws Exception {
    Path file = Files.writeString(parent.resolve("file"), "");

    assertFails(Options.fast().withDirectory(file.resolve("below")), "directory cannot be used");
  }

  @Test
  void start_inADirectoryInUse_saysSo(@TempDir Path directory) {
    Options options = Options.fast().withDirectory(directory);
    try (EmbeddedMariaDbServer first = EmbeddedMariaDbServer.start(options)) {
      assertThat(first.port()).isPositive();
      assertFails(options, "is used by another server");
    }
  }

  private static void assertFails(Options options, String words) {
    assertThatThrownBy(() -> EmbeddedMariaDbServer.start(options).close())
        .isInstanceOfSatisfying(
            ShardwrightException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.EMBEDDED_SERVER_FAILED))
        .hasMessageContaining(words);
  }

  private static void execute(EmbeddedMariaDbServer server, String url, String sql)
      throws SQLException {
    try (Connection connection =
            DriverManager.getConnection(url, server.user(), server.password());
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static String query(EmbeddedMariaDbServer server, String url, String sql)
      throws SQLException {
    try (Connection connection =
            DriverManager.getConnection(url, server.user(), server.password());
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getString(1);
    }
  }
}
