package io.shardwright.migration;

import io.shardwright.routing.ShardId;
import io.shardwright.testkit.EmbeddedPostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

class PostgresPreflightTest extends PreflightContract {
  private final PostgresMoveTest shards = new PostgresMoveTest();

  @Override
  String newDatabase() {
    return EmbeddedPostgresServer.shared().createDatabase("moves");
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
    execute(shard, "REVOKE DELETE ON items FROM " + MOVER);
    execute(
        shard,
        "CREATE FUNCTION audited() RETURNS trigger LANGUAGE plpgsql AS"
            + " 'BEGIN RETURN NEW; END'");
    execute(
        shard,
        "CREATE TRIGGER audit AFTER INSERT ON orders FOR EACH ROW EXECUTE FUNCTION audited()");
  }
}
