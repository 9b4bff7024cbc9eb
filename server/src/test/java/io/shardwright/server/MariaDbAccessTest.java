package io.shardwright.server;

import io.shardwright.server.TestingGateway.Kind;

class MariaDbAccessTest extends AccessContract {
  @Override
  Kind kind() {
    return Kind.MARIADB;
  }
}
