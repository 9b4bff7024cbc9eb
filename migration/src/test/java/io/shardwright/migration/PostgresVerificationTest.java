package io.shardwright.migration;

class PostgresVerificationTest extends VerificationContract {
  @Override
  MoveServer server() {
    return MoveServer.POSTGRESQL;
  }

  @Override
  String numbers(int last) {
    return "SELECT i FROM generate_series(1, " + last + ") i";
  }
}
