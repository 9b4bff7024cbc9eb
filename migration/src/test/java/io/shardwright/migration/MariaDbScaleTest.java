package io.shardwright.migration;

class MariaDbScaleTest extends ScaleContract {
  @Override
  MoveServer server() {
    return MoveServer.MARIADB;
  }
}
