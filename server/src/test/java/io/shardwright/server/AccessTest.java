package io.shardwright.server;

import io.shardwright.server.TestingGateway.Kind;

class AccessTest extends AccessContract {
  @Override
  Kind kind() {
    return Kind.POSTGRESQL;
  }
}
