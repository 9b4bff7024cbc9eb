package io.shardwright.driver;

class MariaDbMultiShardWriteTest extends MultiShardWriteContract {
  @Override
  TestingDatabase database() {
    return TestingDatabase.MARIADB;
  }
}
