package io.shardwright.migration;

class MariaDbVerificationTest extends VerificationContract {
  @Override
  MoveServer server() {
    return MoveServer.MARIADB;
  }

  @Override
  String numbers(int last) {
    return "SELECT seq AS i FROM seq_1_to_" + last;
  }
}
