package io.shardwright.driver;

import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class MariaDbListIndexTest extends ListIndexContract {
  MariaDbListIndexTest() {
    super(TestingDatabase.MARIADB);
  }

  @Override
  String updatingI4() {
    return " ON DUPLICATE KEY UPDATE i4 = VALUES(i4)";
  }

  @Test
  void replace_isSeen() throws SQLException {
    for (int i4 = 1; i4 < 4; i4++) {
      shards.onShard(
          0,
          "REPLACE INTO samples (bucket_id, k, id, i4) VALUES (1, 0, 1000, %d), (1, 0, 1001, 1)"
              .formatted(i4));
      lists.assertSame();
    }
  }
}
