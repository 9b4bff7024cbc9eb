package io.shardwright.server;

import io.shardwright.server.TestingGateway.Kind;

class BoundsTest extends BoundsContract {
  @Override
  Kind kind() {
    return Kind.POSTGRESQL;
  }
}
