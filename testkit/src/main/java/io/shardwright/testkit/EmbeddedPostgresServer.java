package io.shardwright.testkit;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;

/**
 * A real PostgreSQL server with a data directory of its own, on the loopback interface, with
 * password login (SCRAM) as superuser {@link #user()}.
 *
 * <p>Databases are UTF8 with PostgreSQL's builtin locale {@code C.UTF-8}: text sorts by code point,
 * upper and lower follow Unicode, on every operating system alike. The time zone is UTC. fsync,
 * synchronous_commit and full_page_writes are <b>off</b> unless {@link Options#durable()} is asked
 * for: a crash of the machine then loses data, and commits are faster than on a real server.
 *
 * <p>Starting takes about half a second of one core, of which initdb is 0.35 s; copying a prepared
 * data directory would save 0.2 s of it and is not done. Servers are stopped by {@link #close()},
 * at the latest when the JVM exits; those of a JVM that was killed, when the next one starts a
 * server. Thread-safe.
 */
public final class EmbeddedPostgresServer implements AutoCloseable {
  private static final String USER = "app";
  private static final String PASSWORD = "app-password";
  private static final String ANY_LOCALE = "C.UTF-8";
  private static final String HOST = "127.0.0.1";
  private static final int RANDOM_PORT_TRIES = 5;
  private static final Pattern DATABASE_PREFIX = Pattern.compile("[a-z][a-z0-9_]{0,30}");

  private final Options options;
  private final PostgresPrograms programs;
  private final ServerDirectory directory;
  private final AtomicInteger databases = new AtomicInteger();
  private int port;
  private boolean running;
  private boolean closed;

  /**
   * How a server is set up. Start from {@link #fast()} or {@link #durable()}.
   *
   * @param settings of postgresql.conf; they win over the defaults
   * @param port 0: a free one
   * @param directory empty: a temporary one; an existing one with data is started as it is
   * @param keep true: {@link EmbeddedPostgresServer#close()} and the end of the JVM leave server
   *     and data alone
   * @param locale {@code C.UTF-8}: the builtin one; any other name: the operating system's
   */
  public record Options(
      Map<String, String> settings,
      int port,
      Optional<Path> directory,
      boolean keep,
      String locale) {

    public Options {
      settings = Map.copyOf(settings);
    }

    /** Commits do not wait for the disk. */
    public static Options fast() {
      return new Options(
          Map.of("fsync", "off", "synchronous_commit", "off", "full_page_writes", "off"),
          0,
          Optional.empty(),
          false,
          ANY_LOCALE);
    }

    /** Commits wait for the disk, as on a real server. */
    public static Options durable() {
      return fast()
          .with("fsync", "on")
          .with("synchronous_commit", "on")
          .with("full_page_writes", "on");
    }

    public Options with(String setting, String value) {
      Map<String, String> changed = new LinkedHashMap<>(settings);
      changed.put(setting, value);
      return new Options(changed, port, directory, keep, locale);
    }

    public Options withPort(int fixed) {
      return new Options(settings, fixed, directory, keep, locale);
    }

    public Options withDirectory(Path path) {
      return new Options(settings, port, Optional.of(path), keep, locale);
    }

    public Options withLocale(String name) {
      return new Options(settings, port, directory, keep, name);
    }

    public Options kept() {
      return new Options(settings, port, directory, true, locale);
    }
  }

  private static final class Shared {
    static final EmbeddedPostgresServer SERVER = start(Options.fast());
  }

  private EmbeddedPostgresServer(
      Options options, PostgresPrograms programs, ServerDirectory directory) {
    this.options = options;
    this.programs = programs;
    this.directory = directory;
  }

  /**
   * @throws ShardwrightException SW601 with the server's own words: port taken, no space, unknown
   *     locale
   */
  public static EmbeddedPostgresServer start(Options options) {
    PostgresPrograms programs = PostgresPrograms.find(ServerDirectory.parent());
    EmbeddedPostgresServer server;
    try {
      ServerDirectory directory =
          options.directory().isPresent()
              ? ServerDirectory.at(options.directory().get())
              : ServerDirectory.fresh(options.keep(), programs.servers());
      server = new EmbeddedPostgresServer(options, programs, directory);
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
      Runtime.getRuntime().addShutdownHook(new Thread(server::close, "stop-postgres"));
    }
    return server;
  }

  /** One server for all tests of this JVM, stopped when the JVM exits. Do not close it. */
  public static EmbeddedPostgresServer shared() {
    return Shared.SERVER;
  }

  public String user() {
    return USER;
  }

