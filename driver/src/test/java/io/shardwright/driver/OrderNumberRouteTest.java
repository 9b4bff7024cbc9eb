package io.shardwright.driver;

class OrderNumberRouteTest extends CarriedKeyContract {
  OrderNumberRouteTest() {
    super(TestingDatabase.POSTGRESQL, new OrderNumbers());
  }
}
