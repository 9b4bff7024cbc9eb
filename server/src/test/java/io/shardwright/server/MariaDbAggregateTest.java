package io.shardwright.server;

import io.shardwright.server.TestingGateway.Kind;

class MariaDbAggregateTest extends AggregateContract {
  @Override
  Kind kind() {
    return Kind.MARIADB;
  }
}
