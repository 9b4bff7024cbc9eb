package io.shardwright.cli;

class MariaDbShardCommandTest extends ShardCommandContract {
  @Override
  MovingShards.Server server() {
    return MovingShards.MARIADB;
  }
}
