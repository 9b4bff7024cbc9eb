package io.shardwright.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.catalog.CatalogMoves;
import io.shardwright.catalog.Move;
import io.shardwright.catalog.Move.Options;
import io.shardwright.catalog.MoveState;
import io.shardwright.driver.ScriptedMover.Step;
import io.shardwright.routing.BucketSet;
import io.shardwright.routing.ShardId;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Lookup indexes while buckets of their rows and of their entries move. */
abstract class MovingIndexContract {
  private static final String UNIQUE = "samples.by_v";
  private static final String LIST = "samples.by_i4";
  private static final String INSERT = "INSERT INTO samples (k, id, v, i4) VALUES (?, ?, ?, ?)";

  private final TestingShards shards =
      TestingShards.withIndexes(
          database(),
          3,
          "{max: 8, timeout: 3s}",
          "{by_v: {columns: [v], unique: true}, by_i4: {columns: [i4], unique: false}}");
  private final List<String> values = new ArrayList<>();
  private final List<Long> listed = new ArrayList<>();

  abstract TestingDatabase database();

  @BeforeEach
  void rows() throws SQLException {
    shards.source().lookupIndexes().create(UNIQUE, 0, (done, all, report) -> {});
    shards.source().lookupIndexes().create(LIST, 0, (done, all, report) -> {});
    insert(shards.keyOn(0, 0));
    insert(shards.keyOn(0, 1));
    insert(shards.keyOn(1, 0));
    insert(shards.keyOn(2, 0));
  }

  @AfterEach
  void close() {
    shards.assertIdle();
    shards.close();
  }

  private void insert(long key) throws SQLException {
    long id = values.size() + 1L;
    shards.update(INSERT, key, id, "v" + id, 7);
    values.add("v" + id);
    listed.add(id);
  }

  private void assertAllRight() throws SQLException {
    try (Connection connection = shards.connect()) {
      for (int i = 0; i < values.size(); i++) {
        assertThat(
                TestingShards.rows(connection, "SELECT id FROM samples WHERE v = ?", values.get(i)))
            .containsExactly(listed.get(i).toString());
      }
      assertThat(TestingShards.rows(connection, "SELECT id FROM samples WHERE v = 'none'"))
          .isEmpty();
      String list =
          "/* shardwright: freshness=own-writes */ SELECT id FROM samples WHERE i4 = 7 ORDER BY id";
      assertThat(TestingShards.rows(connection, list))
          .isEqualTo(listed.stream().map(String::valueOf).toList());
      assertThat(TestingShards.rows(connection, list + " LIMIT 2"))
          .isEqualTo(listed.stream().limit(2).map(String::valueOf).toList());
    }
  }

  private void move(ScriptedMover mover, long key) throws SQLException {
    for (Step step : Step.values()) {
      mover.run(step);
      if (step == Step.ANNOUNCED || step == Step.DONE) {
        shards.source().refreshMaps();
      }
      assertAllRight();
      if (step.compareTo(Step.CLOSED) < 0 || step.compareTo(Step.OPEN) >= 0) {
        insert(key);
        assertThatThrownBy(() -> shards.update(INSERT, shards.keyOn(2, 1), 1_000, "v1", 7))
            .hasMessageContaining("by_v");
        assertAllRight();
      }
    }
    var report = shards.source().lookupIndexes().verify(UNIQUE, true, 0, (done, all, soFar) -> {});
    assertThat(report.missing()).isZero();
    assertThat(report.conflicts()).isZero();
    assertAllRight();
  }

  /** Nothing of it is touched: it answers as before. */
  @Test
  void drop_ofAnIndexThatMoves_isRefused() throws SQLException {
    try (CatalogMoves moves = new CatalogMoves(shards.configuration())) {
      List<Move> created =
          moves.create(UNIQUE, BucketSet.parse("0-7"), new ShardId("s1"), Options.DEFAULT);

      assertThatThrownBy(() -> shards.source().lookupIndexes().drop(UNIQUE))
          .hasMessageContaining("SW603")
          .hasMessageContaining(UNIQUE)
          .hasMessageContaining("move " + created.get(0).id())
          .hasMessageContaining("shardwright move cancel");
      assertAllRight();
      for (Move move : created) {
        moves.advance(
            moves.take(move.id(), "test", Duration.ofSeconds(5)).orElseThrow(),
            MoveState.CANCELLED);
      }
      shards.source().lookupIndexes().drop(UNIQUE);
      assertThat(shards.source().lookupIndexes().states()).doesNotContainKey(UNIQUE);
    }
  }

  @Test
  void rowsMove_andAreFoundAtEachStep() throws SQLException {
    long key = shards.keyOn(0, 0);
    move(new ScriptedMover(shards, shards.samplesBucket(key), 0, 1), key);
  }

  @Test
  void entriesMove_andAnswerAtEachStep() throws SQLException {
    String table = "shardwright_entry_samples_by_v";
    int shard = 0;
    List<String> buckets = shards.shardRows(0, "SELECT bucket_id FROM " + table);
    while (buckets.isEmpty()) {
      shard++;
      buckets = shards.shardRows(shard, "SELECT bucket_id FROM " + table);
    }
    int bucket = Integer.parseInt(buckets.get(0));
    move(
        new ScriptedMover(shards, UNIQUE, table, bucket, shard, (shard + 1) % 3),
        shards.keyOn(2, 0));
  }
}
