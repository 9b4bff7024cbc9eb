package io.shardwright.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.catalog.IndexState;
import io.shardwright.routing.ShardId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Building, delivering in disorder, and dropping an index that is not unique. */
abstract class ListIndexLifeContract {
  private static final int SHARDS = 3;
  private static final int WRITERS = 3;

  /** Rows of each writer: few, so that their changes meet. */
  private static final int ROWS = 12;

  final TestingDatabase database;

  ListIndexLifeContract(TestingDatabase database) {
    this.database = database;
  }

  /** Everything of Shardwright's on a shard, by name. */
  abstract String objects();

  /** Writes at random to rows of its own on any shard, behind the driver's back. */
  private static final class Writer {
    private final ListFixture lists;
    private final Random random;
    private final int first;
    private final int[] keys;

    Writer(ListFixture lists, long seed, int number) {
      this.lists = lists;
      this.random = new Random(seed * 31 + number);
      this.first = 1_000_000 + number * 1_000;
      this.keys = new int[SHARDS];
      for (int shard = 0; shard < SHARDS; shard++) {
        keys[shard] = lists.shards().samplesBucket(lists.shards().keyOn(shard, 0));
      }
    }

    void write(int operations) throws SQLException {
      List<Connection> shards = new ArrayList<>();
      try {
        for (int shard = 0; shard < SHARDS; shard++) {
          shards.add(lists.shards().shard(shard));
        }
        for (int i = 0; i < operations; i++) {
          int shard = random.nextInt(SHARDS);
          transaction(shards.get(shard), keys[shard]);
        }
      } finally {
        for (Connection connection : shards) {
          connection.close();
        }
      }
    }

    private void transaction(Connection connection, int bucket) throws SQLException {
      // Rows that are not there are not locked: these tests are not about writers' own deadlocks.
      connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
      connection.setAutoCommit(false);
      for (int i = random.nextInt(3); i >= 0; i--) {
        statement(connection, bucket);
      }
      if (random.nextInt(8) == 0) {
        connection.rollback();
      } else {
        connection.commit();
      }
    }

    private void statement(Connection connection, int bucket) throws SQLException {
      int id = first + random.nextInt(ROWS);
      Integer group = random.nextInt(6) == 0 ? null : random.nextInt(5);
      switch (random.nextInt(6)) {
        case 0, 1 -> {
          TestingShards.update(
              connection, "DELETE FROM samples WHERE bucket_id = ? AND id = ?", bucket, id);
          TestingShards.update(
              connection,
              "INSERT INTO samples (bucket_id, k, id, i4, t) VALUES (?, 0, ?, ?, ?)",
              bucket,
              id,
              group,
              "t" + random.nextInt(100));
        }
        case 2 ->
            TestingShards.update(
                connection,
                "UPDATE samples SET i4 = ? WHERE bucket_id = ? AND id = ?",
                group,
                bucket,
                id);
        case 3 ->
            TestingShards.update(
                connection,
                "UPDATE samples SET t = ? WHERE bucket_id = ? AND id = ?",
                "u" + random.nextInt(99),
                bucket,
                id);
        case 4 ->
            TestingShards.update(
                connection, "UPDATE samples SET i4 = i4 + 1 WHERE id BETWEEN ? AND ?", id, id + 3);
        default ->
            TestingShards.update(
                connection, "DELETE FROM samples WHERE bucket_id = ? AND id = ?", bucket, id);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void feeds_thatRaceAndDie_loseNothing(long seed) throws Exception {
    try (TestingShards shards = lists(SHARDS).shards()) {
      ListFixture lists = new ListFixture(shards, SHARDS);
      lists.create();
      ExecutorService threads = Executors.newCachedThreadPool();
      AtomicBoolean writing = new AtomicBoolean(true);
      AtomicInteger deaths = new AtomicInteger();
      List<Future<?>> others = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        MortalFeed feed = new MortalFeed(shards, new Random(seed * 101 + i), deaths);
        others.add(threads.submit(() -> feed.run(writing)));
      }
      // Changes become due in another order than they were told in.
      others.add(
          threads.submit(
              () -> {
                Random random = new Random(seed);
                while (writing.get()) {
                  for (int shard = 0; shard < SHARDS; shard++) {
                    disturb(lists, shard, random);
                  }
                }
                return null;
              }));
      List<Future<?>> writers = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        Writer writer = new Writer(lists, seed, i);
        writers.add(
            threads.submit(
                () -> {
                  writer.write(200);
                  return null;
                }));
      }
      for (Future<?> writer : writers) {
        writer.get();
      }
      writing.set(false);
      for (Future<?> other : others) {
        other.get();
      }
      threads.shutdown();
      lists.hurry();

      lists.assertSame();
      assertThat(lists.dead()).isZero();
      assertThat(deaths.get()).as("feeds that died before their commit").isPositive();
      assertThat(lists.sum("SELECT count(*) FROM samples")).isPositive();
    }
  }

  private static void disturb(ListFixture lists, int shard, Random random) throws SQLException {
    try (Connection connection = lists.shards().shard(shard)) {
      TestingShards.update(
          connection,
          "UPDATE "
              + ListFixture.outboxTable()
              + " SET not_before = CURRENT_TIMESTAMP - INTERVAL '"
              + random.nextInt(50)
              + "' SECOND WHERE n % 3 = ?",
          random.nextInt(3));
    } catch (SQLException e) {
      // It met a feed that had the same changes in another order.
      assertThat(e.getSQLState()).isIn("40P01", "40001");
    }
  }

