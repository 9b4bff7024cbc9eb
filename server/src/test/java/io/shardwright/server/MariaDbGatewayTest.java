package io.shardwright.server;

import io.shardwright.server.TestingGateway.Kind;

class MariaDbGatewayTest extends GatewayContract {
  @Override
  Kind kind() {
    return Kind.MARIADB;
  }
}
