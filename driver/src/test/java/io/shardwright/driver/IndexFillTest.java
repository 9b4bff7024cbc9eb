package io.shardwright.driver;

class IndexFillTest extends IndexFillContract {
  IndexFillTest() {
    super(TestingDatabase.POSTGRESQL);
  }
}
