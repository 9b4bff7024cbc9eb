package io.shardwright.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.shardwright.routing.BucketId;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The traffic of buckets, by command. */
abstract class HeatCommandContract {
  @TempDir Path directory;
  private final MovingShards.Server server;
  private MovingShards shards;

  HeatCommandContract(MovingShards.Server server) {
    this.server = server;
  }

  @BeforeEach
  void makeShards() throws IOException, SQLException {
    shards = new MovingShards(server, directory, 2);
  }

  @Test
  void heat_tellsWhatOtherProcessesDid() throws SQLException {
    assertThat(shards.run("heat").out()).startsWith("nothing was recorded in the last 1h");

    shards.fill(50);
    assertThat(shards.count("orders")).isEqualTo(50);

    JsonNode group = shards.run("heat --json --top 64").json().at("/groups/0");
    assertThat(group.get("group").asText()).isEqualTo("orders");
    assertThat(sum(group.get("buckets"), "writes")).isEqualTo(150);
    assertThat(sum(group.get("shards"), "writes")).isEqualTo(150);
    assertThat(sum(group.get("shards"), "rows")).isEqualTo(150);
    assertThat(sum(group.get("shards"), "nanos")).isPositive();
    assertThat(group.get("shards")).hasSize(2);
    assertThat(group.at("/withoutKey/reads").asLong()).isEqualTo(2);
    assertThat(group.get("skew").asDouble()).isBetween(1.0, 2.0);
    assertThat(group.get("buckets"))
        .allMatch(bucket -> owner(bucket).equals(bucket.get("shard").asText()));

    Shell.Run text = shards.run("heat --top 3 --group orders --since 15m");
    assertThat(text.exit()).as(text.err()).isZero();
    assertThat(text.out())
        .contains("share")
        .contains("(without key)")
        .containsPattern("orders: busiest shard by the mean [12]\\.\\d\\d");
    assertThat(text.out().lines().filter(line -> line.endsWith(" %"))).hasSize(3);
  }

  private String owner(JsonNode bucket) {
    return shards.map().shardOf(new BucketId(bucket.get("bucket").asInt())).name();
  }

  private static long sum(JsonNode list, String name) {
    long sum = 0;
    for (JsonNode one : list) {
      sum += one.get(name).asLong();
    }
    return sum;
  }

  @Test
  void heat_wrongOptions_areNamed() {
    assertThat(shards.run("heat --since 25h").err())
        .contains("--since is 25h")
        .contains("24 hours");
    assertThat(shards.run("heat --since soon").err()).contains("--since is soon; give a time");
    assertThat(shards.run("heat --top 0").err()).contains("--top is 0; give 1 to 65536");
    assertThat(shards.run("heat --group order").err())
        .contains("no group or lookup index 'order'; use one of [orders]");
  }
}
