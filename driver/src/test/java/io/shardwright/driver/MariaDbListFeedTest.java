package io.shardwright.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.schema.Apply;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class MariaDbListFeedTest extends ListFeedContract {
  MariaDbListFeedTest() {
    super(TestingDatabase.MARIADB);
  }

  @Test
  void triggersOfAnotherRelease_areTold_andMadeAnew() throws SQLException {
    ListFixture lists = ListFixture.open(TestingDatabase.MARIADB, 1);
    try (TestingShards shards = lists.shards()) {
      lists.create();
      String trigger = "shardwright_update_samples_by_group";
      String body =
          shards
              .shardRows(
                  0,
                  "SELECT action_statement FROM information_schema.triggers WHERE trigger_schema ="
                      + " DATABASE() AND trigger_name LIKE '%update_samples_by_group'")
              .get(0);
      // It tells of fewer columns.
      shards.onShard(
          0,
          "CREATE OR REPLACE TRIGGER `"
              + shards
                  .shardRows(
                      0,
                      "SELECT trigger_name FROM information_schema.triggers WHERE trigger_schema ="
                          + " DATABASE() AND trigger_name LIKE '%update_samples_by_group'")
                  .get(0)
              + "` AFTER UPDATE ON samples FOR EACH ROW "
              + body.replace(" AND BINARY OLD.`t` <=> BINARY NEW.`t`", ""));
      assertThat(Apply.run(shards.configuration(), Apply.Options.DEFAULT).problems())
          .anyMatch(problem -> problem.message().contains("those of another release"));
      assertThat(shards.source().lookupIndexes().status().get(0).shards().get(0).missingTriggers())
          .hasSize(1)
          .allMatch(name -> name.endsWith(trigger));
      lists.create();
      assertThat(Apply.run(shards.configuration(), Apply.Options.DEFAULT).problems()).isEmpty();
      shards.update("INSERT INTO samples (k, id, i4, t) VALUES (1, 1, 1, 'a')");
      shards.update("UPDATE samples SET t = 'b' WHERE k = 1");
      lists.assertSame();
    }
  }
}
