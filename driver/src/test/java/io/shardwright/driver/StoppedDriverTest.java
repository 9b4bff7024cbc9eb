package io.shardwright.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.catalog.Catalog;
import io.shardwright.config.ConfigurationReader;
import io.shardwright.driver.ScriptedMover.Step;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process that is stopped while a bucket moves, and goes on with what it had prepared. */
class StoppedDriverTest {
  /** More than a lease lasts in the catalog. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir Path directory;

  /** The other process: answers each line by the value of a row, over one prepared statement. */
  static final class Reader {
    private Reader() {}

    public static void main(String[] args) throws Exception {
      String yaml = Files.readString(Path.of(args[0]));
      try (ShardwrightDataSource source =
              Shardwright.open(ConfigurationReader.parse("test.yaml", yaml, Map.of()));
          Connection connection = source.getConnection();
          PreparedStatement select =
              connection.prepareStatement("SELECT t FROM samples WHERE k = ?");
          BufferedReader asked =
              new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
        String key = asked.readLine();
        while (key != null) {
          select.setLong(1, Long.parseLong(key));
          System.out.println(answer(select));
          key = asked.readLine();
        }
      }
    }

    private static String answer(PreparedStatement select) {
      try {
        return "row " + TestingShards.rows(select.executeQuery());
      } catch (SQLException e) {
        return "error " + e.getSQLState();
      }
    }
  }

  @Test
  void oldRow_isNeverGiven() throws Exception {
    try (TestingShards shards = TestingShards.open(2)) {
      long key = shards.keyOn(0, 0);
      shards.update("INSERT INTO samples (k, id, t) VALUES (?, 1, 'old')", key);
      Path yaml = Files.writeString(directory.resolve("test.yaml"), shards.yaml());
      Process reader =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-cp",
                  System.getProperty("java.class.path"),
                  Reader.class.getName(),
                  yaml.toString())
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      try (BufferedReader answers = reader.inputReader(StandardCharsets.UTF_8);
          PrintWriter questions = new PrintWriter(reader.outputWriter(StandardCharsets.UTF_8))) {
        assertThat(ask(questions, answers, key)).isEqualTo("row [old]");
        signal("STOP", reader);
        ScriptedMover mover = new ScriptedMover(shards, shards.samplesBucket(key), 0, 1);
        mover.run(Step.ANNOUNCED);
        shards.source().refreshMaps();
        try (Catalog catalog = Catalog.open(shards.configuration())) {
          assertThat(catalog.awaitSeen(catalog.load().version(), PATIENCE)).isEmpty();
        }
        for (Step step : Step.values()) {
          if (step != Step.ANNOUNCED && step.compareTo(Step.OPEN) <= 0) {
            mover.run(step);
          }
        }
        shards.update("UPDATE samples SET t = 'new' WHERE k = ?", key);
        // It wakes with the question before it.
        questions.println(key);
        questions.flush();
        signal("CONT", reader);

        assertThat(answers.readLine()).isIn("row [new]", "error 40001");
        String answer = "error 40001";
        while (answer.equals("error 40001")) {
          answer = ask(questions, answers, key);
        }
        assertThat(answer).isEqualTo("row [new]");
      } finally {
        reader.destroyForcibly().waitFor();
      }
    }
  }

  private static String ask(PrintWriter questions, BufferedReader answers, long key)
      throws IOException {
    questions.println(key);
    questions.flush();
    return answers.readLine();
  }

  private static void signal(String name, Process to) throws Exception {
    Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(to.pid())).start();
    assertThat(kill.waitFor()).isZero();
  }
}
