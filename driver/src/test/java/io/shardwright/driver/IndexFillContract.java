package io.shardwright.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.catalog.CatalogJobs;
import io.shardwright.errors.ErrorCode;
import io.shardwright.lookup.Reconciliation.Progress;
import io.shardwright.lookup.Reconciliation.Report;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An index whose filling is broken off. Group samples has 64 buckets. */
abstract class IndexFillContract {
  private static final String UNIQUE = "{by_v: {columns: [v], unique: true}}";
  private static final String LIST = "{by_v: {columns: [v], unique: false}}";
  private static final String NAME = "samples.by_v";
  private static final int ROWS = 200;

  private final TestingDatabase database;

  IndexFillContract(TestingDatabase database) {
    this.database = database;
  }

  private TestingShards open(String indexes) throws SQLException {
    TestingShards shards = TestingShards.withIndexes(database, 2, "{max: 6, timeout: 3s}", indexes);
    for (int i = 0; i < ROWS; i++) {
      shards.update("INSERT INTO samples (k, id, v) VALUES (?, ?, ?)", i, i, "v" + i);
    }
    return shards;
  }

  /** The buckets that were reported, in order. */
  private static final class Watch implements Progress {
    private final List<Integer> buckets = new ArrayList<>();
    private final int breakAt;

    Watch(int breakAt) {
      this.breakAt = breakAt;
    }

    @Override
    public void at(int bucketsDone, int all, Report soFar) {
      buckets.add(bucketsDone);
      if (buckets.size() == breakAt) {
        throw new IllegalStateException("broken off");
      }
    }
  }

  @Test
  void aUniqueIndex_goesOnWhereItStopped() throws SQLException {
    goesOnWhereItStopped(UNIQUE);
  }

  @Test
  void aListIndex_goesOnWhereItStopped() throws SQLException {
    goesOnWhereItStopped(LIST);
  }

  private void goesOnWhereItStopped(String declaration) throws SQLException {
    try (TestingShards shards = open(declaration);
        ShardwrightDataSource other = shards.openDirect()) {
      assertThatThrownBy(() -> shards.source().lookupIndexes().create(NAME, 0, new Watch(40)))
          .hasMessage("broken off");
      shards.update("INSERT INTO samples (k, id, v) VALUES (1000, 1000, 'meanwhile')");
      Watch second = new Watch(Integer.MAX_VALUE);
      Report report = other.lookupIndexes().create(NAME, 0, second);
      assertThat(second.buckets.get(0)).isEqualTo(41);
      assertThat(report.rows()).isEqualTo(ROWS + 1);
      assertThat(report.missing()).isZero();
      assertThat(shards.rows("SELECT id FROM samples WHERE v = 'v7'")).containsExactly("7");
    }
  }

  @Test
  void twoAtOnce_areOne() throws SQLException {
    try (TestingShards shards = open(UNIQUE);
        CatalogJobs jobs = new CatalogJobs(shards.configuration().catalog().orElseThrow())) {
      assertThat(jobs.take("fill:" + NAME, Duration.ofMinutes(1), Duration.ZERO)).isPresent();
      assertThatThrownBy(() -> shards.source().lookupIndexes().create(NAME, 0, new Watch(-1)))
          .hasMessageContaining(ErrorCode.CATALOG_CONFLICT.code())
          .hasMessageContaining("another process fills the lookup index samples.by_v");
    }
  }

  @Test
  void anIndexThatWasDropped_isFilledFromTheStart() throws SQLException {
    try (TestingShards shards = open(UNIQUE)) {
      LookupIndexes indexes = shards.source().lookupIndexes();
      assertThatThrownBy(() -> indexes.create(NAME, 0, new Watch(40))).hasMessage("broken off");
      indexes.drop(NAME);
      shards.applyAgain();
      Watch again = new Watch(Integer.MAX_VALUE);
      assertThat(indexes.create(NAME, 0, again).missing()).isZero();
      assertThat(again.buckets.get(0)).isEqualTo(1);
    }
  }
}
