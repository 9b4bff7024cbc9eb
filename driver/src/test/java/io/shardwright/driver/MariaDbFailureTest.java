package io.shardwright.driver;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

class MariaDbFailureTest extends FailureContract {
  @Override
  TestingDatabase database() {
    return TestingDatabase.MARIADB;
  }

  /** A backup of the server stops in front of the COMMITs. */
  @Test
  void brokenConnection_duringCommit_isAnUnknownOutcome() throws Exception {
    long key = shards.keyOn(1, 0);
    try (Connection connection = shards.connect();
        Connection blocker = shards.shard(1);
        Statement backup = blocker.createStatement()) {
      connection.setAutoCommit(false);
      TestingShards.update(connection, INSERT, key, 1, "a");
      backup.execute("BACKUP STAGE START");
      backup.execute("BACKUP STAGE BLOCK_COMMIT");
      cutWhenWaiting(
          1,
          () ->
              assertThatThrownBy(connection::commit)
                  .isInstanceOf(UnknownOutcomeException.class)
                  .hasMessageContaining("COMMIT")
                  .hasMessageContaining("shard s1"));
      backup.execute("BACKUP STAGE END");
      shards.assertIdle();
    }
  }
}
