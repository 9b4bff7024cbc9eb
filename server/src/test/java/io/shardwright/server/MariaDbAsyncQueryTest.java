package io.shardwright.server;

import io.shardwright.server.TestingGateway.Kind;

class MariaDbAsyncQueryTest extends AsyncQueryContract {
  @Override
  Kind kind() {
    return Kind.MARIADB;
  }
}
