package io.shardwright.driver;

class MovingBucketWritersTest extends MovingBucketWritersContract {
  @Override
  TestingDatabase database() {
    return TestingDatabase.POSTGRESQL;
  }
}
