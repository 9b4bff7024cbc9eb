package io.shardwright.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.time.Duration;
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
  private void move(long key) throws SQLException {
    ScriptedMover mover = new ScriptedMover(shards, shards.samplesBucket(key), 0, 1);
    mover.run(ScriptedMover.Step.PUBLISHED);
    mover.run(ScriptedMover.Step.AWAY);
    mover.run(ScriptedMover.Step.OPEN);
  }

  @Test
  void publishedMap_isUsedAfterARefresh() throws SQLException {
    long key = shards.keyOn(0, 0);
    move(key);
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
    move(key);
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
  void catalogThatComesBack_isFollowedAgain() throws SQLException {
    long key = shards.keyOn(0, 0);
    shards.catalogProxy().refuse();
    shards.catalogProxy().cut();
    shards.source().refreshMaps();
    assertThat(shards.source().bucketMap("samples").version()).isEqualTo(1);
    shards.catalogProxy().heal();

    move(key);
    shards.source().refreshMaps();

    assertThat(shards.source().bucketMap("samples").version()).isEqualTo(2);
  }
}
