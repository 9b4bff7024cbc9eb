package io.shardwright.cli;

class MariaDbZoneCommandTest extends ZoneCommandContract {
  MariaDbZoneCommandTest() {
    super(MovingShards.MARIADB);
  }
}
