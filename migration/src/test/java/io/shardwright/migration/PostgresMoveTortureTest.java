package io.shardwright.migration;

import io.shardwright.testkit.EmbeddedPostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

class PostgresMoveTortureTest extends MoveTortureContract {
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
}
