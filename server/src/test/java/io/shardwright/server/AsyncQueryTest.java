package io.shardwright.server;

import io.shardwright.server.TestingGateway.Kind;

class AsyncQueryTest extends AsyncQueryContract {
  @Override
  Kind kind() {
    return Kind.POSTGRESQL;
  }
}
