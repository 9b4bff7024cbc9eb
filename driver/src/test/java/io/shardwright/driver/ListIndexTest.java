package io.shardwright.driver;

class ListIndexTest extends ListIndexContract {
  ListIndexTest() {
    super(TestingDatabase.POSTGRESQL);
  }
}
