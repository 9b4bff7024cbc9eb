package io.shardwright.server;

import io.shardwright.server.TestingGateway.Kind;

class MariaDbCompletenessTest extends CompletenessContract {
  @Override
  Kind kind() {
    return Kind.MARIADB;
  }
}
