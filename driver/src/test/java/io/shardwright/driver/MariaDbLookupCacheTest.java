package io.shardwright.driver;

class MariaDbLookupCacheTest extends LookupCacheContract {
  MariaDbLookupCacheTest() {
    super(TestingDatabase.MARIADB);
  }
}
