package io.shardwright.migration;

class MariaDbInvariantsTest extends InvariantsContract {
  @Override
  MoveServer server() {
    return MoveServer.MARIADB;
  }
}
