package io.shardwright.catalog;

import io.shardwright.testkit.EmbeddedPostgresServer;

class PostgresCatalogIdsTest extends CatalogIdsContract {
  @Override
  String newDatabase() {
    return EmbeddedPostgresServer.shared().createDatabase("catalog_ids");
  }
}
