package io.shardwright.migration;

import io.shardwright.catalog.Move;
import io.shardwright.config.Configuration;
import io.shardwright.config.ConfigurationReader;
import io.shardwright.errors.ShardwrightException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A Java process of its own that works on moves, until it is killed or this JVM ends. */
final class WorkerProcess implements AutoCloseable {
  private final String name;
  private final Process process;
  private final Queue<String> failures = new ConcurrentLinkedQueue<>();

  WorkerProcess(String name, Path yaml) {
    this.name = name;
    try {
      process =
          new ProcessBuilder(
                  ProcessHandle.current().info().command().orElseThrow(),
                  "-cp",
                  System.getProperty("java.class.path"),
                  "-Xmx128m",
                  "-XX:TieredStopAtLevel=1",
                  WorkerProcess.class.getName(),
                  name,
                  yaml.toString())
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread reader = new Thread(this::read, "worker-" + name);
    reader.setDaemon(true);
    reader.start();
  }

  private void read() {
    try (BufferedReader lines = process.inputReader()) {
      lines.lines().forEach(failures::add);
    } catch (IOException | UncheckedIOException e) {
      // It was killed.
    }
  }

  String name() {
    return name;
  }

  /** What it could not do, each beginning with its code. */
  Queue<String> failures() {
    return failures;
  }

  /** As kill -9 does. */
  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }

  public static void main(String[] arguments) throws IOException {
    Configuration configuration =
        ConfigurationReader.parse(arguments[1], Files.readString(Path.of(arguments[1])), Map.of());
    MoveWorkers.Listener listener =
        new MoveWorkers.Listener() {
          @Override
          public void at(Move move) {}

          @Override
          public void failed(Move move, ShardwrightException why) {
            System.out.println(why.getMessage().replace('\n', ' '));
          }
        };
    MoveWorkers workers = null;
    while (workers == null) {
      try {
        workers = new MoveWorkers(configuration, arguments[0], 4, listener);
      } catch (ShardwrightException e) {
        // The catalog is away just now.
        System.out.println(e.getMessage().replace('\n', ' '));
      }
    }
    workers.start();
    while (System.in.read() >= 0) {
      // Its parent lives.
    }
    workers.close();
  }
}
