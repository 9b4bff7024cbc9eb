package io.shardwright.driver;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

class FailureTest extends FailureContract {
  @Override
  TestingDatabase database() {
    return TestingDatabase.POSTGRESQL;
  }

  /** Inserts on the shard wait for advisory lock 77 when they are committed. */
  private void waitAtCommit(int shard) {
    shards.onShard(
        shard,
        """
        CREATE FUNCTION wait_at_commit() RETURNS trigger LANGUAGE plpgsql AS
          'BEGIN PERFORM pg_advisory_xact_lock(77); RETURN NULL; END';
        CREATE CONSTRAINT TRIGGER wait AFTER INSERT ON samples DEFERRABLE INITIALLY DEFERRED
          FOR EACH ROW EXECUTE FUNCTION wait_at_commit()
        """);
  }

  @Test
  void brokenConnection_duringCommit_isAnUnknownOutcome() throws Exception {
    waitAtCommit(1);
    long key = shards.keyOn(1, 0);
    try (Connection connection = shards.connect();
        Connection blocker = shards.shard(1);
        Statement lock = blocker.createStatement()) {
      connection.setAutoCommit(false);
      TestingShards.update(connection, INSERT, key, 1, "a");
      lock.execute("SELECT pg_advisory_lock(77)");
      cutWhenWaiting(
          1,
          () ->
              assertThatThrownBy(connection::commit)
                  .isInstanceOf(UnknownOutcomeException.class)
                  .hasMessageContaining("COMMIT")
                  .hasMessageContaining("shard s1"));
      shards.assertIdle();
    }
  }
}
