package io.shardwright.catalog;

import io.shardwright.testkit.EmbeddedMariaDbServer;

class MariaDbCatalogIdsTest extends CatalogIdsContract {
  @Override
  String newDatabase() {
    return EmbeddedMariaDbServer.shared().createDatabase("catalog_ids");
  }
}
