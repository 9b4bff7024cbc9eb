package io.shardwright.cli;

class HeatCommandTest extends HeatCommandContract {
  HeatCommandTest() {
    super(MovingShards.POSTGRES);
  }
}
