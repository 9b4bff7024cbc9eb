package io.shardwright.driver;

class LookupCacheTest extends LookupCacheContract {
  LookupCacheTest() {
    super(TestingDatabase.POSTGRESQL);
  }
}