  @Test
  void create_whileOthersWrite_findsEveryRow() throws Exception {
    try (TestingShards shards = lists(SHARDS).shards()) {
      ListFixture lists = new ListFixture(shards, SHARDS);
      for (int i = 0; i < WRITERS; i++) {
        new Writer(lists, 7, i).write(50);
      }
      ExecutorService threads = Executors.newCachedThreadPool();
      AtomicBoolean building = new AtomicBoolean(true);
      List<Future<?>> writers = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        Writer writer = new Writer(lists, 8, i);
        writers.add(
            threads.submit(
                () -> {
                  while (building.get()) {
                    writer.write(5);
                  }
                  return null;
                }));
      }
      lists.create();
      building.set(false);
      for (Future<?> writer : writers) {
        writer.get();
      }
      threads.shutdown();

      assertThat(shards.source().lookupIndexes().states().get(ListFixture.NAME).state())
          .isEqualTo(IndexState.READABLE);
      lists.assertSame();
      // Triggers that were lost for a while: it is built again.
      shards.onShard(1, dropTrigger());
      new Writer(lists, 9, 0).write(40);
      lists.create();
      lists.assertSame();
    }
  }

  /** That tells of updates. */
  abstract String dropTrigger();

  @Test
  void drop_leavesNothing() throws SQLException {
    try (TestingShards shards = lists(SHARDS).shards()) {
      ListFixture lists = new ListFixture(shards, SHARDS);
      shards.update("INSERT INTO samples (k, id, i4) VALUES (1, 1, 1)");
      lists.create();
      shards.update("UPDATE samples SET i4 = 2 WHERE k = 1 AND id = 1");
      assertThat(shards.shardRows(0, objects())).anyMatch(name -> name.contains("by_group"));

      shards.source().lookupIndexes().drop(ListFixture.NAME);

      for (int shard = 0; shard < SHARDS; shard++) {
        assertThat(shards.shardRows(shard, objects())).noneMatch(name -> name.contains("by_group"));
      }
      assertThat(shards.source().lookupIndexes().states()).isEmpty();
      shards.update("UPDATE samples SET i4 = 3 WHERE k = 1 AND id = 1");
      shards.applyAgain();
      lists.create();
      lists.assertSame();
    }
  }

  @Test
  void uniqueIndexOfTheSameTable_isKeptBesideIt() throws SQLException {
    String both = "{" + ListFixture.INDEX + ", by_v: {columns: [v], unique: true}}";
    try (TestingShards shards = ListFixture.open(database, SHARDS, both).shards()) {
      ListFixture lists = new ListFixture(shards, SHARDS);
      shards.update("INSERT INTO samples (k, id, i4, v) VALUES (1, 1, 1, 'a'), (2, 2, 1, 'b')");
      lists.create();
      shards.source().lookupIndexes().create("samples.by_v", 0, ListFixture.QUIET);

      shards.update("INSERT INTO samples (k, id, i4, v) VALUES (3, 3, 1, 'c'), (4, 4, 2, 'd')");
      shards.update("UPDATE samples SET v = 'e', i4 = 4 WHERE v = 'c'");
      shards.update("DELETE FROM samples WHERE v = 'a'");

      lists.assertSame();
      assertThat(shards.rows("SELECT id FROM samples WHERE v = 'e'")).containsExactly("3");
      assertThat(
              shards
                  .source()
                  .lookupIndexes()
                  .verify("samples.by_v", false, 0, ListFixture.QUIET)
                  .isSound(false))
          .isTrue();
    }
  }

  @Test
  void giants_thatHoldMostRows_loadNoShardAlone() throws SQLException {
    int count = 4;
    String counted =
        "{" + ListFixture.INDEX.replace("{giants: 4, values: [[1]]}", "{giants: 16}") + "}";
    try (TestingShards shards = ListFixture.open(database, count, counted).shards()) {
      for (int shard = 0; shard < count; shard++) {
        int bucket = shards.samplesBucket(shards.keyOn(shard, 0));
        StringBuilder rows = new StringBuilder();
        for (int i = 0; i < 2_000; i++) {
          // Three sellers have a fifth each, the others one row in 500.
          int seller = i % 5 < 3 ? i % 5 : 10 + i % 500;
          rows.append(rows.isEmpty() ? "" : ", ")
              .append("(%d, 0, %d, %d)".formatted(bucket, shard * 10_000 + i, seller));
        }
        shards.onShard(shard, "INSERT INTO samples (bucket_id, k, id, i4) VALUES " + rows);
      }
      ListFixture lists = new ListFixture(shards, count);
      lists.create();

      assertThat(
              shards
                  .source()
                  .lookupIndexes()
                  .states()
                  .get(ListFixture.NAME)
                  .list()
                  .orElseThrow()
                  .giants())
          .hasSize(3);
      List<Long> entries = new ArrayList<>();
      for (int shard = 0; shard < count; shard++) {
        entries.add(
            Long.valueOf(
                shards
                    .shardRows(shard, "SELECT count(*) FROM shardwright_list_samples_by_group")
                    .get(0)));
      }
      assertThat(entries.stream().mapToLong(Long::longValue).sum()).isEqualTo(8_000);
      assertThat(entries).as("entries by shard").allMatch(held -> held < 2_000 * 1.3);
      lists.assertSame();
      assertThat(shards.source().lookupIndexes().status().get(0).feeds())
          .extracting(feed -> feed.shard())
          .contains(new ShardId("s0"), new ShardId("s3"));
    }
  }

  private ListFixture lists(int shards) {
    return ListFixture.open(database, shards);
  }
}
