package io.shardwright.driver;

class MariaDbDifferentialTest extends DifferentialTest {
  @Override
  TestingDatabase database() {
    return TestingDatabase.MARIADB;
  }

  @Override
  int statements() {
    return 1_000;
  }
}
