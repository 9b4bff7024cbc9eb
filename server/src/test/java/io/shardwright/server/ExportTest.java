package io.shardwright.server;

import io.shardwright.server.TestingGateway.Kind;

class ExportTest extends ExportContract {
  @Override
  Kind kind() {
    return Kind.POSTGRESQL;
  }
}
