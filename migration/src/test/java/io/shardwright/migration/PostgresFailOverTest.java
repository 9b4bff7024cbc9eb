package io.shardwright.migration;

class PostgresFailOverTest extends FailOverContract {
  @Override
  MoveServer server() {
    return MoveServer.POSTGRESQL;
  }
}
