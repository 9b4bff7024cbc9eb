package io.shardwright.migration;

class PostgresMoveTortureTest extends MoveTortureContract {
  @Override
  MoveServer server() {
    return MoveServer.POSTGRESQL;
  }
}
