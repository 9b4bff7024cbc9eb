package io.shardwright.driver;

class MariaDbListIndexTest extends ListIndexContract {
  MariaDbListIndexTest() {
    super(TestingDatabase.MARIADB);
  }
}
