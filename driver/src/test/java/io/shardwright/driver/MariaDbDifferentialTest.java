package io.shardwright.driver;

class MariaDbDifferentialTest extends DifferentialTest {
  MariaDbDifferentialTest() {
    super(TestingDatabase.MARIADB, 1_000);
  }
}
