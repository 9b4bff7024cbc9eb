package io.shardwright.driver;

class MovingBucketTest extends MovingBucketContract {
  @Override
  TestingDatabase database() {
    return TestingDatabase.POSTGRESQL;
  }
}
