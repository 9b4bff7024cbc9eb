package io.shardwright.driver;

class MariaDbMultiTransactionTest extends MultiTransactionContract {
  @Override
  TestingDatabase database() {
    return TestingDatabase.MARIADB;
  }
}
