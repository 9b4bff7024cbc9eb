package io.shardwright.catalog;

import io.shardwright.testkit.EmbeddedPostgresServer;

class PostgresIndexCatalogTest extends IndexCatalogContract {
  @Override
  String newDatabase() {
    return EmbeddedPostgresServer.shared().createDatabase("catalog");
  }

  @Override
  String waiting() {
    return "SELECT count(*) FROM pg_stat_activity"
        + " WHERE wait_event_type = 'Lock' AND datname = current_database()";
  }
}
