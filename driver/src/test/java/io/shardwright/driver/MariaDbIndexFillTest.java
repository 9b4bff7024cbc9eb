package io.shardwright.driver;

class MariaDbIndexFillTest extends IndexFillContract {
  MariaDbIndexFillTest() {
    super(TestingDatabase.MARIADB);
  }
}
