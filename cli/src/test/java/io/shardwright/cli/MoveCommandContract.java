package io.shardwright.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What an operator types to move buckets, against real shards. */
abstract class MoveCommandContract {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir private Path directory;
  private MovingShards shards;

  abstract MovingShards.Server server();

  @BeforeEach
  void start() throws IOException, SQLException {
    shards = new MovingShards(server(), directory, 2);
  }

  @Test
  void move_thenCleanUp() throws SQLException {
    shards.fill(200);

    Shell.Run move = shards.run("move --group orders --buckets 0-9,15 --to s1");

    assertThat(move.exit()).as(move.err()).isZero();
    assertThat(move.out())
        .startsWith("move 1: 11 buckets of orders from s0 to s1\nok: move 1 is switched, ")
        .containsPattern("longest pause \\d+\\.\\d ms in \\d+ batch")
        .contains(
            "; back again: shardwright move rollback 1, or for good: shardwright move cleanup 1\n");
    assertThat(move.err()).contains("move 1 ");
    assertThat(shards.bucketsOf("s1")).isEqualTo(32 + 11);
    assertThat(shards.count("orders")).isEqualTo(200);

    assertThat(shards.run("moves").out())
        .containsPattern(
            "1 \\| switched \\| orders \\| +0-9,15 \\| s0 +\\| s1 +\\| \\d+ of \\d+ +\\| [0-9.]+/");
    JsonNode json = shards.run("moves 1 --json").json();
    assertThat(json.get("state").asText()).isEqualTo("switched");
    assertThat(json.get("bucketCount").asInt()).isEqualTo(11);
    assertThat(json.get("rowsCopied").asLong()).isEqualTo(json.get("rowsTotal").asLong());
    assertThat(json.at("/pauses/maxMicros").asLong()).isPositive();
    assertThat(json.get("stages").findValuesAsText("stage"))
        .containsExactly("copy", "close", "last_pass", "sequences", "publish", "hand_over");
    assertThat(json.at("/stages/0/rows")).isEqualTo(json.get("rowsCopied"));
    assertThat(shards.run("move verify 1").out())
        .isEqualTo("ok: both sides of move 1 have the same rows in 11 buckets\n");
    JsonNode verified = shards.run("moves 1 --json").json().get("verification");
    assertThat(verified.get("state").asText()).isEqualTo("switched");
    assertThat(verified.get("mapVersion").asLong()).isEqualTo(2);
    assertThat(verified.get("differences").asLong()).isZero();
    assertThat(shards.run("moves 1").out())
        .contains("verified    equal in 11 buckets, ")
        .containsPattern(
            "copy        [0-9.]+ ms in 1 times, [0-9.]+ at most, \\d+ rows, \\d+ a second")
        .containsPattern("publish     [0-9.]+ ms in 1 times, [0-9.]+ at most\n");

    Shell.Run cleanUp = shards.run("move cleanup 1");
    assertThat(cleanUp.exit()).as(cleanUp.err()).isZero();
    assertThat(cleanUp.out()).startsWith("ok: move 1 is done, ");
    assertThat(shards.run("moves").out()).isEqualTo("nothing moves; --all lists what has ended\n");
    assertThat(shards.run("moves --all").out()).contains("1 | done");
    assertThat(shards.count("items")).isEqualTo(400);
    assertThat(shards.run("verify --placement").exit()).isZero();
    assertThat(shards.run("move --group orders --buckets 0-9 --to s1").out())
        .isEqualTo("ok: all of them are on shard s1 already\n");
  }

  @Test
  void rollBack_keepsWhatWasWrittenSince() throws SQLException {
    shards.fill(50);
    assertThat(shards.run("move --group orders --buckets 0-31 --to s1").exit()).isZero();
    assertThat(shards.bucketsOf("s0")).isZero();
    Shell.Run insert =
        shards.run("sql", "INSERT INTO orders (buyer_id, order_id) VALUES (1, 1000), (1, 1001)");
    assertThat(insert.exit()).as(insert.err()).isZero();
    assertThat(shards.run("move verify 1").exit()).isZero();

    Shell.Run back = shards.run("move rollback 1");

    assertThat(back.exit()).as(back.err()).isZero();
    assertThat(back.out()).startsWith("ok: move 1 is rolled back, ");
    assertThat(shards.bucketsOf("s0")).isEqualTo(32);
    assertThat(shards.count("orders")).isEqualTo(52);
    assertThat(shards.run("verify --placement").exit()).isZero();
  }

