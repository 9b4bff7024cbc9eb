package io.shardwright.server;

import io.shardwright.server.TestingGateway.Kind;

class MariaDbBoundsTest extends BoundsContract {
  @Override
  Kind kind() {
    return Kind.MARIADB;
  }
}
