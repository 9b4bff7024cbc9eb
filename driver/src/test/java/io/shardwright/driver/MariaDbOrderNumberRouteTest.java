package io.shardwright.driver;

class MariaDbOrderNumberRouteTest extends CarriedKeyContract {
  MariaDbOrderNumberRouteTest() {
    super(TestingDatabase.MARIADB, new OrderNumbers());
  }
}
