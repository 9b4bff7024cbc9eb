package io.shardwright.driver;

class LookupIndexChaosTest extends LookupIndexChaosContract {
  LookupIndexChaosTest() {
    super(TestingDatabase.POSTGRESQL);
  }
}
