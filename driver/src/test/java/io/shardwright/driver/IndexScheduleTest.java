package io.shardwright.driver;

class IndexScheduleTest extends IndexScheduleContract {
  IndexScheduleTest() {
    super(TestingDatabase.POSTGRESQL);
  }
}
