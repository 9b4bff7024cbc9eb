package io.shardwright.driver;

class MariaDbReservationTest extends ReservationContract {
  MariaDbReservationTest() {
    super(TestingDatabase.MARIADB);
  }
}
