package io.shardwright.driver;

class MariaDbCorpusTest extends CorpusTest {
  MariaDbCorpusTest() {
    super(TestingDatabase.MARIADB);
  }
}
