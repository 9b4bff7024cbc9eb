package io.shardwright.examples.frameworks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.config.Configuration;
import io.shardwright.config.ConfigurationReader;
import io.shardwright.driver.Shardwright;
import io.shardwright.driver.ShardwrightDataSource;
import io.shardwright.examples.orders.SchemaScript;
import io.shardwright.schema.Apply;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.List;
import liquibase.Contexts;
import liquibase.Liquibase;
import liquibase.database.DatabaseFactory;
import liquibase.database.jvm.JdbcConnection;
import liquibase.exception.LiquibaseException;
import liquibase.resource.DirectoryResourceAccessor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.JdbcTemplate;

/** The orders schema through Liquibase, its changelog and lock kept on one shard. */
class LiquibaseTest {
  private static final String CHANGES =
      """
      databaseChangeLog:
        - changeSet:
            id: orders
            author: orders
            changes:
              - sqlFile: {path: orders.sql}
        - changeSet:
            id: channel
            author: orders
            changes:
              - addColumn:
                  tableName: orders
                  columns: [{column: {name: channel, type: text}}]
        - changeSet:
            id: channel-index
            author: orders
            changes:
              - createIndex:
                  tableName: orders
                  indexName: orders_by_channel
                  columns: [{column: {name: channel}}, {column: {name: created_at}}]
        - changeSet:
            id: countries
            author: orders
            changes:
              - insert:
                  tableName: countries
                  columns:
                    - column: {name: country_id, valueNumeric: 1}
                    - column: {name: name, value: France}
      """;

  @TempDir Path changes;

  private Configuration configuration;
  private ShardwrightDataSource source;

  @BeforeEach
  void open() throws IOException {
    Path file =
        TestingOrdersDatabase.emptyShards(
            TestingOrdersDatabase.ordersGroup()
                + "single: {s0: [databasechangelog, databasechangeloglock]}\n");
    configuration = ConfigurationReader.read(file);
    Apply.run(configuration, Apply.Options.DEFAULT);
    source = Shardwright.open(file);
    Files.writeString(
        changes.resolve("orders.sql"), String.join(";\n", SchemaScript.statements()) + ";");
    writeChanges("");
  }

  @AfterEach
  void close() {
    assertThat(source.activeConnections())
        .allSatisfy((shard, active) -> assertThat(active).isZero());
    source.close();
  }

  /** Those of the schema, then these. */
  private void writeChanges(String more) throws IOException {
    Files.writeString(changes.resolve("changes.yaml"), CHANGES + more.indent(2));
  }

  private interface Work {
    void run(Liquibase liquibase) throws LiquibaseException;
  }

  private void liquibase(Work work) throws Exception {
    try (Connection connection = source.getConnection();
        Liquibase liquibase =
            new Liquibase(
                "changes.yaml",
                new DirectoryResourceAccessor(changes),
                DatabaseFactory.getInstance()
                    .findCorrectDatabaseImplementation(new JdbcConnection(connection)))) {
      work.run(liquibase);
    }
  }

  private List<String> ran() {
    return new JdbcTemplate(source)
        .queryForList("SELECT id FROM databasechangelog ORDER BY orderexecuted", String.class);
  }

  @Test
  void update_emptyShards_makesTheSchemaOnAll() throws Exception {
    liquibase(liquibase -> liquibase.update(new Contexts()));

    assertThat(ran()).containsExactly("orders", "channel", "channel-index", "countries");
    source.refreshSchema();
    assertThat(Apply.run(configuration, Apply.Options.DEFAULT).problems()).isEmpty();
    JdbcTemplate jdbc = new JdbcTemplate(source);
    assertThat(jdbc.queryForList("SELECT name FROM countries", String.class))
        .containsExactly("France");
    assertThat(jdbc.queryForList("SELECT channel FROM orders LIMIT 1", String.class)).isEmpty();
    assertThat(jdbc.queryForList("SELECT locked FROM databasechangeloglock", Boolean.class))
        .containsExactly(false);
  }

  @Test
  void update_again_doesNothing_andRollbackUndoesTheLastChanges() throws Exception {
    liquibase(liquibase -> liquibase.update(new Contexts()));
    writeChanges(
        """
              - changeSet:
                  id: seller-index
                  author: orders
                  changes:
                    - createIndex:
                        tableName: orders
                        indexName: orders_by_seller
                        columns: [{column: {name: seller_id}}]
              """);
    liquibase(liquibase -> liquibase.update(new Contexts()));
    assertThat(ran()).hasSize(5);

    liquibase(liquibase -> liquibase.rollback(1, ""));

    assertThat(ran()).hasSize(4);
    assertThat(
            new JdbcTemplate(source)
                .queryForList(
                    "SELECT indexname FROM pg_indexes WHERE indexname LIKE 'orders_by_%'",
                    String.class))
        .contains("orders_by_channel")
        .doesNotContain("orders_by_seller");
  }

  @Test
  void update_whenAChangeFails_keepsWhatRanAndFreesTheLock() throws Exception {
    writeChanges(
        """
              - changeSet:
                  id: bad
                  author: orders
                  changes:
                    - addColumn:
                        tableName: orders
                        columns: [{column: {name: status, type: text}}]
              """);

    assertThatThrownBy(() -> liquibase(liquibase -> liquibase.update(new Contexts())))
        .isInstanceOf(LiquibaseException.class)
        .hasMessageContaining("already exists");

    assertThat(ran()).hasSize(4);
    writeChanges("");
    liquibase(liquibase -> liquibase.update(new Contexts()));
    assertThat(ran()).hasSize(4);
  }
}
