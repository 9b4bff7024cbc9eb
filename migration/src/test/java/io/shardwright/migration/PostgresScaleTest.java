package io.shardwright.migration;

class PostgresScaleTest extends ScaleContract {
  @Override
  MoveServer server() {
    return MoveServer.POSTGRESQL;
  }
}
