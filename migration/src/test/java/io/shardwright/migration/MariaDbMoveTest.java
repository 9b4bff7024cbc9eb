package io.shardwright.migration;

class MariaDbMoveTest extends MoveContract {
  @Override
  MoveServer server() {
    return MoveServer.MARIADB;
  }
}
