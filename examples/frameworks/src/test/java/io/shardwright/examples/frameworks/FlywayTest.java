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
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.MigrationState;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.JdbcTemplate;

/** The orders schema through Flyway, its history kept on one shard. */
class FlywayTest {
  @TempDir Path migrations;

  private Path file;
  private Configuration configuration;
  private ShardwrightDataSource source;

  @BeforeEach
  void open() throws IOException {
    file =
        TestingOrdersDatabase.emptyShards(
            TestingOrdersDatabase.ordersGroup() + "single: {s0: [flyway_schema_history]}\n");
    configuration = ConfigurationReader.read(file);
    Apply.run(configuration, Apply.Options.DEFAULT);
    source = Shardwright.open(file);
    write("V1__orders.sql", String.join(";\n", SchemaScript.statements()) + ";");
    write(
        "V2__channel.sql",
        "ALTER TABLE orders ADD COLUMN channel text;\n"
            + "CREATE INDEX orders_by_channel ON orders (channel, created_at);");
    write("V3__countries.sql", "INSERT INTO countries (country_id, name) VALUES (1, 'France');");
  }

  @AfterEach
  void close() {
    assertThat(source.activeConnections())
        .allSatisfy((shard, active) -> assertThat(active).isZero());
    source.close();
  }

  private void write(String name, String sql) throws IOException {
    Files.writeString(migrations.resolve(name), sql);
  }

  private Flyway flyway() {
    return migrations(Flyway.configure().dataSource(source));
  }

  private Flyway migrations(FluentConfiguration flyway) {
    // Shardwright's own tables are there before.
    flyway.baselineOnMigrate(true).baselineVersion("0");
    return flyway.locations("filesystem:" + migrations).load();
  }

  @Test
  void migrate_emptyShards_makesTheSchemaOnAll() {
    assertThat(flyway().migrate().migrationsExecuted).isEqualTo(3);

    source.refreshSchema();
    assertThat(Apply.run(configuration, Apply.Options.DEFAULT).problems()).isEmpty();
    JdbcTemplate jdbc = new JdbcTemplate(source);
    assertThat(jdbc.queryForList("SELECT name FROM countries", String.class))
        .containsExactly("France");
    assertThat(jdbc.queryForList("SELECT channel FROM orders LIMIT 1", String.class)).isEmpty();
    assertThat(
            jdbc.queryForList(
                "SELECT version FROM flyway_schema_history ORDER BY installed_rank", String.class))
        .containsExactly("0", "1", "2", "3");
  }

  @Test
  void migrate_again_byUrl_doesNothingAndValidates() throws IOException {
    flyway().migrate();
    Flyway byUrl =
        migrations(Flyway.configure().dataSource("jdbc:shardwright:" + file, null, null));

    assertThat(byUrl.migrate().migrationsExecuted).isZero();
    byUrl.validate();
    write("V4__more.sql", "CREATE INDEX orders_by_seller ON orders (seller_id);");
    assertThat(byUrl.migrate().migrationsExecuted).isEqualTo(1);
  }

  @Test
  void migrate_whenOneFails_isRecordedAndGoesOnAfterRepair() throws IOException {
    write("V4__bad.sql", "CREATE TABLE extras (id bigint);\nCREATE TABLE extras (id bigint);");
    assertThatThrownBy(() -> flyway().migrate()).isInstanceOf(FlywayException.class);

    assertThat(states()).endsWith(MigrationState.FAILED);
    flyway().repair();
    write("V4__bad.sql", "CREATE INDEX extras_by_id ON extras (id);");

    assertThat(flyway().migrate().migrationsExecuted).isEqualTo(1);
    assertThat(states()).hasSize(5).doesNotContain(MigrationState.FAILED, MigrationState.PENDING);
  }

  private List<MigrationState> states() {
    return Arrays.stream(flyway().info().all()).map(MigrationInfo::getState).toList();
  }

  @Test
  void migrate_bySeveralAtOnce_runsEachMigrationOnce() throws Exception {
    flyway().migrate();
    for (int version = 4; version < 10; version++) {
      write(
          "V" + version + "__index.sql",
          "CREATE INDEX i" + version + " ON orders (seller_id, status);");
    }
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      List<Future<Integer>> runs =
          List.of(
              threads.submit(() -> flyway().migrate().migrationsExecuted),
              threads.submit(() -> flyway().migrate().migrationsExecuted));

      assertThat(runs.get(0).get() + runs.get(1).get()).isEqualTo(6);
    } finally {
      threads.shutdown();
    }
  }
}
