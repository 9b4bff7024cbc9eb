package io.shardwright.server;

import io.shardwright.server.TestingGateway.Kind;

class MariaDbPagingTest extends PagingContract {
  @Override
  Kind kind() {
    return Kind.MARIADB;
  }
}
