package io.shardwright.catalog;

import static io.shardwright.catalog.TestingConfiguration.execute;
import static io.shardwright.catalog.TestingConfiguration.query;
import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.testkit.EmbeddedMariaDbServer;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MariaDbJdbcCatalogTest extends JdbcCatalogContract {
  @Override
  String newDatabase() {
    return EmbeddedMariaDbServer.shared().createDatabase("catalog");
  }

  /** Each CREATE TABLE commits by itself: a run may die after any of them. */
  @Test
  void install_afterARunThatDiedBetweenTables_makesTheRest() throws SQLException {
    List<Map.Entry<String, String>> tables = List.copyOf(CatalogInstaller.TABLES.entrySet());
    for (int made = 1; made <= tables.size(); made++) {
      url = newDatabase();
      configuration = configuration(url, GROUPS);
      for (Map.Entry<String, String> table : tables.subList(0, made)) {
        execute(url, MariaDbDatabase.INSTANCE.ownTable(table.getValue()));
      }
      assertThat(code(() -> open().load()).name()).isEqualTo("NOT_APPLIED");

      assertThat(install(configuration).existing()).hasSize(made);
      assertThat(open().load().maps()).containsOnlyKeys("g", "h");
    }
  }

  @Test
  void install_leavesNoLock() throws SQLException {
    install(configuration);

    assertThat(query(url, "SELECT IS_FREE_LOCK(CONCAT('shardwright ', MD5(DATABASE())))"))
        .containsExactly("1");
  }

  /** The server's other isolation: a changed row fails the transaction that looked before. */
  @Test
  void publish_underSnapshotIsolation_isWonByOneEachTime() throws Exception {
    execute(url, "SET GLOBAL innodb_snapshot_isolation = ON");
    try {
      publish_byManyAtOnce_isWonByOneEachTime();
    } finally {
      execute(url, "SET GLOBAL innodb_snapshot_isolation = OFF");
    }
  }
}
