package io.shardwright.server;

import io.shardwright.server.TestingGateway.Kind;

class MariaDbExportTest extends ExportContract {
  @Override
  Kind kind() {
    return Kind.MARIADB;
  }
}
