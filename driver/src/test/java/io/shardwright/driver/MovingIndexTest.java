package io.shardwright.driver;

class MovingIndexTest extends MovingIndexContract {
  @Override
  TestingDatabase database() {
    return TestingDatabase.POSTGRESQL;
  }
}
