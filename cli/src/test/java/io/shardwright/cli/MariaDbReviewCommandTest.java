package io.shardwright.cli;

class MariaDbReviewCommandTest extends ReviewCommandContract {
  MariaDbReviewCommandTest() {
    super(MovingShards.MARIADB);
  }
}
