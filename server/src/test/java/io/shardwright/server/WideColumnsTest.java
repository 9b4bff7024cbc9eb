package io.shardwright.server;

import io.shardwright.server.TestingGateway.Kind;

class WideColumnsTest extends WideColumnsContract {
  @Override
  Kind kind() {
    return Kind.POSTGRESQL;
  }
}