  @Test
  void pausedInTheBackground_thenResumedByAWorker_asAProcess() throws Exception {
    shards.fill(50);
    Shell.Run record = shards.run("move --group orders --buckets 3-5 --to s1 --background");
    assertThat(record.out())
        .contains("a shardwright worker works on them; shardwright moves tells how far it is\n");
    assertThat(shards.run("move pause 1").out())
        .isEqualTo(
            "move 1 is planned, paused, 0 rows copied; go on with: shardwright move resume 1\n");

    Process worker =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "worker",
                "-c",
                shards.file())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader out = worker.inputReader(StandardCharsets.UTF_8)) {
      assertThat(out.readLine()).startsWith("worker ").endsWith(" works on moves that are due");
      assertThat(shards.run("move resume 1 --background").exit()).isZero();
      String line = out.readLine();
      while (line != null && !line.startsWith("move 1 switched")) {
        line = out.readLine();
      }
      assertThat(line).contains("1 batch switched");
      worker.toHandle().destroy();
      assertThat(out.readLine()).isEqualTo("worker stops");
      assertThat(out.readLine()).isEqualTo("worker has stopped");
      assertThat(worker.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    } finally {
      worker.destroyForcibly();
    }
    assertThat(shards.run("moves --json").json().at("/moves/0/worker").isNull()).isTrue();
    assertThat(shards.run("moves --json").json().at("/moves/0/state").asText())
        .isEqualTo("switched");
  }

  @Test
  void cancel_ofAMoveThatRests_undoesIt() throws SQLException {
    shards.fill(20);
    assertThat(shards.run("move --group orders --buckets 3-5 --to s1 --background").exit())
        .isZero();
    assertThat(shards.run("move cancel 1").out()).startsWith("ok: move 1 is cancelled, ");
    assertThat(shards.bucketsOf("s0")).isEqualTo(32);
    Shell.Run twice = shards.run("move cancel 1");
    assertThat(twice.exit()).isEqualTo(2);
    assertThat(twice.err()).contains("SW603: move 1 of buckets 3-5").contains("is cancelled");
    Shell.Run verify = shards.run("move verify 1");
    assertThat(verify.exit()).isEqualTo(2);
    assertThat(verify.err()).contains("has ended; shardwright verify --placement");
  }

  @Test
  void window_thatIsOver_letsAWorkerCleanUp() throws SQLException {
    shards.fill(20);
    Shell.Run move = shards.run("move --group orders --buckets 3-5 --to s1 --window 1s");
    assertThat(move.exit()).as(move.err()).isZero();
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    String state = "";
    while (!state.equals("done") && System.nanoTime() < deadline) {
      shards.run("move resume 1");
      state = shards.run("moves 1 --json").json().get("state").asText();
    }
    assertThat(state).isEqualTo("done");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "move --group orders --buckets 1 | Missing required option: '--to=SHARD'",
        "move --group orders --buckets 1-x --to s1 | --buckets is '1-x'",
        "move --group orders --buckets 64 --to s1 | group orders has buckets 0 to 63, not 64",
        "move --group orders --buckets 1 --to s9 | there is no shard s9 in the configuration",
        "move --group nix --buckets 1 --to s1 | there is no table group or lookup index 'nix'",
        "move --group orders --buckets 1 --to s1 --rate -1 | --rate is -1; give 0 or more",
        "move --group orders --buckets 1 --to s1 --window x | --window is x; give a time",
        "move pause 7 | there is no move 7; shardwright moves lists them",
        "move pause | Missing required parameter: 'ID'",
        "worker --parallel 0 | --parallel is 0; give 1 to 64",
      })
  void badInput_isUsage(String words, String message) {
    Shell.Run run = shards.run(words);
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).startsWith("error: SW603: ").contains(message).hasLineCount(1);
  }

  @Test
  void move_withoutMover_saysWhatToDo() throws IOException {
    java.nio.file.Files.writeString(
        Path.of(shards.file()), shards.text().replaceAll("mover: .*", ""));
    Shell.Run run = shards.run("move --group orders --buckets 1 --to s1");
    assertThat(run.exit()).isEqualTo(3);
    assertThat(run.err()).contains("shardwright.yaml names no mover").contains("Grants");
    assertThat(List.of(shards.run("moves").out()))
        .containsExactly("nothing moves; --all lists what has ended\n");
  }
}
