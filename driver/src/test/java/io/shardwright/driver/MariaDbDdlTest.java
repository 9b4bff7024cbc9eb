package io.shardwright.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.errors.ErrorCode;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Schema changes where each statement commits by itself. */
class MariaDbDdlTest {
  private static final String ADD = "ALTER TABLE samples ADD COLUMN note varchar(20)";
  private static final String LOG =
      "SELECT seq, state FROM shardwright_ddl WHERE statement LIKE '%note%'";
  private TestingShards shards;

  @BeforeEach
  void open() {
    shards = TestingShards.open(TestingDatabase.MARIADB, 3);
  }

  @AfterEach
  void close() {
    shards.close();
  }

  private void run(String sql) throws SQLException {
    try (Connection connection = shards.connect();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @Test
  void change_onEveryShard_isMadeAndRecorded() throws SQLException {
    run(ADD);

    for (int shard = 0; shard < 3; shard++) {
      assertThat(shards.shardRows(shard, LOG)).containsExactly("1|done");
    }
    assertThat(shards.rows("SELECT note FROM samples")).isEmpty();
  }

  @Test
  void change_thatOneShardCannotMake_isPendingAndRunsThereAgain() throws SQLException {
    shards.onShard(1, "ALTER TABLE samples ADD COLUMN note int");

    assertThatThrownBy(() -> run(ADD)).hasMessageContaining(ErrorCode.DDL_INCOMPLETE.code());
    assertThatThrownBy(() -> run("CREATE TABLE other (id int)"))
        .hasMessageContaining(ErrorCode.DDL_PENDING.code());
    shards.onShard(1, "ALTER TABLE samples DROP COLUMN note");
    run(ADD);

    assertThat(shards.shardRows(1, LOG)).containsExactly("1|done");
    assertThat(shards.source().pendingDdl()).isEmpty();
  }

  @Test
  void change_thatTheFirstShardRefuses_leavesNothing() throws SQLException {
    assertThatThrownBy(() -> run("ALTER TABLE samples ADD COLUMN k int COMMENT 'note'"))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("Duplicate column");

    assertThat(shards.shardRows(0, LOG)).isEmpty();
    assertThat(shards.source().pendingDdl()).isEmpty();
  }

  @Test
  void change_startedWhenTheConnectionBroke_isAskedForNotRepeated() throws SQLException {
    run(ADD);
    // As after a crash between the statement and its record, and one before the statement.
    shards.onShard(1, "UPDATE shardwright_ddl SET state = 'started'");
    shards.onShard(
        2, "ALTER TABLE samples DROP COLUMN note; UPDATE shardwright_ddl SET state = 'started'");

    assertThat(shards.source().resumeDdl()).hasSize(1);

    for (int shard = 0; shard < 3; shard++) {
      assertThat(shards.shardRows(shard, LOG)).containsExactly("1|done");
      assertThat(shards.shardRows(shard, "SELECT note FROM samples")).isEmpty();
    }
  }

  @Test
  void change_startedOnTheFirstShardAlone_isComparedWithThoseThatLackIt() throws SQLException {
    run(ADD);
    for (int shard = 1; shard < 3; shard++) {
      shards.onShard(shard, "ALTER TABLE samples DROP COLUMN note; DELETE FROM shardwright_ddl");
    }
    shards.onShard(0, "UPDATE shardwright_ddl SET state = 'started'");

    assertThat(shards.source().resumeDdl()).hasSize(1);

    assertThat(shards.shardRows(2, LOG)).containsExactly("1|done");
    assertThat(shards.rows("SELECT note FROM samples")).isEmpty();
  }

  @Test
  void change_thatCouldNotBeRepeated_isRefused() {
    for (String sql :
        new String[] {
          "DROP TABLE items, jobs", "CREATE VIEW v AS SELECT 1", "RENAME TABLE jobs TO j"
        }) {
      assertThatThrownBy(() -> run(sql))
          .as(sql)
          .hasMessageContaining(ErrorCode.DDL_UNSUPPORTED.code());
    }
  }
}
