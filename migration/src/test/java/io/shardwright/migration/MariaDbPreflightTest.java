package io.shardwright.migration;

import io.shardwright.routing.ShardId;
import io.shardwright.testkit.EmbeddedMariaDbServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

class MariaDbPreflightTest extends PreflightContract {
  private final MariaDbMoveTest shards = new MariaDbMoveTest();

  @Override
  String newDatabase() {
    return EmbeddedMariaDbServer.shared().createDatabase("moves");
  }

  @Override
  String user() {
    return shards.user();
  }

  @Override
  String password() {
    return shards.password();
  }

  @Override
  void grantMover(Connection shard) throws SQLException {
    shards.grantMover(shard);
  }

  @Override
  List<String> grants() {
    return shards.grants();
  }

  @Override
  String tables() {
    return shards.tables();
  }

  @Override
  void spoil(ShardId shard) throws SQLException {
    try (Connection connection = connect(shard)) {
      execute(shard, "REVOKE DELETE ON " + connection.getCatalog() + ".* FROM " + MOVER + "@'%'");
    }
    execute(shard, "CREATE TRIGGER audit AFTER INSERT ON orders FOR EACH ROW SET @audited = 1");
  }
}
