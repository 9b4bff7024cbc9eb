package io.shardwright.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.shardwright.catalog.BucketHeat;
import io.shardwright.catalog.CatalogHeat;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.ShardId;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.IntStream;
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

  @Test
  void rebalance_byTraffic_evensOutWhatWasRecorded() throws SQLException {
    assertThat(shards.run("rebalance --plan --by time").err())
        .contains("--by time: no traffic was recorded in that time");
    assertThat(shards.run("rebalance --plan --by speed").err())
        .contains("--by is speed; give one of [bytes, reads, writes, time, bytes+traffic]");
    shards.fill(40);
    int hot = shards.map().bucketsOf(new ShardId("s0")).get(0).value();
    CatalogHeat catalog = new CatalogHeat(shards.configuration().catalog().orElseThrow());
    catalog.add(
        IntStream.range(hot, hot + 8)
            .mapToObj(bucket -> new BucketHeat("orders", bucket, 100, 0, 0, 60_000_000_000L))
            .toList());

    JsonNode plan = shards.run("rebalance --plan --by time --json").json().at("/groups/0");
    assertThat(plan.get("trafficSkewBefore").asDouble()).isGreaterThan(1.8);
    assertThat(plan.get("trafficSkewAfter").asDouble()).isLessThan(1.1);
    assertThat(plan.get("steps")).allMatch(step -> step.get("source").asText().equals("s0"));
    assertThat(plan.get("beyond")).isEmpty();
    JsonNode both = shards.run("rebalance --plan --json").json().at("/groups/0");
    assertThat(both.get("trafficSkewAfter").asDouble()).isLessThan(1.3);
    assertThat(both.get("skewAfter").asDouble()).isLessThan(1.3);
    JsonNode bytes = shards.run("rebalance --plan --by bytes --json").json().at("/groups/0");
    assertThat(bytes.get("trafficSkewAfter").asDouble()).isGreaterThan(1.5);

    catalog.add(List.of(new BucketHeat("orders", hot, 0, 9, 0, 3_600_000_000_000L)));
    assertThat(shards.run("rebalance --plan").out())
        .containsPattern("group +\\| shard \\| size +\\| then +\\| +busy \\| +then")
        .containsPattern(
            "orders: fullest shard by its share \\S+ before, \\S+ afterwards; busiest \\S+ before")
        .containsPattern("orders: bucket " + hot + " has 1\\.\\d\\d fair shares of the time");
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
