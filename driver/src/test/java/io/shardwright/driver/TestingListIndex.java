package io.shardwright.driver;

import io.shardwright.catalog.Catalog;
import io.shardwright.catalog.IndexState;
import java.sql.SQLException;

/** The list index by_seller of table samples, whose changes wait until a test lets them go. */
record TestingListIndex(TestingShards shards, int count) {
  static final String NAME = "samples.by_seller";

  private static final String OUTBOX = "shardwright_outbox_samples_by_seller";

  void create() throws SQLException {
    shards.source().lookupIndexes().create(NAME, 0, (done, all, report) -> {});
    hold();
  }

  /** Changes are not due from now on. */
  void hold() {
    due("'2037-01-01 00:00:00'");
  }

  /** Changes are due as soon as they are made. */
  void letGo() {
    due("CURRENT_TIMESTAMP(6)");
  }

  /** MariaDB keeps filling in the time when only the default is set. */
  private void due(String time) {
    shards.onEveryShard(
        "ALTER TABLE "
            + OUTBOX
            + (shards.database() == TestingDatabase.MARIADB
                ? " MODIFY not_before timestamp(6) NOT NULL DEFAULT "
                : " ALTER COLUMN not_before SET DEFAULT ")
            + time);
  }

  /** Waits until the feed has delivered all changes that wait. */
  void deliver() throws SQLException {
    shards.onEveryShard("UPDATE " + OUTBOX + " SET not_before = CURRENT_TIMESTAMP");
    ListFixture.await(() -> waiting() == 0);
  }

  private long waiting() throws SQLException {
    long waiting = 0;
    for (int shard = 0; shard < count; shard++) {
      waiting += Long.parseLong(shards.shardRows(shard, "SELECT count(*) FROM " + OUTBOX).get(0));
    }
    return waiting;
  }

  void change(IndexState next) {
    try (Catalog catalog = Catalog.open(shards.configuration())) {
      catalog.changeIndex(catalog.load().indexes().get(NAME), next);
    }
    shards.source().refreshMaps();
  }
}
