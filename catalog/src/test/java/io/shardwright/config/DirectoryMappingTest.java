package io.shardwright.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.config.Configuration.GeneIdColumn;
import io.shardwright.config.Configuration.Group;
import io.shardwright.config.Configuration.OrderNumberColumn;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.BucketMap;
import io.shardwright.routing.Directory.Entry;
import io.shardwright.routing.ShardId;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DirectoryMappingTest {
  private static final String FILE =
      """
      version: 1
      catalog: {url: "jdbc:postgresql://c/c", user: u}
      shards:
        s0: {url: "jdbc:postgresql://h0/d", user: u}
        s1: {url: "jdbc:postgresql://h1/d", user: u, labels: {tier: ssd}}
        s2: {url: "jdbc:postgresql://h2/d", user: u}
      groups:
        g:
          key: [tenant, buyer]
          buckets: 1024
          id: [{column: id, GENES}, {column: no, type: order_number}]
          tables: {t: {}}
          zones: [{buckets: "1025", require: {tier: ssd}}]
          directory: DIRECTORY
      """;

  private static final String TWO =
      "[{key: [7], buckets: \"1024-1027\"}, {key: [7, x y], buckets: 1028}]";

  private static Group read(String directory, String genes) {
    return ConfigurationReader.parse(
            "f", FILE.replace("DIRECTORY", directory).replace("GENES", genes), Map.of())
        .groups()
        .get("g");
  }

  private static void assertProblem(String directory, String genes, String... parts) {
    assertThatThrownBy(() -> read(directory, genes))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContainingAll(parts);
  }

  @Test
  void entries_areMapped_andIdsWideEnough() {
    Group group = read(TWO, "type: gene");

    assertThat(group.buckets()).isEqualTo(1024);
    assertThat(group.allBuckets()).isEqualTo(1029);
    assertThat(group.directory().entries())
        .containsExactly(new Entry(List.of("7"), 1024, 4), new Entry(List.of("7", "x y"), 1028, 1));
    assertThat(group.id()).contains(new GeneIdColumn("id", 4096));
    assertThat(((OrderNumberColumn) group.ids().get(1)).format().buckets()).isEqualTo(1029);
    assertThat(read(TWO, "genes: 16384").id()).contains(new GeneIdColumn("id", 16384));
  }

  @Test
  void firstMap_dealsReservedBucketsToTheShardsWithTheFewest_asZonesPermit() {
    Group group = read(TWO, "type: gene");
    BucketMap map =
        group.firstMap(
            ConfigurationReader.parse(
                    "f", FILE.replace("DIRECTORY", TWO).replace("GENES", "type: gene"), Map.of())
                .shards()
                .values());

    assertThat(map.buckets()).isEqualTo(1029);
    assertThat(map.shardOf(new BucketId(1025))).isEqualTo(new ShardId("s1"));
    for (ShardId shard : map.shards()) {
      assertThat(map.bucketsOf(shard)).hasSize(343);
    }
    for (int bucket = 0; bucket < 1024; bucket++) {
      assertThat(map.shardOf(new BucketId(bucket)).name()).isEqualTo("s" + bucket * 3 / 1024);
    }
  }

  @Test
  void mistakes_areNamed() {
    assertProblem(
        "[{key: [7], buckets: \"1025-1027\"}, {key: [8], buckets: 1028}]",
        "type: gene",
        "groups.g.directory[0].buckets",
        "the next reserved bucket is 1024");
    assertProblem(
        "[{key: [7], buckets: \"1024-1027\"}, {key: [8], buckets: 1030}]",
        "type: gene",
        "groups.g.directory[1].buckets",
        "the next reserved bucket is 1028");
    assertProblem("[{key: [7, 8], buckets: \"1024-1025\"}]", "type: gene", "for a whole route key");
    assertProblem("[{key: [7, 8, 9], buckets: 1024}]", "type: gene", "has 3 values");
    assertProblem("[{key: [], buckets: 1024}]", "type: gene", "has 0 values");
    assertProblem("[{buckets: 1024}]", "type: gene", "key", "is missing");
    assertProblem("[{key: [7]}]", "type: gene", "buckets", "one range");
    assertProblem("[{key: [7], buckets: \"1024,1026\"}]", "type: gene", "one range");
    assertProblem("[{key: [7], buckets: x}]", "type: gene", "one range");
    assertProblem("[{key: [7], buckets: \"1024-70000\"}]", "type: gene", "below 65536");
    assertProblem("[{key: [a\\b], buckets: 1024}]", "type: gene", "backslash");
    assertProblem(TWO, "genes: 1024", "genes", "fewer than the 1029 buckets");
    assertProblem(TWO, "genes: 2000", "genes", "use 1024, 4096 or 16384");
    assertProblem("[{key: [7], buckets: \"1024-20000\"}]", "type: gene", "more than gene ids");
  }
}
