package io.shardwright.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a review sees on real servers. */
abstract class ReviewCommandContract {
  @TempDir Path directory;
  private final MovingShards.Server server;
  private MovingShards shards;

  ReviewCommandContract(MovingShards.Server server) {
    this.server = server;
  }

  @BeforeEach
  void makeShards() throws IOException, SQLException {
    shards = new MovingShards(server, directory, 2);
  }

  /** The answers by rule. */
  private JsonNode review(String... more) throws IOException {
    Path json = directory.resolve("review.json");
    String[] options = Arrays.copyOf(more, more.length + 2);
    options[more.length] = "--json";
    options[more.length + 1] = json.toString();
    Shell.Run run = shards.run("review", options);
    assertThat(run.err()).isEmpty();
    return new ObjectMapper().readTree(Files.readString(json));
  }

  private static JsonNode rule(JsonNode review, String id) {
    for (JsonNode rule : review.get("rules")) {
      if (rule.get("rule").asText().equals(id)) {
        return rule;
      }
    }
    throw new AssertionError("no rule " + id);
  }

  private static String status(JsonNode review, String id) {
    return rule(review, id).get("status").asText();
  }

  private static String evidence(JsonNode review, String id) {
    return rule(review, id).get("evidence").toString();
  }

  @Test
  void review_soundShards_areSeenToBe() throws IOException, SQLException {
    // 3 rows of each buyer.
    shards.fill(1_000);
    assertThat(shards.count("orders")).isEqualTo(1_000);

    JsonNode review = review();

    for (String id : new String[] {"P02", "P11", "D06", "D07", "D12", "D15", "D21"}) {
      assertThat(status(review, id)).as(rule(review, id).toString()).isEqualTo("evidence");
    }
    assertThat(evidence(review, "P11")).contains("no sharded table is partitioned");
    assertThat(evidence(review, "Q03")).contains("map of group orders: version 1");
    assertThat(evidence(review, "K1")).contains("group orders: 3,000 rows, fullest shard 1.0");
    assertThat(evidence(review, "D14"))
        .contains("0.1% of the statements that shards got have no key");
    // How busy each shard was is a matter of this machine's moments, so no status is asked for.
    assertThat(evidence(review, "D03"))
        .contains("group orders: busiest shard ", "no log was given");
    assertThat(review.get("not_read")).isEmpty();
    assertThat(review.get("databases_asked").asBoolean()).isTrue();
    assertThat(review.at("/counts/violated").asInt()).isPositive();
    assertThat(review("--no-count").toString()).contains("were not counted");
    Shell.Run errors = shards.run("review --fail-on error");
    assertThat(errors.exit()).as(errors.out()).isZero();
    assertThat(shards.run("review").exit()).isEqualTo(ExitCode.PROBLEMS_FOUND.number());
  }

  @Test
  void review_brokenShards_areFound() throws IOException, SQLException {
    shards.execute("s1", "ALTER TABLE orders ADD COLUMN extra int");
    for (String shard : new String[] {"s0", "s1"}) {
      shards.execute(shard, "CREATE UNIQUE INDEX orders_amount ON orders (amount)");
    }
    shards.execute(
        "s0",
        "INSERT INTO shardwright_ddl (seq, statement, sha256, state, applied_at)"
            + " VALUES (7, 'ALTER TABLE orders ADD x int', 'a', 'done', now())");

    JsonNode review = review();

    assertThat(rule(review, "D21").get("severity").asText()).isEqualTo("error");
    assertThat(evidence(review, "D21"))
        .contains("extra", "(s1)", "1 change of the schema stopped halfway");
    assertThat(rule(review, "D21").get("actions").toString()).contains("ddl resume");
    assertThat(rule(review, "D12").get("severity").asText()).isEqualTo("error");
    assertThat(evidence(review, "D12")).contains("orders_amount");
    assertThat(status(review, "L3")).isEqualTo("violated");
    Shell.Run run = shards.run("review --fail-on error");
    assertThat(run.exit()).isEqualTo(ExitCode.PROBLEMS_FOUND.number());
    assertThat(run.lines())
        .anyMatch(line -> line.matches("ERROR: \\d rules broken"))
        .anyMatch(line -> line.startsWith("  D21 A schema change reaches every shard"))
        .last()
        .asString()
        .matches("\\d+ rules: \\d+ seen, 0 declared, \\d+ unknown, \\d+ violated");
    assertThat(run.out().indexOf("ERROR:")).isLessThan(run.out().indexOf("WARNING:"));
  }

  @Test
  void review_moves_areKnown() throws IOException, SQLException {
    shards.fill(50);
    assertThat(evidence(review(), "D17")).contains("no move was ever rolled back");
    Shell.Run move = shards.run("move --group orders --buckets 0-3 --to s1");
    assertThat(move.exit()).as(move.err()).isZero();
    assertThat(shards.run("move verify 1").exit()).isZero();

    JsonNode moved = review();

    assertThat(evidence(moved, "Q03")).contains("map of group orders: version 2");
    assertThat(shards.run("move rollback 1").exit()).isZero();
    JsonNode back = review();
    assertThat(status(back, "D17")).as(rule(back, "D17").toString()).isEqualTo("evidence");
    assertThat(evidence(back, "D17")).contains("1 move went back to the source");
    assertThat(status(back, "D15")).isEqualTo("evidence");
  }
}
