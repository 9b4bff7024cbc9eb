package io.shardwright.driver;

class MariaDbLongInListTest extends LongInListContract {
  @Override
  TestingDatabase database() {
    return TestingDatabase.MARIADB;
  }
}
