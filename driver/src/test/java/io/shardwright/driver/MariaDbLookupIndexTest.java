package io.shardwright.driver;

class MariaDbLookupIndexTest extends LookupIndexContract {
  MariaDbLookupIndexTest() {
    super(TestingDatabase.MARIADB);
  }
}
