package io.shardwright.driver;

class MariaDbLookupIndexCrashTest extends LookupIndexCrashContract {
  MariaDbLookupIndexCrashTest() {
    super(TestingDatabase.MARIADB);
  }
}
