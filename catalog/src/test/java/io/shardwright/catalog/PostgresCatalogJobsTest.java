package io.shardwright.catalog;

import io.shardwright.testkit.EmbeddedPostgresServer;

class PostgresCatalogJobsTest extends CatalogJobsContract {
  @Override
  String newDatabase() {
    return EmbeddedPostgresServer.shared().createDatabase("catalog_jobs");
  }
}
