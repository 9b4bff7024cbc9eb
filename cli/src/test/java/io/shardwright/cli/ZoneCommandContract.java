package io.shardwright.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.shardwright.routing.BucketId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Zones that are declared when buckets are elsewhere already. */
abstract class ZoneCommandContract {
  @TempDir Path directory;
  private final MovingShards.Server server;

  ZoneCommandContract(MovingShards.Server server) {
    this.server = server;
  }

  @Test
  void zoneDeclaredLater_verifyTells_rebalanceMends_andMoveKeepsToIt()
      throws IOException, SQLException {
    MovingShards shards = new MovingShards(server, directory, 2);
    shards.fill(60);
    Files.writeString(
        Path.of(shards.file()),
        shards
            .text()
            .replace("  s0: {url:", "  s0: {labels: {region: eu}, url:")
            .replace("  s1: {url:", "  s1: {labels: {region: us}, url:")
            .replace(
                "buckets: 64,",
                "buckets: 64, zones: [{buckets: '0-3,62-63', require: {region: eu}}],"));

    Shell.Run verify = shards.run("verify --placement");
    assertThat(verify.exit()).isEqualTo(1);
    assertThat(verify.out())
        .contains("buckets 62-63 of group orders are where they may not be")
        .contains("the labels of the shard are {region: us}")
        .contains("buckets 0-3,62-63 require {region: eu}");

    Shell.Run run = shards.run("rebalance --run --no-rollback");
    assertThat(run.exit()).as(run.out() + run.err()).isZero();
    assertThat(shards.map().shardOf(new BucketId(62)).name()).isEqualTo("s0");
    assertThat(shards.map().shardOf(new BucketId(63)).name()).isEqualTo("s0");
    for (JsonNode move : shards.run("moves --json").json().get("moves")) {
      assertThat(shards.run("move cleanup " + move.get("id").asLong()).exit()).isZero();
    }
    assertThat(shards.run("verify --placement").exit()).isZero();
    assertThat(shards.count("orders")).isEqualTo(60);

    Shell.Run move = shards.run("move --group orders --buckets 3-4 --to s1");
    assertThat(move.exit()).isNotZero();
    assertThat(move.err())
        .contains("bucket 3 of group orders may not be on shard s1, whose labels are {region: us}")
        .contains("groups.orders.zones says that buckets 0-3,62-63 require {region: eu}");
    Shell.Run drain = shards.run("shard drain s0");
    assertThat(drain.exit()).isEqualTo(2);
    assertThat(drain.err())
        .containsPattern(
            "bucket \\d+ of group orders has to leave shard s0, and groups.orders.zones");
  }
}
