package io.shardwright.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.config.Configuration;
import io.shardwright.config.Configuration.Endpoint;
import io.shardwright.config.ConfigurationReader;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.ids.GeneIdGenerator;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.GeneIdLayout;
import java.io.BufferedReader;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A Java process of its own that leases node numbers and prints the ids that it issues. */
final class IdProcess implements AutoCloseable {
  static final int THREADS = 2;
  static final int ROUNDS = 25;
  static final int IDS = 40;

  private static final BucketId GENE = new BucketId(7);

  private final Process process;
  private final BufferedReader output;

  private IdProcess(Process process) {
    this.process = process;
    this.output = process.inputReader();
  }

  static IdProcess start(String mode, String url, Endpoint login) throws IOException {
    return new IdProcess(
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                "-cp",
                System.getProperty("java.class.path"),
                "-Xmx64m",
                IdProcess.class.getName(),
                mode,
                url,
                login.user(),
                login.password())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start());
  }

  String line() throws IOException {
    return output.readLine();
  }

  List<String> linesToTheEnd() throws InterruptedException {
    List<String> lines = output.lines().toList();
    assertThat(process.waitFor()).isZero();
    return lines;
  }

  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }

  public static void main(String[] arguments) throws Exception {
    String endpoint =
        "{url: \"%s\", user: %s, password: \"%s\"}"
            .formatted(arguments[1], arguments[2], arguments[3]);
    Configuration configuration =
        ConfigurationReader.parse(
            "child.yaml",
            "version: 1\ncatalog: "
                + endpoint
                + "\nshards: {s0: "
                + endpoint
                + "}\n"
                + CatalogFixture.GROUPS,
            Map.of());
    try (CatalogIds ids = CatalogIds.open(configuration)) {
      if (arguments[0].equals("hold")) {
        hold(ids);
      } else {
        fight(ids, configuration.catalog().orElseThrow());
      }
    }
  }

  private static void hold(CatalogIds ids) throws IOException {
    GeneIdGenerator generator = generator(ids.node("orders", 1));
    for (int i = 0; i < IDS; i++) {
      System.out.println("id " + generator.next(GENE));
    }
    while (System.in.read() >= 0) {
      // Until it is killed.
    }
  }

  private static void fight(CatalogIds ids, Endpoint login) throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < THREADS; t++) {
      Thread thread = new Thread(() -> takeAndGiveBack(ids, login));
      thread.setUncaughtExceptionHandler(
          (failed, e) -> {
            e.printStackTrace();
            Runtime.getRuntime().halt(1);
          });
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }

  /** The witness has one row per held number: holding one twice breaks its primary key. */
  private static void takeAndGiveBack(CatalogIds ids, Endpoint login) {
    try (Connection connection = DatabaseLogin.SHORT.open(login);
        Statement witness = connection.createStatement()) {
      for (int round = 0; round < ROUNDS; round++) {
        LeasedNode node = takeOne(ids);
        witness.execute("INSERT INTO witness VALUES (" + node.current().node() + ")");
        GeneIdGenerator generator = generator(node);
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < IDS; i++) {
          lines.append("id ").append(generator.next(GENE)).append('\n');
        }
        lines.append(node.current().node()).append(" epoch ").append(node.current().epoch());
        witness.execute("DELETE FROM witness WHERE node = " + node.current().node());
        node.close(generator.usedUntilMillis());
        System.out.println(lines);
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static LeasedNode takeOne(CatalogIds ids) {
    while (true) {
      try {
        return ids.node("orders", 2);
      } catch (ShardwrightException e) {
        if (e.code() != ErrorCode.NODES_EXHAUSTED) {
          throw e;
        }
      }
    }
  }

  private static GeneIdGenerator generator(LeasedNode node) {
    return new GeneIdGenerator(GeneIdLayout.forBuckets(1024), 0, node, InstantSource.system());
  }
}
