package io.shardwright.driver;

class MariaDbLookupIndexChaosTest extends LookupIndexChaosContract {
  MariaDbLookupIndexChaosTest() {
    super(TestingDatabase.MARIADB);
  }
}
