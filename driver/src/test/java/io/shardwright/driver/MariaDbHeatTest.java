package io.shardwright.driver;

class MariaDbHeatTest extends HeatContract {
  @Override
  TestingDatabase database() {
    return TestingDatabase.MARIADB;
  }
}
