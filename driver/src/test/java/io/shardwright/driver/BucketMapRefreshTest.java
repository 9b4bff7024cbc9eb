package io.shardwright.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.catalog.Catalog;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.BucketMap;
import io.shardwright.routing.ShardId;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BucketMapRefreshTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private TestingShards shards;

  @BeforeEach
  void open() {
    shards = TestingShards.open(2);
  }

  @AfterEach
  void close() {
    shards.assertIdle();
    shards.close();
  }

  /** Moves the bucket of a key to the other shard, as another process would. */
  private void move(long key, String target) {
    BucketId bucket =
        shards
            .source()
            .explain("SELECT 1 FROM samples WHERE k = ?", List.of(key))
            .statements()
            .get(0)
            .buckets()
            .get(0);
    try (Catalog catalog = Catalog.open(shards.configuration())) {
      BucketMap now = catalog.load().maps().get("samples");
      catalog.publish(now.withMoved(List.of(bucket), new ShardId(target)), "test");
    }
    for (String name : List.of("s0", "s1")) {
      shards.onShard(
          name.equals("s0") ? 0 : 1,
          "UPDATE shardwright_bucket SET epoch = 2, state = '"
              + (name.equals(target) ? "open" : "away")
              + "' WHERE grp = 'samples' AND bucket = "
              + bucket.value());
    }
  }

  @Test
  void publishedMap_isUsedAfterARefresh() throws SQLException {
    long key = shards.keyOn(0, 0);
    move(key, "s1");
    shards.source().refreshMaps();

    assertThat(shards.source().bucketMap("samples").version()).isEqualTo(2);
    shards.update("INSERT INTO samples (k, id) VALUES (?, 1)", key);
    assertThat(shards.shardRows(1, "SELECT id FROM samples")).containsExactly("1");
  }

  @Test
  void publishedMap_isNoticedByItself() throws Exception {
    long key = shards.keyOn(0, 0);
    BlockingQueue<Long> versions = new LinkedBlockingQueue<>();
    shards.source().addListener(trace -> versions.add(trace.mapVersion().orElse(0)));
    move(key, "s1");
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    long version = 0;
    while (version != 2 && System.nanoTime() < deadline) {
      shards.rows("SELECT id FROM samples WHERE k = ?", key);
      Long seen = versions.poll(1, TimeUnit.SECONDS);
      version = seen == null ? 0 : seen;
    }
    assertThat(version).isEqualTo(2);
  }

  @Test
  void catalogThatComesBack_isFollowedAgain() {
    long key = shards.keyOn(0, 0);
    shards.catalogProxy().refuse();
    shards.catalogProxy().cut();
    shards.source().refreshMaps();
    assertThat(shards.source().bucketMap("samples").version()).isEqualTo(1);
    shards.catalogProxy().heal();

    move(key, "s1");
    shards.source().refreshMaps();

    assertThat(shards.source().bucketMap("samples").version()).isEqualTo(2);
  }
}
