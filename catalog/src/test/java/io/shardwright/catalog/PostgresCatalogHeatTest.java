package io.shardwright.catalog;

import io.shardwright.testkit.EmbeddedPostgresServer;

class PostgresCatalogHeatTest extends CatalogHeatContract {
  @Override
  String newDatabase() {
    return EmbeddedPostgresServer.shared().createDatabase("catalog_heat");
  }
}
