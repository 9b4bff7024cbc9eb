package io.shardwright.migration;

class PostgresMoveTest extends MoveContract {
  @Override
  MoveServer server() {
    return MoveServer.POSTGRESQL;
  }
}
