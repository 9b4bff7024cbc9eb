package io.shardwright.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.testkit.EmbeddedPostgresServer.Options;
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

class EmbeddedPostgresServerTest {
  private static final EmbeddedPostgresServer SHARED = EmbeddedPostgresServer.shared();

  @Test
  void createDatabase_twice_givesTwoEmptyDatabasesInUtf8AndCodePointOrder() throws SQLException {
    String first = SHARED.createDatabase("same");
    String second = SHARED.createDatabase("same");

    assertThat(first).isNotEqualTo(second);
    assertThat(
            query(
                SHARED,
                first,
                "SELECT pg_encoding_to_char(encoding) || ' ' || datlocprovider::text || ' ' || datlocale"
                    + " FROM pg_database WHERE datname = current_database()"))
        .isEqualTo("UTF8 b C.UTF-8");
    assertThat(query(SHARED, first, "SELECT 'Z' < 'a' AND upper('é') = 'É'")).isEqualTo("t");
    assertThat(query(SHARED, first, "SHOW timezone")).isEqualTo("UTC");
    assertThat(query(SHARED, first, "SHOW fsync")).isEqualTo("off");
  }

  @Test
  void login_withWrongPassword_isRefused() {
    String url = SHARED.createDatabase("login");

    assertThatThrownBy(() -> DriverManager.getConnection(url, SHARED.user(), "wrong"))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("28P01"));
  }

  @Test
  void restart_ofADurableServer_keepsPortAndData() throws SQLException {
    try (EmbeddedPostgresServer server =
        EmbeddedPostgresServer.start(Options.durable().with("work_mem", "5MB"))) {
      String url = server.createDatabase("kept");
      execute(server, url, "CREATE TABLE t AS SELECT 7 AS n");
      int port = server.port();
      server.stop();
      assertThatThrownBy(() -> query(server, url, "SELECT 1")).isInstanceOf(SQLException.class);

      server.restart();

      assertThat(server.port()).isEqualTo(port);
      assertThat(query(server, url, "SELECT n FROM t")).isEqualTo("7");
      assertThat(query(server, url, "SHOW fsync")).isEqualTo("on");
      assertThat(query(server, url, "SHOW work_mem")).isEqualTo("5MB");
    }
  }

  @Test
  void close_removesProcessAndTemporaryDirectory() {
    EmbeddedPostgresServer server = EmbeddedPostgresServer.start(Options.fast());
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
    try (EmbeddedPostgresServer first = EmbeddedPostgresServer.start(Options.fast());
        EmbeddedPostgresServer second = EmbeddedPostgresServer.start(Options.fast())) {
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

    EmbeddedPostgresServer.start(Options.fast()).close();

    assertThat(directory).doesNotExist();
    // Its process may still be in the process table, if nobody has collected its exit code.
    assertThatThrownBy(() -> new Socket(InetAddress.getLoopbackAddress(), port).close())
        .isInstanceOf(IOException.class);
  }

  /** Says where its server is and waits to be killed. */
  static final class Starting {
    public static void main(String[] arguments) throws IOException {
      EmbeddedPostgresServer server = EmbeddedPostgresServer.start(Options.fast());
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

  private static String lockFromAnotherProcess(EmbeddedPostgresServer server) throws Exception {
    Process looking = java("Locking", server.directory().resolve("owner.lock").toString());
    return looking.inputReader().readLine();
  }

  private static Process java(String inner, String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(EmbeddedPostgresServerTest.class.getName() + "$" + inner);
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
  }

  @Test
  void close_ofAKeptServer_leavesItRunning(@TempDir Path directory) throws Exception {
    EmbeddedPostgresServer kept =
        EmbeddedPostgresServer.start(Options.fast().withDirectory(directory).kept());
    try {
      kept.close();

      assertThat(query(kept, kept.url("postgres"), "SELECT 1")).isEqualTo("1");
      assertThat(ProcessHandle.of(kept.pid())).isPresent();
    } finally {
      kept.stop();
    }
  }

  @Test
  void start_onADirectoryWithData_findsItAgain(@TempDir Path directory) throws SQLException {
    Options options = Options.fast().withDirectory(directory);
    String database;
    try (EmbeddedPostgresServer first = EmbeddedPostgresServer.start(options)) {
      String url = first.createDatabase("again");
      database = url.substring(url.lastIndexOf('/') + 1);
      execute(first, url, "CREATE TABLE t AS SELECT 9 AS n");
    }

    try (EmbeddedPostgresServer second = EmbeddedPostgresServer.start(options)) {
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
  void start_withAnUnknownLocale_saysSo() {
    assertFails(Options.fast().withLocale("xx_XX"), "The locale does not exist");
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
    try (EmbeddedPostgresServer first = EmbeddedPostgresServer.start(options)) {
      assertThat(first.port()).isPositive();
      assertFails(options, "is used by another server");
    }
  }

  private static void assertFails(Options options, String words) {
    assertThatThrownBy(() -> EmbeddedPostgresServer.start(options).close())
        .isInstanceOfSatisfying(
            ShardwrightException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.EMBEDDED_SERVER_FAILED))
        .hasMessageContaining(words);
  }

  private static void execute(EmbeddedPostgresServer server, String url, String sql)
      throws SQLException {
    try (Connection connection =
            DriverManager.getConnection(url, server.user(), server.password());
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static String query(EmbeddedPostgresServer server, String url, String sql)
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
