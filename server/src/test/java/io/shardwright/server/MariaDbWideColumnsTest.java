package io.shardwright.server;

import io.shardwright.server.TestingGateway.Kind;

class MariaDbWideColumnsTest extends WideColumnsContract {
  @Override
  Kind kind() {
    return Kind.MARIADB;
  }
}
