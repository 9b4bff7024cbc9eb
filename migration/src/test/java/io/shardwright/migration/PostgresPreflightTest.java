package io.shardwright.migration;

import io.shardwright.routing.ShardId;
import java.sql.SQLException;

class PostgresPreflightTest extends PreflightContract {
  @Override
  MoveServer server() {
    return MoveServer.POSTGRESQL;
  }

  @Override
  void spoil(ShardId shard) throws SQLException {
    execute(shard, "REVOKE DELETE ON items FROM " + MoveServer.MOVER);
    execute(
        shard,
        "CREATE FUNCTION audited() RETURNS trigger LANGUAGE plpgsql AS"
            + " 'BEGIN RETURN NEW; END'");
    execute(
        shard,
        "CREATE TRIGGER audit AFTER INSERT ON orders FOR EACH ROW EXECUTE FUNCTION audited()");
  }
}
