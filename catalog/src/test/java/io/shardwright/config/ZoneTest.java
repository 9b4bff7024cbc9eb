package io.shardwright.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.config.Configuration.Group;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.BucketMap;
import io.shardwright.routing.ShardId;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ZoneTest {
  private static final ShardId S0 = new ShardId("s0");
  private static final ShardId S1 = new ShardId("s1");
  private static final ShardId S2 = new ShardId("s2");

  private static final String FILE =
      """
      version: 1
      catalog: {url: "jdbc:postgresql://c/c", user: u}
      shards:
        s0: {url: "jdbc:postgresql://h0/d", user: u, labels: {region: us}}
        s1: {url: "jdbc:postgresql://h1/d", user: u, labels: {region: eu, tier: ssd}}
        s2: {url: "jdbc:postgresql://h2/d", user: u, labels: {region: eu}}
      groups:
        g:
          key: [k]
          buckets: 12
          tables: {t: {}}
          zones: ZONES
      """;

  private static Configuration read(String zones) {
    return ConfigurationReader.parse("f", FILE.replace("ZONES", zones), Map.of());
  }

  private static void assertProblem(String file, String... parts) {
    assertThatThrownBy(() -> ConfigurationReader.parse("f", file, Map.of()))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContainingAll(parts);
  }

  @Test
  void parse_zones_areMapped() {
    Configuration read =
        read(
            "[{buckets: \"0-2,7\", require: {region: eu}}, {buckets: \"2\", require: {tier: ssd}}]");

    assertThat(read.shards().get(S1).labels()).isEqualTo(Map.of("region", "eu", "tier", "ssd"));
    Group group = read.groups().get("g");
    assertThat(group.zones())
        .extracting(Zone::toString)
        .containsExactly("buckets 0-2,7 require {region: eu}", "buckets 2 require {tier: ssd}");
    assertThat(read("[]").groups().get("g").zones()).isEmpty();
  }

  @Test
  void forbids_namesBucketShardLabelsAndRule() {
    Configuration read = read("[{buckets: \"0-2,7\", require: {region: eu}}]");

    assertThat(read.forbids("g", new BucketId(7), S0))
        .contains(
            "bucket 7 of group g may not be on shard s0, whose labels are {region: us}:"
                + " groups.g.zones says that buckets 0-2,7 require {region: eu}");
    assertThat(read.forbids("g", new BucketId(7), S2)).isEmpty();
    assertThat(read.forbids("g", new BucketId(6), S0)).isEmpty();
    assertThat(read.forbids("g.by_x", new BucketId(7), S0)).isEmpty();
  }

  @Test
  void firstMap_dealsOutWhatIsNotPermitted_andLeavesTheRest() {
    Configuration read =
        read(
            "[{buckets: \"0-2,7\", require: {region: eu}}, {buckets: \"2\", require: {tier: ssd}}]");
    Group group = read.groups().get("g");
    BucketMap even = BucketMap.initial("g", 12, read.shardIds());

    BucketMap map = group.firstMap(read.shards().values());

    assertThat(map.version()).isEqualTo(1);
    for (int i = 0; i < 12; i++) {
      BucketId bucket = new BucketId(i);
      assertThat(read.forbids("g", bucket, map.shardOf(bucket))).isEmpty();
      if (read.forbids("g", bucket, even.shardOf(bucket)).isEmpty()) {
        assertThat(map.shardOf(bucket)).isEqualTo(even.shardOf(bucket));
      }
    }
    assertThat(map.shardOf(new BucketId(2))).isEqualTo(S1);
    assertThat(map.bucketsOf(S1).size()).isBetween(5, 6);
    assertThat(map.bucketsOf(S2).size()).isBetween(5, 6);
  }

  @Test
  void parse_mistakes_areNamed() {
    assertProblem(
        FILE.replace("ZONES", "[{buckets: \"0-12\", require: {region: eu}}]"),
        "groups.g.zones[0].buckets",
        "is '0-12'",
        "up to 11");
    assertProblem(
        FILE.replace("ZONES", "[{buckets: \"x\", require: {}}]"),
        "groups.g.zones[0].buckets",
        "groups.g.zones[0].require",
        "asks for no label");
    assertProblem(
        FILE.replace("ZONES", "[{buckets: \"3\", require: {region: us, tier: ssd}}]"),
        "groups.g.zones",
        "leave bucket 3 no shard",
        "require {region: us, tier: ssd}");
    assertProblem(
        FILE.replace("ZONES", "[{buckets: \"3\", require: {region: eu}}]")
            .replaceFirst("catalog: .*\\n", ""),
        "groups.g.zones",
        "maps that can change");
    assertProblem(
        FILE.replace("ZONES", "[]").replace("region: us", "region: 'a b'"),
        "shards.s0.labels.region",
        "is 'a b'");
  }
}
