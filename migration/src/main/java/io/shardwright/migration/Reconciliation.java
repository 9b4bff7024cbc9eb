package io.shardwright.migration;

import io.shardwright.catalog.Catalog;
import io.shardwright.catalog.CatalogState;
import io.shardwright.catalog.Move;
import io.shardwright.config.Configuration;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.BucketMap;
import io.shardwright.routing.BucketSet;
import io.shardwright.routing.ShardId;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Brings a shard that was failed over back into use: what it says of its buckets becomes what the
 * catalog's map says.
 *
 * <p>Until then its fence refuses all writers, and drivers do not use it. So rows of buckets that
 * are another's by now, which a promoted replica may still have, are deleted before the server is
 * recorded, and nobody has read them. Buckets in a move are its worker's to bring in order.
 */
final class Reconciliation {
  private static final int DELETE_ROWS = 5_000;

  private final Configuration configuration;
  private final CatalogState state;
  private final List<Move> moves;
  private final MoveWorker worker;
  private final List<String> done = new ArrayList<>();

  /**
   * @param moves all on record
   */
  Reconciliation(Configuration configuration, List<Move> moves, MoveWorker worker) {
    this.configuration = configuration;
    try (Catalog catalog = Catalog.open(configuration)) {
      this.state = catalog.load();
    }
    this.moves = moves.stream().filter(move -> move.state().isAnnounced()).toList();
    this.worker = worker;
  }

  /**
   * @return what was done, for people
   * @throws ShardwrightException SW002 when catalog and shards contradict each other
   */
  List<String> run() {
    for (ShardId shard : configuration.shardIds()) {
      try (MoverConnection mover = MoverConnection.open(configuration, shard)) {
        for (BucketMap map : new TreeMap<>(state.maps()).values()) {
          BucketSet failedOver = mover.failedOver(map.group(), BucketSet.first(map.buckets()));
          if (!failedOver.isEmpty()) {
            reconcile(mover, map, failedOver);
          }
        }
      } catch (SQLException e) {
        throw ShardFailures.unavailable(shard, e);
      }
    }
    return done;
  }

  private void reconcile(MoverConnection shard, BucketMap map, BucketSet failedOver)
      throws SQLException {
    BucketSet rest = failedOver;
    for (Move move : moves) {
      if (move.group().equals(map.group()) && !move.buckets().and(failedOver).isEmpty()) {
        rest = rest.minus(move.buckets());
        boolean settled = worker.settle(move.id()).isPresent();
        done.add(
            "shard "
                + shard.shard()
                + ": buckets of move "
                + move.id()
                + (settled ? " are in order" : " are brought in order by its worker"));
      }
    }
    if (!rest.isEmpty()) {
      settle(shard, map, rest);
      done.add(
          "shard "
              + shard.shard()
              + ": "
              + rest.size()
              + " buckets of "
              + map.group()
              + " are as map version "
              + map.version()
              + " says");
    }
  }

  private void settle(MoverConnection shard, BucketMap map, BucketSet buckets) throws SQLException {
    BucketSet newer = shard.where(map.group(), buckets, "epoch > " + map.version());
    if (!newer.isEmpty()) {
      throw contradiction(
          "shard "
              + shard.shard()
              + " knows a later map of "
              + map.group()
              + " than the catalog (buckets "
              + newer
              + ")");
    }
    BucketSet owned = buckets.and(BucketSet.of(map.bucketsOf(shard.shard())));
    BucketSet others = buckets.minus(owned);
    if (!others.isEmpty()) {
      requireOwners(map, others);
      delete(shard, map.group(), others);
      shard.adopt(map.group(), others, set("away", map));
    }
    if (!owned.isEmpty()) {
      shard.adopt(map.group(), owned, set("open", map));
    }
  }

  private static String set(String state, BucketMap map) {
    return "state = '" + state + "', epoch = " + map.version() + ", foreign_rows = FALSE";
  }

  /** Rows are deleted only where another shard says that it has them. */
  private void requireOwners(BucketMap map, BucketSet buckets) throws SQLException {
    Map<ShardId, BucketSet> byOwner = new TreeMap<>();
    for (BucketId bucket : buckets) {
      byOwner.merge(map.shardOf(bucket), BucketSet.of(List.of(bucket)), BucketSet::plus);
    }
    for (Map.Entry<ShardId, BucketSet> owner : byOwner.entrySet()) {
      try (MoverConnection shard = MoverConnection.open(configuration, owner.getKey())) {
        BucketSet says = shard.where(map.group(), owner.getValue(), "state IN ('open', 'closed')");
        if (!says.containsAll(owner.getValue())) {
          throw contradiction(
              "by the map shard "
                  + owner.getKey()
                  + " owns buckets "
                  + owner.getValue().minus(says)
                  + " of "
                  + map.group()
                  + ", which itself does not say so");
        }
      }
    }
  }

  private static ShardwrightException contradiction(String what) {
    return new ShardwrightException(
        ErrorCode.SHARD_INCARNATION,
        what + "; nothing was changed there: was the catalog restored from a backup?");
  }

  private void delete(MoverConnection shard, String group, BucketSet buckets) throws SQLException {
    List<MovedTable> tables = new MovingTables(configuration, group).on(shard);
    for (int i = tables.size() - 1; i >= 0; i--) {
      MovedTable table = tables.get(i);
      int deleted = DELETE_ROWS;
      while (deleted == DELETE_ROWS) {
        deleted = shard.deleteSome(table.name(), MoverConnection.ofBuckets(buckets), DELETE_ROWS);
      }
      deleted = DELETE_ROWS;
      while (deleted == DELETE_ROWS) {
        deleted =
            shard.deleteSome(table.captureTable(), MoverConnection.ofBuckets(buckets), DELETE_ROWS);
      }
    }
  }
}
