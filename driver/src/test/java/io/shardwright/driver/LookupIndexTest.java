package io.shardwright.driver;

class LookupIndexTest extends LookupIndexContract {
  LookupIndexTest() {
    super(TestingDatabase.POSTGRESQL);
  }
}
