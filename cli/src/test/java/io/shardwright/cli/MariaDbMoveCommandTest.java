package io.shardwright.cli;

class MariaDbMoveCommandTest extends MoveCommandContract {
  @Override
  MovingShards.Server server() {
    return MovingShards.MARIADB;
  }
}
