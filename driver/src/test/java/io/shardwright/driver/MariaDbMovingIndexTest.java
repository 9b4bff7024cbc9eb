package io.shardwright.driver;

class MariaDbMovingIndexTest extends MovingIndexContract {
  @Override
  TestingDatabase database() {
    return TestingDatabase.MARIADB;
  }
}
