package io.shardwright.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.routing.ShardId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a token of writes names, and when another process believes it. */
abstract class WriteTokenContract extends FourShards {
  private static final Duration PATIENCE = Duration.ofMillis(50);

  private ShardwrightDataSource source;
  private ShardwrightDataSource other;

  @BeforeEach
  void openProcesses() {
    source = Shardwright.open(shards.configuration());
    other = Shardwright.open(shards.configuration());
  }

  @AfterEach
  void closeProcesses() {
    source.close();
    other.close();
  }

  private static void insert(Connection connection, long... keys) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("INSERT INTO samples (k, id, t) VALUES (?, ?, 'x')")) {
      for (long key : keys) {
        statement.setLong(1, key);
        statement.setLong(2, key);
        statement.addBatch();
      }
      statement.executeBatch();
    }
  }

  private static ShardwrightSession session(Connection connection) throws SQLException {
    return connection.unwrap(ShardwrightSession.class);
  }

  @Test
  void namesTheShardsThatWereWritten() throws SQLException {
    try (Connection connection = source.getConnection()) {
      assertThat(session(connection).writeToken().servers()).isEmpty();

      insert(connection, shards.keyOn(1, 0));
      assertThat(session(connection).writeToken().servers().keySet())
          .isEqualTo(Set.of(new ShardId("s1")));

      connection.setAutoCommit(false);
      insert(connection, shards.keyOn(2, 0));
      connection.commit();
      insert(connection, shards.keyOn(3, 0));
      connection.rollback();
      WriteToken token = session(connection).writeToken();
      assertThat(token.servers().keySet()).isEqualTo(Set.of(new ShardId("s1"), new ShardId("s2")));
      assertThat(WriteToken.parse(token.toString())).isEqualTo(token);
      other.awaitWrites(token, PATIENCE);
    }
    try (Connection connection = source.getConnection()) {
      insert(connection, shards.keyOn(0, 1), shards.keyOn(3, 1));
      assertThat(session(connection).writeToken().servers().keySet())
          .isEqualTo(Set.of(new ShardId("s0"), new ShardId("s3")));
    }
    try (Connection connection = source.getConnection();
        PreparedStatement update =
            connection.prepareStatement(
                "/* shardwright: scatter=allow */ UPDATE samples SET t = 'y' WHERE t = 'z'")) {
      update.executeUpdate();
      assertThat(session(connection).writeToken().servers()).hasSize(4);
    }
  }

  @Test
  void isNotBelievedWhereNobodyCanSay() throws SQLException {
    WriteToken token;
    try (Connection connection = source.getConnection()) {
      insert(connection, shards.keyOn(1, 2));
      token = session(connection).writeToken();
    }
    ShardId written = new ShardId("s1");
    Map<ShardId, String> promoted = new HashMap<>(token.servers());
    promoted.put(written, promoted.get(written) + "0");

    refused(new WriteToken("other", token.version(), token.servers()), "of another cluster");
    refused(
        new WriteToken(token.cluster(), token.version() + 1, token.servers()),
        "state " + (token.version() + 1) + " is not known here yet");
    refused(
        new WriteToken(token.cluster(), token.version(), promoted),
        "shard s1 was failed over since");
    refused(
        new WriteToken(token.cluster(), token.version(), Map.of(new ShardId("gone"), "1")),
        "shard gone was removed since");
  }

  private void refused(WriteToken token, String why) {
    assertThatThrownBy(() -> other.awaitWrites(token, PATIENCE))
        .hasMessageStartingWith("SW814")
        .hasMessageContaining(why);
  }
}
