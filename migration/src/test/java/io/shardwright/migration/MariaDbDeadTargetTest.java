package io.shardwright.migration;

class MariaDbDeadTargetTest extends DeadTargetContract {
  @Override
  MoveServer server() {
    return MoveServer.MARIADB;
  }
}
