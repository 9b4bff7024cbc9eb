package io.shardwright.migration;

class PostgresInvariantsTest extends InvariantsContract {
  @Override
  MoveServer server() {
    return MoveServer.POSTGRESQL;
  }
}
