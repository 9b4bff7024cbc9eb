package io.shardwright.driver;

class MariaDbCorpusTest extends CorpusTest {
  @Override
  TestingDatabase database() {
    return TestingDatabase.MARIADB;
  }
}
