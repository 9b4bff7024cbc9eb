package io.shardwright.migration;

class PostgresGiantsTest extends GiantsContract {
  @Override
  MoveServer server() {
    return MoveServer.POSTGRESQL;
  }
}
