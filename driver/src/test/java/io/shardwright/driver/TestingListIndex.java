package io.shardwright.driver;

import io.shardwright.catalog.Catalog;
import io.shardwright.catalog.CatalogIndex;
import io.shardwright.catalog.IndexState;
import io.shardwright.config.Configuration;
import io.shardwright.routing.BucketId;
import io.shardwright.schema.IndexObjects;
import io.shardwright.schema.IndexObjects.LockWait;
import io.shardwright.schema.LookupIndex;
import io.shardwright.schema.ShardInspector;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The list index by_seller of table samples, whose changes are delivered when a test says so. */
final class TestingListIndex {
  static final String NAME = "samples.by_seller";

  private static final List<String> VALUES = List.of("v1", "v2", "c1", "c2", "c3");

  private final TestingShards shards;
  private final int count;

  TestingListIndex(TestingShards shards, int count) {
    this.shards = shards;
    this.count = count;
  }

  /** For tables without rows. */
  void create() throws SQLException {
    CatalogIndex index = change(IndexState.WRITE_ONLY);
    Configuration configuration = shards.configuration();
    Configuration.Group group = configuration.groups().get("samples");
    for (int shard = 0; shard < count; shard++) {
      try (Connection connection = shards.shard(shard)) {
        LookupIndex found =
            LookupIndex.find(
                    configuration.product(),
                    group,
                    group.indexes().get("by_seller"),
                    ShardInspector.inspect(connection, List.of("samples")))
                .orElseThrow();
        IndexObjects.of(found, configuration.product())
            .installTriggers(connection, index.version(), LockWait.DEFAULT);
      }
    }
    change(IndexState.READABLE);
  }

  CatalogIndex change(IndexState next) {
    try (Catalog catalog = Catalog.open(shards.configuration())) {
      CatalogIndex known = catalog.load().indexes().get(NAME);
      CatalogIndex changed = catalog.changeIndex(known, next);
      shards.source().refreshMaps();
      return changed;
    }
  }

  private static final class Change {
    private final List<Object> columns = new ArrayList<>();
    private boolean live;
    private Object seller;
  }

  /** All changes that wait. */
  void deliver() throws SQLException {
    for (int shard = 0; shard < count; shard++) {
      try (Connection connection = shards.shard(shard);
          Statement statement = connection.createStatement()) {
        long last = 0;
        try (ResultSet row =
            statement.executeQuery(
                "SELECT bucket_id, p1, v1, v2, c1, c2, c3, live, n"
                    + " FROM shardwright_outbox_samples_by_seller ORDER BY n")) {
          while (row.next()) {
            Change change = new Change();
            for (int i = 1; i <= 2 + VALUES.size(); i++) {
              change.columns.add(row.getObject(i));
            }
            change.seller = row.getObject("v1");
            change.live = row.getBoolean("live");
            last = row.getLong("n");
            deliver(change, last);
          }
        }
        statement.execute("DELETE FROM shardwright_outbox_samples_by_seller WHERE n <= " + last);
      }
    }
  }

  private void deliver(Change change, long version) throws SQLException {
    for (int shard = 0; shard < count; shard++) {
      try (Connection connection = shards.shard(shard);
          PreparedStatement gone =
              connection.prepareStatement(
                  "DELETE FROM shardwright_entry_samples_by_seller WHERE row_bucket = ? AND p1 = ?")) {
        gone.setObject(1, change.columns.get(0));
        gone.setObject(2, change.columns.get(1));
        gone.executeUpdate();
      }
    }
    if (!change.live) {
      return;
    }
    List<BucketId> buckets =
        shards
            .source()
            .schema()
            .table("samples")
            .orElseThrow()
            .lists()
            .get(0)
            .entries()
            .entries()
            .orElseThrow()
            .of(List.of(change.seller));
    BucketId bucket =
        buckets.get(Math.floorMod(((Number) change.columns.get(1)).longValue(), buckets.size()));
    int shard =
        Integer.parseInt(shards.source().bucketMap(NAME).shardOf(bucket).name().substring(1));
    try (Connection connection = shards.shard(shard);
        PreparedStatement insert =
            connection.prepareStatement(
                "INSERT INTO shardwright_entry_samples_by_seller (bucket_id, row_bucket, p1, "
                    + String.join(", ", VALUES)
                    + ", version, live) VALUES (?, ?, ?"
                    + String.join("", Collections.nCopies(VALUES.size() + 1, ", ?"))
                    + ", true)")) {
      insert.setInt(1, bucket.value());
      int at = 2;
      for (Object column : change.columns) {
        insert.setObject(at++, column);
      }
      insert.setLong(at, version);
      insert.executeUpdate();
    }
  }
}
