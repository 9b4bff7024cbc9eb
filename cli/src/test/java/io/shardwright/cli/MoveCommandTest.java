package io.shardwright.cli;

class MoveCommandTest extends MoveCommandContract {
  @Override
  MovingShards.Server server() {
    return MovingShards.POSTGRES;
  }
}
