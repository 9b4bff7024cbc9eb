package io.shardwright.server;

import io.shardwright.server.TestingGateway.Kind;

class AggregateTest extends AggregateContract {
  @Override
  Kind kind() {
    return Kind.POSTGRESQL;
  }
}
