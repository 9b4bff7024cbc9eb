package io.shardwright.catalog;

import io.shardwright.testkit.EmbeddedMariaDbServer;

class MariaDbCatalogHeatTest extends CatalogHeatContract {
  @Override
  String newDatabase() {
    return EmbeddedMariaDbServer.shared().createDatabase("catalog_heat");
  }
}
