package io.shardwright.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.config.Configuration;
import io.shardwright.config.ConfigurationReader;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.lookup.Feed;
import io.shardwright.lookup.ListIndex;
import io.shardwright.schema.Apply;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** What becomes of a list index in the long run: kills, old entries, files that change. */
abstract class ListFeedContract {
  private static final int SHARDS = 2;
  private static final int KILLS = 4;
  private static final int ROWS = 300;
  private static final String ENTRY = ListFixture.entryTable();

  private final TestingDatabase database;

  ListFeedContract(TestingDatabase database) {
    this.database = database;
  }

  /** Changes of every kind, of rows that others changed before. */
  private static void write(ListFixture lists, int[] buckets, int round) throws SQLException {
    for (int shard = 0; shard < SHARDS; shard++) {
      StringBuilder rows = new StringBuilder();
      for (int i = 0; i < ROWS; i++) {
        rows.append(i == 0 ? "" : ", ")
            .append(
                "(%d, 0, %d, %d, 't%d')".formatted(buckets[shard], round * ROWS + i, i % 5, round));
      }
      lists.shards().onShard(shard, "INSERT INTO samples (bucket_id, k, id, i4, t) VALUES " + rows);
      lists.shards().onShard(shard, "UPDATE samples SET i4 = i4 + 1 WHERE id % 3 = " + round % 3);
      lists.shards().onShard(shard, "DELETE FROM samples WHERE id % 7 = " + round % 7);
    }
  }

  @Test
  void processesThatAreKilled_loseNothing() throws Exception {
    ListFixture lists = ListFixture.open(database, SHARDS);
    try (TestingShards shards = lists.shards()) {
      lists.create();
      int[] buckets = new int[SHARDS];
      for (int shard = 0; shard < SHARDS; shard++) {
        buckets[shard] = shards.samplesBucket(shards.keyOn(shard, 0));
      }
      Random random = new Random(4);
      shards.whileClosed(
          () -> {
            for (int kill = 0; kill < KILLS; kill++) {
              write(lists, buckets, kill);
              long entries = entries(lists);
              try (FeedProcess process = new FeedProcess(shards, SHARDS)) {
                ListFixture.await(() -> entries(lists) > entries);
                process.dieAfter(1 + random.nextInt(12));
              }
            }
            write(lists, buckets, KILLS);
            assertThat(lists.waiting()).isPositive();
          });
      lists.hurry();
      lists.assertSame();
      assertThat(lists.dead()).isZero();
    }
  }

  @Test
  void create_ofATableWithRowsThatChangeAllTheTime_ends() throws Exception {
    ListFixture lists = ListFixture.open(database, SHARDS);
    try (TestingShards shards = lists.shards()) {
      int bucket = shards.samplesBucket(shards.keyOn(0, 0));
      shards.onShard(
          0,
          "INSERT INTO samples (bucket_id, k, id, i4) VALUES (%1$d, 0, 1, 1), (%1$d, 0, 2, 1)"
              .formatted(bucket));
      AtomicBoolean on = new AtomicBoolean(true);
      ExecutorService threads = Executors.newCachedThreadPool();
      List<Future<?>> writers = new ArrayList<>();
      for (int row = 1; row <= 2; row++) {
        int id = row;
        writers.add(
            threads.submit(
                () -> {
                  try (Connection connection = shards.shard(0)) {
                    for (int i = 0; on.get(); i++) {
                      TestingShards.update(
                          connection, "UPDATE samples SET i4 = ? WHERE id = ?", i % 7, id);
                    }
                  }
                  return null;
                }));
      }
      try {
        lists.create();
      } finally {
        on.set(false);
      }
      for (Future<?> writer : writers) {
        writer.get();
      }
      threads.shutdown();
      lists.assertSame();
    }
  }

  /** Each is told by another version. */
  private static long entries(ListFixture lists) throws SQLException {
    return lists.sum("SELECT coalesce(sum(version), 0) FROM " + ENTRY);
  }

  @Test
  void entriesOfRowsThatAreGone_areRemovedAfterADay() throws Exception {
    ListFixture lists = ListFixture.open(database, SHARDS);
    try (TestingShards shards = lists.shards()) {
      lists.create();
      for (int i = 0; i < 6; i++) {
        shards.update("INSERT INTO samples (k, id, i4) VALUES (?, ?, 3)", i, i);
      }
      lists.awaitDelivered();
      shards.update("DELETE /* shardwright: scatter=allow */ FROM samples WHERE id < 4");
      lists.awaitDelivered();
      Feed feed = shards.source().cluster().indexes().feed();
      ListIndex index = shards.source().cluster().database().list(ListFixture.NAME).orElseThrow();

      assertThat(feed.purge(index)).isZero();
      shards.onEveryShard(written(ENTRY, 25) + " WHERE p1 < 2 OR p1 = 5");
      shards.onEveryShard(written(ENTRY, 23) + " WHERE p1 = 2");
      // A change as old may bring an entry back, as long as it waits.
      try (Connection connection = shards.shard(0)) {
        connection.setAutoCommit(false);
        TestingShards.update(
            connection,
            "INSERT INTO samples (bucket_id, k, id, i4) VALUES (?, 0, 9, 9)",
            shards.samplesBucket(shards.keyOn(0, 0)));
        TestingShards.update(
            connection,
            written(ListFixture.outboxTable(), 25)
                + ", not_before = CURRENT_TIMESTAMP + INTERVAL '1' HOUR");
        connection.commit();
      }
      assertThat(feed.purge(index)).isZero();
      shards.onEveryShard(written(ListFixture.outboxTable(), 23));
      assertThat(feed.purge(index)).isEqualTo(2);

      lists.hurry();
      lists.assertSame();
      assertThat(lists.everywhere("SELECT p1 FROM " + ENTRY))
          .containsExactly("2", "3", "4", "5", "9");
    }
  }

  private static String written(String table, int hoursAgo) {
    return "UPDATE "
        + table
        + " SET written_at = CURRENT_TIMESTAMP - INTERVAL '"
        + hoursAgo
        + "' HOUR";
  }

  @Test
  void otherGiantsInTheFile_areRefused() throws Exception {
    ListFixture lists = ListFixture.open(database, SHARDS);
    try (TestingShards shards = lists.shards()) {
      String given = "values: [[1]]";
      Configuration other = file(shards.yaml().replace(given, "values: [[1], [2]]"));
      // Nothing is on record before it is created.
      Shardwright.open(other).close();
      lists.create();

      assertThatThrownBy(() -> Shardwright.open(other))
          .isInstanceOfSatisfying(
              ShardwrightException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.CATALOG_MISMATCH))
          .hasMessageContainingAll("samples.by_group", "spread.values");
      assertThat(Apply.run(other, Apply.Options.DEFAULT).problems())
          .anyMatch(problem -> problem.code() == ErrorCode.CATALOG_MISMATCH);
      assertThatThrownBy(
              () -> Shardwright.open(file(shards.yaml().replace(given, "values: [[x]]"))))
          .hasMessageContaining("spread.values");
      Shardwright.open(file(shards.yaml().replace(given, "values: [['01'], [1]]"))).close();
      Shardwright.open(file(shards.yaml().replace(", " + given, ""))).close();
    }
  }

  private static Configuration file(String yaml) {
    return ConfigurationReader.parse("other.yaml", yaml, Map.of());
  }
}
