package io.shardwright.cli;

import io.shardwright.catalog.DatabaseLogin;
import io.shardwright.config.Configuration;
import io.shardwright.config.Configuration.Endpoint;
import io.shardwright.config.ConfigurationReader;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/**
 * The servers that a demo left running. Each is asked where its data is, and only one whose data
 * lies in a directory that the demo made is stopped and deleted: a shardwright.yaml of real shards
 * does no harm here.
 */
final class KeptServers {
  private static final String KEPT_PREFIX = "kept-server-";
  private static final String CONFIGURATION = "shardwright.yaml";
  private static final String PID_FILE = "postmaster.pid";
  private static final long STOP_SECONDS_MAX = 60;

  private final Path directory;

  /**
   * @param directory that holds the demo's shardwright.yaml
   */
  KeptServers(Path directory) {
    this.directory = directory;
  }

  /** What was done, one line per server. */
  List<String> stop() throws IOException, InterruptedException {
    Path file = directory.resolve(CONFIGURATION);
    Path name = directory.toAbsolutePath().normalize().getFileName();
    if (!Files.isRegularFile(file) || !name.toString().startsWith(KEPT_PREFIX)) {
      throw new ShardwrightException(
          ErrorCode.COMMAND_INVALID,
          directory
              + " is not the directory of a demo; give the one that shardwright demo --keep printed");
    }
    Configuration configuration = ConfigurationReader.read(file);
    List<Configuration.Shard> shards = new ArrayList<>(configuration.shards().values());
    // The file lies beside the data of the first one: last, so that a failure can be repeated.
    Collections.reverse(shards);
    List<String> done = new ArrayList<>();
    for (Configuration.Shard shard : shards) {
      done.add(shard.id() + ": " + stop(shard.endpoint()));
    }
    if (Files.exists(file) && Files.notExists(directory.resolve("data").resolve(PID_FILE))) {
      delete(directory);
    }
    return done;
  }

  private static String stop(Endpoint endpoint) throws IOException, InterruptedException {
    Optional<Path> data = dataDirectory(endpoint);
    if (data.isEmpty()) {
      return "was not running";
    }
    Path server = data.get().getParent();
    if (server == null || !server.getFileName().toString().startsWith(KEPT_PREFIX)) {
      return "is not a server of the demo; left alone";
    }
    long pid = Long.parseLong(Files.readAllLines(data.get().resolve(PID_FILE)).get(0));
    Optional<ProcessHandle> process = ProcessHandle.of(pid);
    if (process.isPresent()) {
      interrupt(pid);
      await(process.get(), server);
    }
    delete(server);
    return "stopped, data deleted";
  }

  /** Empty when the server does not answer. */
  private static Optional<Path> dataDirectory(Endpoint endpoint) {
    try (Connection connection = DatabaseLogin.SHORT.open(endpoint);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SHOW data_directory")) {
      row.next();
      return Optional.of(Path.of(row.getString(1)));
    } catch (SQLException e) {
      return Optional.empty();
    }
  }

  /** SIGINT: PostgreSQL ends all sessions and shuts down cleanly. Java itself can only SIGTERM. */
  private static void interrupt(long pid) throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-INT", Long.toString(pid)).inheritIO().start().waitFor();
  }

  private static void await(ProcessHandle process, Path server) throws InterruptedException {
    try {
      process.onExit().get(STOP_SECONDS_MAX, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new ShardwrightException(
          ErrorCode.EMBEDDED_SERVER_FAILED,
          "the server in "
              + server
              + " (process "
              + process.pid()
              + ") did not stop within "
              + STOP_SECONDS_MAX
              + " s; end it by hand, then run this again",
          e);
    }
  }

  private static void delete(Path tree) throws IOException {
    try (Stream<Path> paths = Files.walk(tree)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    }
  }
}
