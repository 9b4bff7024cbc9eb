package io.shardwright.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.catalog.TestingConfiguration;
import io.shardwright.testkit.EmbeddedPostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** PREPARE TRANSACTION on PostgreSQL, for which the shared server has no room. */
class PreparedTransactionFenceTest {
  private static final String GROUPS =
      """
      groups:
        shop:
          key: [buyer]
          buckets: 16
          tables:
            orders: {unique: {orders_pkey: id}}
      """;

  private static final String TRY_LOCK =
      "SELECT pg_try_advisory_xact_lock(%d, %d)"
          .formatted(Fence.LOCK_CLASS, Fence.lock("shop", FenceFixture.OPEN));

  @Test
  void write_preparedTransaction_holdsItsBucketUntilItEnds() throws SQLException {
    try (EmbeddedPostgresServer server =
        EmbeddedPostgresServer.start(
            EmbeddedPostgresServer.Options.fast().with("max_prepared_transactions", "4"))) {
      OrderShards shards =
          new OrderShards(
                  Optional.of(server.createDatabase("catalog")),
                  List.of(server.createDatabase("shard"), server.createDatabase("shard")))
              .everywhere(PostgresFenceTest.TABLES);
      assertThat(shards.applyWith(GROUPS).problems()).isEmpty();
      prepare(shards, 1, "kept");
      prepare(shards, 2, "undone");

      assertThat(shards.query(0, TRY_LOCK)).containsExactly("f");
      shards.on(0, "ROLLBACK PREPARED 'undone'");
      assertThat(shards.query(0, TRY_LOCK)).containsExactly("f");
      server.restart();
      assertThat(shards.query(0, TRY_LOCK)).as("after a restart").containsExactly("f");
      shards.on(0, "COMMIT PREPARED 'kept'");
      assertThat(shards.query(0, TRY_LOCK)).containsExactly("t");
      assertThat(shards.query(0, "SELECT order_id FROM orders")).containsExactly("1");
    }
  }

  /** By a session that is gone afterwards. */
  private static void prepare(OrderShards shards, long id, String name) throws SQLException {
    try (Connection writer = TestingConfiguration.connect(shards.shards().get(0))) {
      FenceFixture.run(
          writer,
          "BEGIN",
          FenceFixture.insert(FenceFixture.OPEN, id),
          "PREPARE TRANSACTION '" + name + "'");
    }
  }
}
