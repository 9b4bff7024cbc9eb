package io.shardwright.driver;

class ReservationTest extends ReservationContract {
  ReservationTest() {
    super(TestingDatabase.POSTGRESQL);
  }
}
