package io.shardwright.driver;

class MariaDbDirectoryTest extends DirectoryContract {
  MariaDbDirectoryTest() {
    super(TestingDatabase.MARIADB);
  }
}
