package io.shardwright.cli;

class MariaDbHeatCommandTest extends HeatCommandContract {
  MariaDbHeatCommandTest() {
    super(MovingShards.MARIADB);
  }
}
