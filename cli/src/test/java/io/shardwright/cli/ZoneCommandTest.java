package io.shardwright.cli;

class ZoneCommandTest extends ZoneCommandContract {
  ZoneCommandTest() {
    super(MovingShards.POSTGRES);
  }
}
