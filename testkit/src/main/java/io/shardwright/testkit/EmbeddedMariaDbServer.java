package io.shardwright.testkit;

import io.shardwright.errors.ShardwrightException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;

/**
 * A real MariaDB server with a data directory of its own, on the loopback interface, with password
 * login as {@link #user()}, who may do everything. The only account. For Linux on x86-64.
 *
 * <p>The character set is utf8mb4 with the server's default collation, the SQL mode the server's
 * own, the time zone UTC. The redo log is not flushed at commit and files are not synced unless
 * {@link Options#durable()} is asked for: a crash of the machine then loses data. There is no TLS
 * (the server would make a new key at each start, which takes 2 to 20 seconds of one core) and no
 * binary log.
 *
 * <p>Starting takes about half a second, of which 0.2 s of one core, on a copy of a data directory
 * that is prepared once per machine. Servers are stopped by {@link #close()}, at the latest when
 * the JVM exits; those of a JVM that was killed, when the next one starts a server. Thread-safe.
 */
public final class EmbeddedMariaDbServer implements AutoCloseable {
  static final String PID_FILE = "mariadb.pid";

  private static final String HOST = "127.0.0.1";
  private static final int RANDOM_PORT_TRIES = 5;
  private static final int DATABASE_EXISTS = 1007;
  private static final Pattern DATABASE_PREFIX = Pattern.compile("[a-z][a-z0-9_]{0,30}");

  private final Options options;
  private final MariaDbPrograms programs;
  private final ServerDirectory directory;
  private final AtomicInteger databases = new AtomicInteger();
  private int port;
  private Optional<Process> process = Optional.empty();
  private boolean closed;

  /**
   * How a server is set up. Start from {@link #fast()} or {@link #durable()}.
   *
   * @param settings of the option file's group mariadbd, e.g. {@code lower_case_table_names}; they
   *     win over the defaults
   * @param port 0: a free one
   * @param directory empty: a temporary one; an existing one with data is started as it is
   * @param keep true: {@link EmbeddedMariaDbServer#close()} and the end of the JVM leave server and
   *     data alone
   */
  public record Options(
      Map<String, String> settings, int port, Optional<Path> directory, boolean keep) {

    public Options {
      settings = Map.copyOf(settings);
    }

    /** Commits do not wait for the disk. */
    public static Options fast() {
      return new Options(
          Map.of(
              "innodb_flush_log_at_trx_commit", "0",
              "innodb_flush_method", "nosync",
              "innodb_doublewrite", "0",
              "sync_frm", "0"),
          0,
          Optional.empty(),
          false);
    }

    /** Commits wait for the disk, as on a real server. */
    public static Options durable() {
      return fast()
          .with("innodb_flush_log_at_trx_commit", "1")
          .with("innodb_flush_method", "O_DIRECT")
          .with("innodb_doublewrite", "1")
          .with("sync_frm", "1");
    }

    public Options with(String setting, String value) {
      Map<String, String> changed = new LinkedHashMap<>(settings);
      changed.put(setting, value);
      return new Options(changed, port, directory, keep);
    }

    public Options withPort(int fixed) {
      return new Options(settings, fixed, directory, keep);
    }

    public Options withDirectory(Path path) {
      return new Options(settings, port, Optional.of(path), keep);
    }

    public Options kept() {
      return new Options(settings, port, directory, true);
    }
  }

  private static final class Shared {
    static final EmbeddedMariaDbServer SERVER = start(Options.fast());
  }

  private EmbeddedMariaDbServer(
      Options options, MariaDbPrograms programs, ServerDirectory directory) {
    this.options = options;
    this.programs = programs;
    this.directory = directory;
  }

  /**
   * @throws ShardwrightException SW601 with the server's own words: port taken, no space, unknown
   *     setting
   */
  public static EmbeddedMariaDbServer start(Options options) {
    MariaDbPrograms programs = MariaDbPrograms.find(ServerDirectory.parent());
    EmbeddedMariaDbServer server;
    try {
      ServerDirectory directory =
          options.directory().isPresent()
              ? ServerDirectory.at(options.directory().get())
              : ServerDirectory.fresh(options.keep(), programs.servers());
      server = new EmbeddedMariaDbServer(options, programs, directory);
    } catch (IOException e) {
      throw failed("its directory cannot be used: " + e, e);
    }
    try {
      server.initialize();
      server.startOnPort(options.port());
    } catch (RuntimeException e) {
      server.close();
      throw e;
    }
    if (!options.keep()) {
      Runtime.getRuntime().addShutdownHook(new Thread(server::close, "stop-mariadb"));
    }
    return server;
  }

  /** One server for all tests of this JVM, stopped when the JVM exits. Do not close it. */
  public static EmbeddedMariaDbServer shared() {
    return Shared.SERVER;
  }

  public String user() {
    return MariaDbPrograms.USER;
  }

  public String password() {
    return MariaDbPrograms.PASSWORD;
  }

  public synchronized int port() {
    return port;
  }

  /** Of data and logs. */
  public Path directory() {
    return directory.path();
  }

