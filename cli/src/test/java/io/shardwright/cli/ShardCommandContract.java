package io.shardwright.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Shards come and go, against real servers. */
abstract class ShardCommandContract {
  @TempDir private Path directory;
  private MovingShards shards;

  abstract MovingShards.Server server();

  @BeforeEach
  void start() throws IOException, SQLException {
    shards = new MovingShards(server(), directory, 2);
  }

  @Test
  void addRebalanceDrainRemove() throws IOException, SQLException {
    shards.fill(300);
    String before = shards.text();
    String url = shards.newShard("s2");

    Shell.Run early = shards.add("s2", url);
    assertThat(early.exit()).isEqualTo(1);
    assertThat(early.out())
        .contains("orders")
        .contains("not added: the file is as it was; tables: run the file that made them there");
    assertThat(shards.text()).isEqualTo(before);

    shards.createTables("s2");
    Shell.Run add = shards.add("s2", url);
    assertThat(add.exit()).as(add.out() + add.err()).isZero();
    assertThat(add.out())
        .startsWith("reference table countries: 3 rows copied from s0\nok: shard s2 is in ")
        .contains("rebalance --plan");
    assertThat(shards.text().lines().filter(line -> !line.startsWith("  s2: {url: ")))
        .containsExactlyElementsOf(before.lines().toList());
    assertThat(shards.text()).contains("# number 1\n  s2: {url: ");

    JsonNode plan = shards.run("rebalance --plan --by bytes --json").json().at("/groups/0");
    assertThat(plan.get("group").asText()).isEqualTo("orders");
    assertThat(plan.get("skewBefore").asDouble()).isGreaterThan(1.3);
    assertThat(plan.get("skewAfter").asDouble()).isLessThan(1.2);
    assertThat(plan.get("steps")).allMatch(step -> step.get("target").asText().equals("s2"));
    assertThat(shards.run("rebalance --plan --by bytes").out())
        .containsPattern("orders \\| s0 +\\| s2 +\\|")
        .containsPattern("orders: fullest shard by its share 1\\.\\d+ before, 1\\.\\d+ afterwards")
        .contains(" rows, about ");

    Shell.Run run = shards.run("rebalance --run --by bytes");
    assertThat(run.exit()).as(run.err()).isZero();
    assertThat(run.out()).contains("ok: move 1 is switched").contains("ok: move 2 is switched");
    assertThat(shards.bucketsOf("s2")).isBetween(8, 27);
    assertThat(shards.count("items")).isEqualTo(600);
    JsonNode again = shards.run("rebalance --plan --by bytes --json").json().at("/groups/0");
    assertThat(again.get("skewBefore").asDouble()).isLessThan(1.2);

    Shell.Run remove = shards.run("shard remove s2");
    assertThat(remove.exit()).isEqualTo(2);
    assertThat(remove.err()).contains("shard s2 owns buckets ({orders=").contains("drain s2");
    Shell.Run busy = shards.run("shard drain s2");
    assertThat(busy.err()).contains("are in move 1, which is switched");
    assertThat(shards.run("move cleanup 1").exit()).isZero();
    assertThat(shards.run("move cleanup 2").exit()).isZero();

    Shell.Run drain = shards.run("shard drain s2 --no-rollback");
    assertThat(drain.exit()).as(drain.err()).isZero();
    assertThat(shards.bucketsOf("s2")).isZero();
    assertThat(shards.run("shard remove s2").err()).contains("has not ended");
    assertThat(shards.run("move cleanup 3").exit()).isZero();
    assertThat(shards.run("move cleanup 4").exit()).isZero();
    Shell.Run removed = shards.run("shard remove s2");
    assertThat(removed.exit()).as(removed.err()).isZero();
    assertThat(shards.text()).isEqualTo(before);
    assertThat(shards.count("orders")).isEqualTo(300);
    assertThat(shards.run("verify --placement").exit()).isZero();
  }

  @Test
  void add_withDdlOfShardwright_runsItThere() throws IOException, SQLException {
    Shell.Run created = shards.run("sql", "ALTER TABLE items ADD quantity int");
    assertThat(created.exit()).as(created.err()).isZero();
    String url = shards.newShard("s2");
    shards.createTables("s2");

    Shell.Run late = shards.add("s2", url);
    assertThat(late.exit()).as(late.out()).isEqualTo(1);
    assertThat(late.out()).contains("quantity");
    Shell.Run add = shards.add("s2", url, "--run-ddl");

    assertThat(add.exit()).as(add.out() + add.err()).isZero();
    assertThat(add.out()).startsWith("1 schema change run\nok: shard s2 ");
    assertThat(shards.run("ddl status").exit()).isZero();
  }

  @Test
  void move_toAShardWhoseReferenceTablesDiffer_waitsUntilTheyAreFilled()
      throws IOException, SQLException {
    shards.fill(3);
    String url = shards.newShard("s2");
    shards.createTables("s2");
    assertThat(shards.add("s2", url).exit()).isZero();
    shards.execute("s2", "UPDATE countries SET name = 'Peru ' WHERE code = 3");

    CompletableFuture<Shell.Run> move =
        CompletableFuture.supplyAsync(() -> shards.run("move --group orders --buckets 3 --to s2"));
    String waiting = "waits for reference tables [countries] to be the same on shards s0 and s2";
    while (!move.isDone() && !shards.run("moves 1").out().contains(waiting)) {
      Thread.onSpinWait();
    }
    assertThat(move).isNotDone();
    assertThat(shards.run("shard fill s0").err()).contains("shard s0 owns buckets ({orders=32})");
    assertThat(shards.run("shard fill s2 --from s2").err()).contains("--from s2 is not another");
    Shell.Run fill = shards.run("shard fill s2");

    assertThat(fill.out()).isEqualTo("reference table countries: 3 rows copied from s0\n");
    assertThat(move.join().exit()).as(move.join().err()).isZero();
  }

  @Test
  void badInput_isUsage() throws IOException, SQLException {
    assertThat(shards.add("s1", "jdbc:postgresql://h/x").err()).contains("shard s1 is in ");
    assertThat(shards.add("S!", "jdbc:postgresql://h/x").err()).contains("no name of a shard");
    assertThat(shards.run("shard drain s7").err()).contains("there is no shard s7 in ");
    assertThat(shards.run("rebalance").err()).contains("give --plan to see what would move");
    Path file = Path.of(shards.file());
    Files.writeString(file, shards.text().replaceAll("\\},? *# number", ", weight: 0} # number"));
    assertThat(shards.run("rebalance --plan --by bytes").err())
        .contains("every shard has weight: 0");
  }
}
