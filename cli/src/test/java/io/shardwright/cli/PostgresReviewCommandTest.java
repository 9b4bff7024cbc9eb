package io.shardwright.cli;

class PostgresReviewCommandTest extends ReviewCommandContract {
  PostgresReviewCommandTest() {
    super(MovingShards.POSTGRES);
  }
}
