package io.shardwright.server;

import io.shardwright.server.TestingGateway.Kind;

class SettlementTest extends SettlementContract {
  @Override
  Kind kind() {
    return Kind.POSTGRESQL;
  }
}
