package io.shardwright.catalog;

import io.shardwright.testkit.EmbeddedMariaDbServer;

class MariaDbIndexCatalogTest extends IndexCatalogContract {
  @Override
  String newDatabase() {
    return EmbeddedMariaDbServer.shared().createDatabase("catalog");
  }

  @Override
  String waiting() {
    // The server fills innodb_trx anew only when nobody has read it for a tenth of a second.
    return "SELECT count(*) FROM (SELECT SLEEP(0.15)) pause JOIN information_schema.innodb_trx"
        + " WHERE trx_state = 'LOCK WAIT'";
  }
}
