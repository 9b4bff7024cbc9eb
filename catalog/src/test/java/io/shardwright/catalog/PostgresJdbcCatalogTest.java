package io.shardwright.catalog;

import io.shardwright.testkit.EmbeddedPostgresServer;

class PostgresJdbcCatalogTest extends JdbcCatalogContract {
  @Override
  String newDatabase() {
    return EmbeddedPostgresServer.shared().createDatabase("catalog");
  }
}
