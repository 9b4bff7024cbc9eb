package io.shardwright.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;

class MariaDbListIndexLifeTest extends ListIndexLifeContract {
  MariaDbListIndexLifeTest() {
    super(TestingDatabase.MARIADB);
  }

  @Override
  String objects() {
    return "SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE()"
        + " UNION ALL SELECT trigger_name FROM information_schema.triggers"
        + " WHERE trigger_schema = DATABASE()";
  }

  @Override
  String dropTrigger() {
    return "DROP TRIGGER `!shardwright_update_samples_by_group`";
  }

  /** Such texts may be equal to others, and then no bucket would be that of both. */
  @Test
  void textsBeyondAscii_whoseCollationTakesTextsForOne_areRefused() throws SQLException {
    String insert = "INSERT INTO samples (k, id, v) VALUES (?, ?, ?)";
    try (TestingShards shards =
        TestingShards.withIndexes(
            database, 1, "{max: 8, timeout: 3s}", "{by_group: {columns: [v], unique: false}}")) {
      ListFixture lists = new ListFixture(shards, 1);
      shards.update(insert, 1, 1, "\u00e9");
      assertThatThrownBy(lists::create)
          .hasMessageContaining("SW302")
          .hasMessageContaining("table samples")
          .hasMessageContaining(ListFixture.NAME);
      shards.update("UPDATE samples SET i4 = 1 WHERE k = 1");
      shards.update("UPDATE samples SET v = 'e' WHERE k = 1");
      lists.create();
      lists.awaitDelivered();
      assertThat(lists.dead()).isZero();
      for (String text : List.of("\u00e9", "\u212a", "a\n", "\u007f")) {
        assertThatThrownBy(() -> shards.update(insert, 2, 2, text))
            .hasMessageContaining("SW302")
            .hasMessageContaining(ListFixture.NAME);
        assertThatThrownBy(() -> shards.update("UPDATE samples SET v = ? WHERE k = ?", text, 1))
            .hasMessageContaining("SW302");
      }
      shards.update(insert, 2, 2, "E ~");
      lists.awaitDelivered();
      assertThat(shards.rows("SELECT id FROM samples WHERE v IN ('E', 'e ~') ORDER BY id"))
          .containsExactly("1", "2");
    }
  }
}
