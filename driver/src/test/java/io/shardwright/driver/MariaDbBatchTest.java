package io.shardwright.driver;

class MariaDbBatchTest extends BatchContract {
  @Override
  TestingDatabase database() {
    return TestingDatabase.MARIADB;
  }
}
