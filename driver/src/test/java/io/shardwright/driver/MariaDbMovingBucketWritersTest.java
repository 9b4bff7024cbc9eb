package io.shardwright.driver;

class MariaDbMovingBucketWritersTest extends MovingBucketWritersContract {
  @Override
  TestingDatabase database() {
    return TestingDatabase.MARIADB;
  }
}
