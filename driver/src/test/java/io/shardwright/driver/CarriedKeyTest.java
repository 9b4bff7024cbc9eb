package io.shardwright.driver;

class CarriedKeyTest extends CarriedKeyContract {
  CarriedKeyTest() {
    super(TestingDatabase.POSTGRESQL, new Codec());
  }
}
