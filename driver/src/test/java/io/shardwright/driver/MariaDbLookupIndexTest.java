package io.shardwright.driver;

class MariaDbLookupIndexTest extends LookupIndexContract {
  MariaDbLookupIndexTest() {
    super(TestingDatabase.MARIADB);
  }

  @Override
  String updatingV() {
    return " ON DUPLICATE KEY UPDATE v = VALUES(v)";
  }
}
