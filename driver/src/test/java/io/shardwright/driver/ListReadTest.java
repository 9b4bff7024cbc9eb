package io.shardwright.driver;

class ListReadTest extends ListReadContract {
  ListReadTest() {
    super(TestingDatabase.POSTGRESQL);
  }
}
