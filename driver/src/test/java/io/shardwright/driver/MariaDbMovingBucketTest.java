package io.shardwright.driver;

class MariaDbMovingBucketTest extends MovingBucketContract {
  @Override
  TestingDatabase database() {
    return TestingDatabase.MARIADB;
  }
}
