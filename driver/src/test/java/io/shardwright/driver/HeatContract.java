package io.shardwright.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.catalog.BucketHeat;
import io.shardwright.catalog.CatalogHeat;
import io.shardwright.config.ConfigurationReader;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What statements are counted for, and that the catalog hears of it. */
abstract class HeatContract extends FourShards {
  private static final String INSERT = "INSERT INTO samples (k, id, t) VALUES (?, ?, 'x')";
  private static final String BY_KEY = "SELECT t FROM samples WHERE k = ?";

  private ShardwrightDataSource source;
  private long k0;
  private long k1;

  @BeforeEach
  void openProcess() {
    source = Shardwright.open(shards.configuration());
    k0 = shards.keyOn(0, 0);
    k1 = shards.keyOn(1, 0);
  }

  @AfterEach
  void closeProcess() {
    source.close();
  }

  private void run(String sql, Object... values) throws SQLException {
    try (Connection connection = source.getConnection();
        PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < values.length; i++) {
        statement.setObject(i + 1, values[i]);
      }
      if (statement.execute()) {
        ResultSet rows = statement.getResultSet();
        while (rows.next()) {
          assertThat(rows.getObject(1)).isNotNull();
        }
      }
    }
  }

  /** Reads, writes and rows of a bucket of group samples. */
  private static List<Long> counts(List<BucketHeat> heat, int bucket) {
    return heat.stream()
        .filter(one -> one.group().equals("samples") && one.bucket() == bucket)
        .peek(one -> assertThat(one.nanos()).isPositive())
        .map(one -> List.of(one.reads(), one.writes(), one.rows()))
        .findFirst()
        .orElse(List.of(0L, 0L, 0L));
  }

  private List<Long> counts(int bucket) {
    return counts(source.heat(), bucket);
  }

  private List<BucketHeat> recorded() {
    return new CatalogHeat(shards.configuration("direct").catalog().orElseThrow())
        .since(Duration.ofHours(1))
        .buckets();
  }

  @Test
  void statementsByKey_countForTheirBucket() throws SQLException {
    run(INSERT, k0, 1);
    run(BY_KEY, k0);
    run(BY_KEY, k0);
    run("UPDATE samples SET t = 'y' WHERE k = ?", k0);
    run("DELETE FROM samples WHERE k = ?", k1);

    assertThat(counts(shards.samplesBucket(k0))).containsExactly(2L, 2L, 4L);
    assertThat(counts(shards.samplesBucket(k1))).containsExactly(0L, 1L, 0L);
    assertThat(counts(BucketHeat.SCATTERED)).containsExactly(0L, 0L, 0L);
  }

  @Test
  void severalKeys_countForEachBucket_andScattersForNone() throws SQLException {
    run(INSERT, k0, 1);
    run(INSERT, k1, 2);
    run("SELECT t FROM samples WHERE k IN (?, ?)", k0, k1);
    run("SELECT t FROM samples ORDER BY id");

    assertThat(counts(shards.samplesBucket(k0))).containsExactly(1L, 1L, 2L);
    assertThat(counts(shards.samplesBucket(k1))).containsExactly(1L, 1L, 2L);
    assertThat(counts(BucketHeat.SCATTERED)).containsExactly(4L, 0L, 2L);
  }

  @Test
  void batches_countEachEntry_andTransactionsEachStatement() throws SQLException {
    try (Connection connection = source.getConnection();
        PreparedStatement insert = connection.prepareStatement(INSERT)) {
      connection.setAutoCommit(false);
      for (int i = 0; i < 3; i++) {
        insert.setLong(1, k0);
        insert.setInt(2, i);
        insert.addBatch();
      }
      insert.executeBatch();
      try (Statement statement = connection.createStatement();
          ResultSet rows = statement.executeQuery("SELECT t FROM samples WHERE k = " + k0)) {
        while (rows.next()) {
          assertThat(rows.getString(1)).isEqualTo("x");
        }
      }
      connection.commit();
    }
    assertThat(counts(shards.samplesBucket(k0))).containsExactly(1L, 3L, 6L);
  }

  @Test
  void record_addsToTheCatalogOnce_andSoDoesClose() throws SQLException {
    int bucket = shards.samplesBucket(k0);
    List<Long> before = counts(recorded(), bucket);
    run(INSERT, k0, 1);
    source.recordHeat();
    source.recordHeat();
    List<Long> after = counts(recorded(), bucket);
    run(BY_KEY, k0);
    source.close();
    List<Long> atLast = counts(recorded(), bucket);

    assertThat(after).containsExactly(before.get(0), before.get(1) + 1, before.get(2) + 1);
    assertThat(atLast).containsExactly(before.get(0) + 1, before.get(1) + 1, before.get(2) + 2);
  }

  @Test
  void catalogDown_statementsGoOn_andWhatWasCountedComesLater() throws SQLException {
    int bucket = shards.samplesBucket(k0);
    List<Long> before = counts(recorded(), bucket);
    shards.catalogProxy().refuse();
    shards.catalogProxy().cut();
    try {
      run(INSERT, k0, 1);
      source.recordHeat();
      run(BY_KEY, k0);
    } finally {
      shards.catalogProxy().heal();
    }
    source.recordHeat();

    assertThat(counts(recorded(), bucket))
        .containsExactly(before.get(0) + 1, before.get(1) + 1, before.get(2) + 2);
  }

  @Test
  void off_countsNothing() throws SQLException {
    source.close();
    source =
        Shardwright.open(
            ConfigurationReader.parse("test.yaml", shards.yaml() + "heat: off\n", Map.of()));
    run(INSERT, k0, 1);
    source.recordHeat();

    assertThat(source.heat()).isEmpty();
  }
}
