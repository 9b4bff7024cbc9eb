package io.shardwright.catalog;

import io.shardwright.testkit.EmbeddedMariaDbServer;

class MariaDbCatalogJobsTest extends CatalogJobsContract {
  @Override
  String newDatabase() {
    return EmbeddedMariaDbServer.shared().createDatabase("catalog_jobs");
  }
}
