package io.shardwright.server;

import io.shardwright.server.TestingGateway.Kind;

class CompletenessTest extends CompletenessContract {
  @Override
  Kind kind() {
    return Kind.POSTGRESQL;
  }
}
