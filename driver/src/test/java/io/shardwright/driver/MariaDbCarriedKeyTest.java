package io.shardwright.driver;

class MariaDbCarriedKeyTest extends CarriedKeyContract {
  MariaDbCarriedKeyTest() {
    super(TestingDatabase.MARIADB, new Codec());
  }
}
