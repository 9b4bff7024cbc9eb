package io.shardwright.migration;

class PostgresDeadTargetTest extends DeadTargetContract {
  @Override
  MoveServer server() {
    return MoveServer.POSTGRESQL;
  }
}
