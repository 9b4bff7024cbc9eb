package io.shardwright.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.catalog.CatalogJobs;
import io.shardwright.catalog.CatalogJobs.Job;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The comparison of an index with its rows that processes make from time to time. */
abstract class IndexScheduleContract {
  private static final String INSERT = "INSERT INTO samples (k, id, v) VALUES (?, ?, ?)";
  private static final String JOB = "reconcile:samples.by_v";
  private static final String LOSE = "DELETE FROM shardwright_entry_samples_by_v WHERE v1 = 'lost'";

  private final TestingDatabase database;

  IndexScheduleContract(TestingDatabase database) {
    this.database = database;
  }

  private static void runDue(ShardwrightDataSource source) {
    source.schedule().orElseThrow().runDue();
  }

  @Test
  void missingEntriesAreMade_byOneProcess_onceADay() throws SQLException {
    try (TestingShards shards =
            TestingShards.withIndexes(
                database, 2, "{max: 6, timeout: 3s}", "{by_v: {columns: [v], unique: true}}");
        CatalogJobs jobs = new CatalogJobs(shards.configuration().catalog().orElseThrow())) {
      runDue(shards.source());
      assertThat(jobs.find(JOB)).as("nothing to do before it is readable").isEmpty();
      shards.source().lookupIndexes().create("samples.by_v", 0, (done, all, report) -> {});
      shards.update(INSERT, 1, 1, "kept");
      shards.update(INSERT, 2, 2, "lost");
      shards.onEveryShard(LOSE);
      assertThat(byV(shards, "lost")).isEmpty();

      runDue(shards.source());
      assertThat(byV(shards, "lost")).containsExactly("2");
      assertThat(jobs.find(JOB))
          .map(Job::result)
          .contains("2 rows, 1 had no entry, 0 of 2 entries had no row, 0 rows share a value");

      shards.onEveryShard(LOSE);
      try (ShardwrightDataSource other = shards.openDirect()) {
        runDue(other);
      }
      assertThat(byV(shards, "lost")).as("done today").isEmpty();
      shards.source().lookupIndexes().verify("samples.by_v", true, 0, (done, all, report) -> {});
      assertThat(byV(shards, "lost")).containsExactly("2");
    }
  }

  private static List<String> byV(TestingShards shards, String value) throws SQLException {
    return shards.rows("SELECT id FROM samples WHERE v = ?", value);
  }

  @Test
  void neverMeansNever() throws SQLException {
    try (TestingShards shards =
            TestingShards.withIndexes(
                database,
                2,
                "{max: 6, timeout: 3s}",
                "{by_v: {columns: [v], unique: true, reconcile: {every: 0s}}}");
        CatalogJobs jobs = new CatalogJobs(shards.configuration().catalog().orElseThrow())) {
      shards.source().lookupIndexes().create("samples.by_v", 0, (done, all, report) -> {});
      runDue(shards.source());
      assertThat(jobs.find(JOB)).isEmpty();
    }
  }
}
