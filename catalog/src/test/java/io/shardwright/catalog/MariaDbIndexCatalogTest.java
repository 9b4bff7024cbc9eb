package io.shardwright.catalog;

import io.shardwright.testkit.EmbeddedMariaDbServer;

class MariaDbIndexCatalogTest extends IndexCatalogContract {
  @Override
  String newDatabase() {
    return EmbeddedMariaDbServer.shared().createDatabase("catalog");
  }

  @Override
  String waiting() {
    return "SELECT count(*) FROM information_schema.innodb_trx WHERE trx_state = 'LOCK WAIT'";
  }
}
