package io.shardwright.migration;

class MariaDbFailOverTest extends FailOverContract {
  @Override
  MoveServer server() {
    return MoveServer.MARIADB;
  }
}
