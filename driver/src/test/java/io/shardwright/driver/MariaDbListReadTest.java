package io.shardwright.driver;

class MariaDbListReadTest extends ListReadContract {
  MariaDbListReadTest() {
    super(TestingDatabase.MARIADB);
  }
}
