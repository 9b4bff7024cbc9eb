package io.shardwright.driver;

class MariaDbWriteTokenTest extends WriteTokenContract {
  @Override
  TestingDatabase database() {
    return TestingDatabase.MARIADB;
  }
}
