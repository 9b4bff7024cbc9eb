package io.shardwright.driver;

class ListFeedTest extends ListFeedContract {
  ListFeedTest() {
    super(TestingDatabase.POSTGRESQL);
  }
}
