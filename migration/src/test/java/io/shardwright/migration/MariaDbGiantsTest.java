package io.shardwright.migration;

class MariaDbGiantsTest extends GiantsContract {
  @Override
  MoveServer server() {
    return MoveServer.MARIADB;
  }
}
