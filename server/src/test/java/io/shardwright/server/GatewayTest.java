package io.shardwright.server;

import io.shardwright.server.TestingGateway.Kind;

class GatewayTest extends GatewayContract {
  @Override
  Kind kind() {
    return Kind.POSTGRESQL;
  }
}
