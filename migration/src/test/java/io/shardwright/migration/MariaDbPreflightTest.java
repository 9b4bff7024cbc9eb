package io.shardwright.migration;

import io.shardwright.routing.ShardId;
import java.sql.Connection;
import java.sql.SQLException;

class MariaDbPreflightTest extends PreflightContract {
  @Override
  MoveServer server() {
    return MoveServer.MARIADB;
  }

  @Override
  void spoil(ShardId shard) throws SQLException {
    try (Connection connection = connect(shard)) {
      execute(
          shard,
          "REVOKE DELETE ON " + connection.getCatalog() + ".* FROM " + MoveServer.MOVER + "@'%'");
    }
    execute(shard, "CREATE TRIGGER audit AFTER INSERT ON orders FOR EACH ROW SET @audited = 1");
  }
}
