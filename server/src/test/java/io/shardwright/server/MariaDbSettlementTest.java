package io.shardwright.server;

import io.shardwright.server.TestingGateway.Kind;

class MariaDbSettlementTest extends SettlementContract {
  @Override
  Kind kind() {
    return Kind.MARIADB;
  }
}
