package io.shardwright.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.config.Configuration;
import io.shardwright.config.ConfigurationReader;
import io.shardwright.schema.Apply;
import io.shardwright.schema.Finding;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Statements about keys that have buckets of their own. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class DirectoryContract {
  private static final String OF_ORDERS =
      "buckets: 1024\n    directory: [{key: [7], buckets: \"1024-1027\"}]\n";
  private static final String OF_SAMPLES =
      "directory: [{key: [700], buckets: 64}]\n    indexes: {by_v: {columns: [v], unique: true}}";
  private static final String INDEX = "samples.by_v";
  private static final int GENE_SHIFT = 9;

  private final TestingDatabase database;
  TestingShards shards;

  DirectoryContract(TestingDatabase database) {
    this.database = database;
  }

  @BeforeAll
  void open() throws SQLException {
    shards =
        TestingShards.withGroups(
            database,
            3,
            groups ->
                TestingShards.ofSamples(OF_SAMPLES)
                        .apply(groups.replace("buckets: 1024\n", OF_ORDERS))
                    + "moves: {cutover_wait: 300ms}\n");
    shards.update("INSERT INTO samples (k, id, v) VALUES (700, 1, 'of 700')");
    shards.source().lookupIndexes().create(INDEX, 0, (done, all, report) -> {});
  }

  @AfterEach
  void everythingWasGivenBack() {
    shards.assertIdle();
  }

  @AfterAll
  void close() {
    shards.close();
  }

  private long issued(int tenant, int buyer) throws SQLException {
    try (Connection connection = shards.connect();
        Statement statement = connection.createStatement()) {
      statement.executeUpdate(
          "INSERT INTO orders (tenant_id, buyer_id, status) VALUES ("
              + tenant
              + ", "
              + buyer
              + ", 'new')",
          Statement.RETURN_GENERATED_KEYS);
      try (ResultSet keys = statement.getGeneratedKeys()) {
        keys.next();
        return keys.getLong("order_id");
      }
    }
  }

  @Test
  void idsOfAGiant_carryItsBucket_andRoute() throws SQLException {
    for (int buyer = 1; buyer <= 20; buyer++) {
      long id = issued(7, buyer);
      assertThat((id >> GENE_SHIFT) & 4095).isBetween(1024L, 1027L);
      assertThat(shards.rows("SELECT buyer_id FROM orders WHERE order_id = ?", id))
          .containsExactly("" + buyer);
      assertThat(
              shards.rows(
                  "SELECT bucket_id FROM orders WHERE tenant_id = 7 AND buyer_id = ?", buyer))
          .containsExactly("" + ((id >> GENE_SHIFT) & 4095));
      assertThat((issued(8, buyer) >> GENE_SHIFT) & 4095).isBetween(0L, 1023L);
    }
  }

  @Test
  void idsOfBucketsThatAreNot_findNothing_andAreRefusedInRows() throws SQLException {
    long none = 4000L << GENE_SHIFT;
    assertThat(shards.rows("SELECT buyer_id FROM orders WHERE order_id = ?", none)).isEmpty();
    assertThat(shards.rows("SELECT buyer_id FROM orders WHERE bucket_id = 1028")).isEmpty();
    assertThatThrownBy(
            () ->
                shards.update(
                    "INSERT INTO orders (tenant_id, buyer_id, order_id, status)"
                        + " VALUES (7, 1, ?, 'x')",
                    none))
        .hasMessageContaining("carries bucket 4000");
  }

  @Test
  void hintsNameReservedBuckets() throws SQLException {
    long id = issued(7, 99);
    long bucket = (id >> GENE_SHIFT) & 4095;
    assertThat(
            shards.rows(
                "SELECT /* shardwright: bucket="
                    + bucket
                    + " */ buyer_id FROM orders"
                    + " WHERE order_id = ?",
                id))
        .containsExactly("99");
    assertThatThrownBy(
            () -> shards.rows("SELECT /* shardwright: bucket=1028 */ buyer_id FROM orders"))
        .hasMessageContaining("0 to 1027");
  }

  @Test
  void lookupIndexes_findRowsOfReservedBuckets() throws SQLException {
    assertThat(shards.rows("SELECT id FROM samples WHERE v = ?", "of 700")).containsExactly("1");
    shards.update("INSERT INTO samples (k, id, v) VALUES (700, 2, 'second')");
    assertThat(shards.rows("SELECT bucket_id FROM samples WHERE v = ?", "second"))
        .containsExactly("64");
    assertThatThrownBy(
            () -> shards.update("INSERT INTO samples (k, id, v) VALUES (3, 3, 'second')"))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).startsWith("23"));
    shards.update("DELETE FROM samples WHERE k = 700 AND id = 2");
  }

  @Test
  void directory_thatIdsCannotName_isRefused() throws SQLException {
    String more =
        shards
            .yaml(List.of())
            .replace(
                "{key: [7], buckets: \"1024-1027\"}",
                "{key: [7], buckets: \"1024-1027\"}, {key: [8], buckets: \"1028-5000\"}");
    Configuration wide = ConfigurationReader.parse("test.yaml", more, Map.of());

    assertThat(
            Apply.run(wide, Apply.Options.DEFAULT).problems().stream()
                .map(Finding::message)
                .collect(Collectors.joining("\n")))
        .contains(
            "shardwright_gene_orders",
            "is of ids that name 4096 buckets, and the file has ids that name 16384");
    assertThat(shards.rows("SELECT buyer_id FROM orders WHERE tenant_id = 8 AND buyer_id = 1"))
        .hasSizeLessThan(2);
    shards.update("INSERT INTO orders (tenant_id, buyer_id, status) VALUES (8, 1000, 'free')");
  }
}
