package io.shardwright.driver;

class MariaDbIndexScheduleTest extends IndexScheduleContract {
  MariaDbIndexScheduleTest() {
    super(TestingDatabase.MARIADB);
  }
}