  public String password() {
    return PASSWORD;
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
  public long pid() {
    try {
      return Long.parseLong(
          Files.readAllLines(directory.data().resolve("postmaster.pid")).get(0).strip());
    } catch (IOException e) {
      throw failed("the server in " + directory.path() + " is not running", e);
    }
  }

  /** Without user and password. */
  public String url(String database) {
    return "jdbc:postgresql://" + HOST + ":" + port() + "/" + database;
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
      try (Connection connection = DriverManager.getConnection(url("postgres"), USER, PASSWORD);
          Statement statement = connection.createStatement()) {
        statement.execute("CREATE DATABASE " + name + " TEMPLATE template0");
        return url(name);
      } catch (SQLException e) {
        // A kept directory may hold databases of an earlier run.
        if (!"42P04".equals(e.getSQLState())) {
          throw failed("database " + name + " cannot be created: " + e.getMessage(), e);
        }
      }
    }
  }

  /** Ends all connections; the data stays, {@link #restart()} brings it back on the same port. */
  public synchronized void stop() {
    if (running) {
      pgCtl(List.of("stop", "-m", "fast"));
      running = false;
    }
  }

  /** Ends it as a kill of all its processes does: {@link #restart()} recovers from the log. */
  public synchronized void crash() {
    if (running) {
      pgCtl(List.of("stop", "-m", "immediate"));
      running = false;
    }
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
      if (!options.keep() || !running) {
        // Nothing is worth a checkpoint when the data goes anyway.
        if (running) {
          pgCtl(List.of("stop", "-m", options.directory().isPresent() ? "fast" : "immediate"));
          running = false;
        }
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
    if (Files.exists(directory.data().resolve("PG_VERSION"))) {
      return;
    }
    Path passwordFile = directory.path().resolve("initial-password");
    try {
      Files.writeString(passwordFile, PASSWORD);
      List<String> arguments =
          new ArrayList<>(List.of("--no-sync", "--no-instructions", "-E", "UTF8", "-U", USER));
      arguments.addAll(List.of("-A", "scram-sha-256", "--pwfile", passwordFile.toString()));
      // The password is public; thousands of hash rounds per login would only cost time.
      arguments.addAll(List.of("-c", "scram_iterations=64", "-D", directory.data().toString()));
      arguments.addAll(
          options.locale().equals(ANY_LOCALE)
              ? List.of("--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8")
              : List.of("--locale=" + options.locale()));
      run("initdb", arguments);
      Files.delete(passwordFile);
      Files.writeString(
          directory.data().resolve("postgresql.conf"),
          "\ninclude 'shardwright.conf'\n",
          StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw failed("its directory " + directory.path() + " cannot be written: " + e, e);
    }
  }

  private synchronized void startOnPort(int wanted) {
    for (int attempt = 1; ; attempt++) {
      port = wanted == 0 ? Ports.free() : wanted;
      writeSettings();
      try {
        pgCtl(List.of("start", "-l", directory.serverLog().toString()));
        running = true;
        return;
      } catch (ShardwrightException e) {
        // Another process may take a free port between our look and the server's bind.
        if (wanted != 0 || attempt == RANDOM_PORT_TRIES || !e.getMessage().contains("in use")) {
          throw e;
        }
      }
    }
  }

  private void writeSettings() {
    Map<String, String> all = new TreeMap<>();
    all.put("max_connections", "300");
    all.put("timezone", "UTC");
    all.put("log_timezone", "UTC");
    all.put("checkpoint_timeout", "15min");
    all.put("max_wal_size", "2GB");
    all.putAll(options.settings());
    all.put("port", Integer.toString(port));
    all.put("listen_addresses", HOST);
    all.put("unix_socket_directories", "");
    StringBuilder file = new StringBuilder();
    all.forEach(
        (name, value) ->
            file.append(name).append(" = '").append(value.replace("'", "''")).append("'\n"));
    try {
      Files.writeString(directory.data().resolve("shardwright.conf"), file);
      Files.deleteIfExists(directory.serverLog());
    } catch (IOException e) {
      throw failed("its directory " + directory.path() + " cannot be written: " + e, e);
    }
  }

  private void pgCtl(List<String> action) {
    List<String> arguments = new ArrayList<>(List.of("-w", "-s", "-D"));
    arguments.add(directory.data().toString());
    arguments.addAll(action);
    run("pg_ctl", arguments);
  }

  private void run(String program, List<String> arguments) {
    programs.run(program, arguments, directory.path());
  }

  static ShardwrightException failed(String what, Throwable cause) {
    return new ShardwrightException(
        ErrorCode.EMBEDDED_SERVER_FAILED, "embedded PostgreSQL: " + what, cause);
  }
}
