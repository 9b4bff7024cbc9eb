package io.shardwright.server;

import io.shardwright.server.TestingGateway.Kind;

class PagingTest extends PagingContract {
  @Override
  Kind kind() {
    return Kind.POSTGRESQL;
  }
}
