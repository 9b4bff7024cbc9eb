package io.shardwright.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.shardwright.driver.Shardwright;
import io.shardwright.driver.ShardwrightDataSource;
import io.shardwright.routing.ShardId;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A running process hears of a shard that was added, and works on while buckets go there. */
class NewShardTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir private Path directory;

  /** Inserts orders one after the other and reads each of them back. */
  private static long write(ShardwrightDataSource database, AtomicBoolean end, AtomicLong written)
      throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement insert =
            connection.prepareStatement("INSERT INTO orders (buyer_id, order_id) VALUES (?, ?)");
        PreparedStatement select =
            connection.prepareStatement("SELECT count(*) FROM orders WHERE buyer_id = ?")) {
      while (!end.get()) {
        long buyer = written.get() + 1_000;
        insert.setLong(1, buyer);
        insert.setLong(2, buyer);
        insert.executeUpdate();
        written.incrementAndGet();
        select.setLong(1, buyer);
        try (ResultSet row = select.executeQuery()) {
          row.next();
          assertThat(row.getLong(1)).isEqualTo(1);
        }
      }
    }
    return written.get();
  }

  @Test
  void moveToAShardThatAProcessDoesNotKnow_waitsUntilItsFileHasIt() throws Exception {
    MovingShards shards = new MovingShards(MovingShards.POSTGRES, directory, 2);
    shards.fill(20);
    Path own = directory.resolve("own.yaml");
    Files.copy(Path.of(shards.file()), own);
    AtomicBoolean end = new AtomicBoolean();
    AtomicLong written = new AtomicLong();
    try (ShardwrightDataSource database = Shardwright.open(own)) {
      CompletableFuture<Long> traffic =
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  return write(database, end, written);
                } catch (SQLException e) {
                  throw new IllegalStateException(e);
                }
              });
      String url = shards.newShard("s2");
      shards.createTables("s2");
      Shell.Run add = shards.add("s2", url);
      assertThat(add.exit()).as(add.out() + add.err()).isZero();
      CompletableFuture<Shell.Run> move =
          CompletableFuture.supplyAsync(
              () -> shards.run("move --group orders --buckets 0-9,32-41 --to s2"));

      JsonNode waiting = awaitNote(shards);
      assertThat(waiting.get("state").asText()).isEqualTo("copying");
      assertThat(waiting.get("rowsCopied").asLong()).isZero();
      assertThat(waiting.get("note").asText()).contains("whose shardwright.yaml lacks shard s2");
      assertThat(database.activeConnections()).doesNotContainKey(new ShardId("s2"));
      Files.copy(Path.of(shards.file()), own, StandardCopyOption.REPLACE_EXISTING);

      Shell.Run moved = move.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      assertThat(moved.exit()).as(moved.err()).isZero();
      assertThat(moved.out()).contains("ok: move 1 is switched").contains("ok: move 2 is switched");
      long before = written.get();
      long deadline = System.nanoTime() + PATIENCE.toNanos();
      while (written.get() < before + 100 && !traffic.isDone() && System.nanoTime() < deadline) {
        Thread.onSpinWait();
      }
      end.set(true);
      long rows = traffic.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      assertThat(rows).isGreaterThan(before);
      assertThat(database.activeConnections()).containsKey(new ShardId("s2"));
      assertThat(database.bucketMap("orders").bucketsOf(new ShardId("s2"))).hasSize(20);
      assertThat(shards.count("orders")).isEqualTo(20 + rows);
    }
    assertThat(shards.run("move cleanup 1").exit()).isZero();
    assertThat(shards.run("move cleanup 2").exit()).isZero();
    assertThat(shards.run("verify --placement").exit()).isZero();
  }

  private static JsonNode awaitNote(MovingShards shards) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (System.nanoTime() < deadline) {
      JsonNode move = shards.run("moves --json").json().at("/moves/0");
      if (move.path("note").asText().contains("waits for driver processes")) {
        return move;
      }
    }
    throw new AssertionError("it does not wait: " + shards.run("moves").out());
  }
}
