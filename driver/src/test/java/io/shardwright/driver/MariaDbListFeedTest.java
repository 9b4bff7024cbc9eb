package io.shardwright.driver;

class MariaDbListFeedTest extends ListFeedContract {
  MariaDbListFeedTest() {
    super(TestingDatabase.MARIADB);
  }
}
