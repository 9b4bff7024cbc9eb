package io.shardwright.migration;

class MariaDbMoveTortureTest extends MoveTortureContract {
  @Override
  MoveServer server() {
    return MoveServer.MARIADB;
  }
}
