package io.shardwright.driver;

class MariaDbFirstConnectionTest extends FirstConnectionTest {
  @Override
  TestingDatabase database() {
    return TestingDatabase.MARIADB;
  }
}
