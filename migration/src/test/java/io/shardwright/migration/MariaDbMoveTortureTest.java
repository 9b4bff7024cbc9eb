package io.shardwright.migration;

import io.shardwright.testkit.EmbeddedMariaDbServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

class MariaDbMoveTortureTest extends MoveTortureContract {
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
}