  /**
   * The process id of the running server.
   *
   * @throws ShardwrightException SW601 when it is not running
   */
  public synchronized long pid() {
    return process
        .filter(Process::isAlive)
        .map(Process::pid)
        .orElseThrow(() -> failed("the server in " + directory.path() + " is not running", null));
  }

  /**
   * Without user and password.
   *
   * @param database empty: none is chosen
   */
  public String url(String database) {
    return "jdbc:mariadb://" + HOST + ":" + port() + "/" + database;
  }

  /**
   * Creates an empty database whose name starts with {@code prefix} and is new on this server.
   *
   * @param prefix a lower-case letter, then up to 30 lower-case letters, digits or underscores
   * @return its JDBC URL, without user and password
   */
  public String createDatabase(String prefix) {
    if (!DATABASE_PREFIX.matcher(prefix).matches()) {
      throw new IllegalArgumentException("database prefix '" + prefix + "'");
    }
    while (true) {
      String name = prefix + "_" + databases.incrementAndGet();
      try (Connection connection = DriverManager.getConnection(url(""), user(), password());
          Statement statement = connection.createStatement()) {
        statement.execute("CREATE DATABASE " + name);
        return url(name);
      } catch (SQLException e) {
        // A kept directory may hold databases of an earlier run.
        if (e.getErrorCode() != DATABASE_EXISTS) {
          throw failed("database " + name + " cannot be created: " + e.getMessage(), e);
        }
      }
    }
  }

  /** Ends all connections; the data stays, {@link #restart()} brings it back on the same port. */
  public synchronized void stop() {
    process.ifPresent(
        running -> {
          running.destroy();
          if (!MariaDbPrograms.ends(running)) {
            throw failed("the server in " + directory.path() + " does not stop", null);
          }
        });
    process = Optional.empty();
  }

  /** Kills it: {@link #restart()} recovers from the log. */
  public synchronized void crash() {
    process.ifPresent(Process::destroyForcibly);
    stop();
  }

  /** Stops if running, and starts on the same port with the same data. */
  public synchronized void restart() {
    if (closed) {
      throw new IllegalStateException("the server in " + directory.path() + " is closed");
    }
    stop();
    startOnPort(port);
  }

  /** Stops the server and deletes its data, unless it is kept. */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    try {
      if (!options.keep() || process.isEmpty()) {
        if (options.directory().isEmpty()) {
          // Nothing is worth a checkpoint when the data goes anyway.
          process.ifPresent(Process::destroyForcibly);
        }
        stop();
        directory.unlock();
        if (options.directory().isEmpty()) {
          ServerDirectory.delete(directory.path());
        }
      }
    } catch (IOException e) {
      throw failed("its directory " + directory.path() + " cannot be removed: " + e, e);
    }
  }

  private void initialize() {
    if (Files.exists(directory.data().resolve("mysql"))) {
      return;
    }
    try {
      programs.initialize(directory.data());
    } catch (IOException e) {
      throw failed("its directory " + directory.path() + " cannot be written: " + e, e);
    }
  }

  private synchronized void startOnPort(int wanted) {
    for (int attempt = 1; ; attempt++) {
      port = wanted == 0 ? Ports.free() : wanted;
      Path settings = writeSettings();
      try {
        process = Optional.of(programs.start(settings, directory));
        return;
      } catch (ShardwrightException e) {
        // Another process may take a free port between our look and the server's bind.
        if (wanted != 0 || attempt == RANDOM_PORT_TRIES || !e.getMessage().contains("in use")) {
          throw e;
        }
      }
    }
  }

  private Path writeSettings() {
    Map<String, String> all = new TreeMap<>();
    all.put("max_connections", "300");
    all.put("table_open_cache", "1000");
    all.put("default_time_zone", "+00:00");
    all.put("character_set_server", "utf8mb4");
    all.put("innodb_buffer_pool_size", "64M");
    all.put("innodb_log_file_size", MariaDbPrograms.REDO_LOG_SIZE);
    all.put("innodb_buffer_pool_dump_at_shutdown", "0");
    all.put("innodb_buffer_pool_load_at_startup", "0");
    all.put("skip_log_bin", "1");
    all.put("skip_name_resolve", "1");
    all.put("ssl", "0");
    all.putAll(options.settings());
    all.put("port", Integer.toString(port));
    all.put("bind_address", HOST);
    // Relative to the data directory: a socket's path may have 107 characters.
    all.put("socket", "mariadb.sock");
    all.put("pid_file", PID_FILE);
    // A server that starts deletes temporary tables that it finds, also those of another one.
    Path temporary = directory.path().resolve("tmp");
    all.put("tmpdir", temporary.toString());
    StringBuilder file = new StringBuilder("[mariadbd]\n");
    all.forEach((name, value) -> file.append(name).append(" = ").append(value).append('\n'));
    try {
      Files.createDirectories(temporary);
      return Files.writeString(directory.path().resolve("shardwright.cnf"), file);
    } catch (IOException e) {
      throw failed("its directory " + directory.path() + " cannot be written: " + e, e);
    }
  }

  private static ShardwrightException failed(String what, Throwable cause) {
    return MariaDbPrograms.failed(what, cause);
  }
}
