package io.shardwright.cli;

class ShardCommandTest extends ShardCommandContract {
  @Override
  MovingShards.Server server() {
    return MovingShards.POSTGRES;
  }
}
