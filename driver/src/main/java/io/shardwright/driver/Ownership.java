package io.shardwright.driver;

import io.shardwright.catalog.OwnedBuckets;
import io.shardwright.errors.ErrorCode;
import io.shardwright.lookup.Lane;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.BucketMap;
import io.shardwright.routing.BucketSet;
import io.shardwright.routing.ShardId;
import io.shardwright.sql.Plan;
import io.shardwright.sql.Route;
import io.shardwright.sql.Route.ShardStatement;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What the shards have to confirm of one attempt of a statement before its answer is given
 * (docs/decisions/moves.md, Reads).
 *
 * <p>Problem: a bucket may change its shard while a statement is on its way, and its rows are on
 * two shards before and after. Idea: by a live lease all buckets that may are known when the
 * statement is routed. Each shard leaves out those of them that are another's by the map; and when
 * it has answered, it is asked whether it still was the owner of its own. Any other answer is
 * thrown away, and the statement repeated by the newest map. Where the lease has lapsed the shards
 * themselves say what moves, before and after.
 *
 * <p>For one attempt; its shards may be confirmed by several threads at once.
 */
final class Ownership {
  private final ShardwrightConnection connection;
  private final KnownState known;
  private final boolean lapsed;

  private Ownership(ShardwrightConnection connection, KnownState known, boolean lapsed) {
    this.connection = connection;
    this.known = known;
    this.lapsed = lapsed;
  }

  /**
   * Before a statement is routed.
   *
   * @return null when nothing has to be confirmed as long as {@link CatalogMaps#vouchesFor} the
   *     state
   */
  static Ownership before(ShardwrightConnection connection, KnownState known) {
    boolean vouched = connection.cluster().catalogMaps().vouchesFor(known);
    return vouched && known.isQuiet() ? null : new Ownership(connection, known, !vouched);
  }

  /**
   * When a shard has answered a statement that nothing had to be confirmed of.
   *
   * @return null when that is still so
   */
  static Ownership after(ShardwrightConnection connection, KnownState known) {
    return connection.cluster().catalogMaps().vouchesFor(known)
        ? null
        : new Ownership(connection, known, false);
  }

  /**
   * Whose rows may be on other shards beside their owner: where the process does not know, all. To
   * ask the shards first would not be enough, since nobody waits for this process: a copy may come
   * after the answer.
   */
  BucketSet announced(String group) {
    return lapsed ? BucketSet.first(known.apply(group).buckets()) : known.announced(group);
  }

  /** Whether something has to be confirmed of a shard's part. */
  boolean concerns(Route route, ShardStatement to) {
    return route.map().isPresent()
        && (lapsed || !inQuestion(route.map().get(), to, false).isEmpty());
  }

  /**
   * Before a statement of a transaction is sent: its first one takes the lock that a cutover waits
   * for, and so does each that locks rows. Where the transaction has a snapshot, that decides.
   *
   * @return true when nothing is left to be confirmed
   */
  boolean enter(ShardCall call, Plan plan, Route route, ShardStatement to) throws SQLException {
    if (call.ownsLease() || route.map().isEmpty() || plan.kind() != Plan.Kind.SELECT) {
      return false;
    }
    BucketMap map = route.map().get();
    BucketSet buckets = inQuestion(map, to, lapsed);
    if (buckets.isEmpty()) {
      return false;
    }
    if (plan.locksOrWrites() || connection.isFirstStatement()) {
      enter(call, map, buckets);
      return true;
    }
    if (!connection.isReadCommitted()) {
      refuse(call, find(call.lease().connection(), call, map, buckets, OwnedBuckets.States.OWNED));
      return true;
    }
    return false;
  }

  private void enter(ShardCall call, BucketMap map, BucketSet buckets) throws SQLException {
    Lease lease = call.lease();
    if (lease.pool().isFenced(lease.connection()) && !connection.hasEntered(map.group(), buckets)) {
      connection.cluster().statistics().moves().checked();
      Optional<OwnedBuckets.Row> refused =
          OwnedBuckets.enter(lease.connection(), map.group(), buckets);
      refuse(call, refused);
      connection.entered(map.group(), buckets);
    }
  }

  /**
   * When a shard has answered, and before anything of its answer is given or committed.
   *
   * @throws SQLException SW001 when it need not have been the owner of all buckets
   */
  void confirm(ShardCall call, Plan plan, Route route, ShardStatement to) throws SQLException {
    if (route.map().isEmpty()) {
      return;
    }
    BucketMap map = route.map().get();
    boolean unsure = lapsed || !connection.cluster().catalogMaps().vouchesFor(known);
    // Where changes of a list index waited has been asked by the state of before.
    boolean asked = to.buckets().isEmpty() || route.list().isPresent();
    if (asked && unsure && !lapsed) {
      throw moved(call.shard(), "the bucket map, or what is known of it, changed meanwhile");
    }
    BucketSet buckets = inQuestion(map, to, unsure);
    if (buckets.isEmpty()) {
      return;
    }
    boolean entering = !call.ownsLease() && plan.kind() != Plan.Kind.SELECT;
    if (entering) {
      enter(call, map, buckets);
    }
    if (!entering || lapsed) {
      refuse(call, find(call, map, buckets));
    }
  }

  /**
   * @param all whether the process does not know for sure which buckets are in a move
   */
  private BucketSet inQuestion(BucketMap map, ShardStatement to, boolean all) {
    BucketSet announced = announced(map.group());
    if (to.buckets().isEmpty()) {
      return map.owned(to.shard(), announced);
    }
    if (all) {
      return BucketSet.of(to.buckets());
    }
    List<BucketId> inQuestion = new ArrayList<>();
    for (BucketId bucket : to.buckets()) {
      if (announced.contains(bucket)) {
        inQuestion.add(bucket);
      }
    }
    return inQuestion.isEmpty() ? BucketSet.EMPTY : BucketSet.of(inQuestion);
  }

  private Optional<OwnedBuckets.Row> find(ShardCall call, BucketMap map, BucketSet buckets)
      throws SQLException {
    OwnedBuckets.States states =
        lapsed ? OwnedBuckets.States.OPEN : OwnedBuckets.States.OWNED_OR_NEXT;
    if (!call.isStreaming()) {
      return find(call.lease().connection(), call, map, buckets, states);
    }
    // Nothing else can be asked on a connection that streams.
    try (Connection lane = connection.cluster().indexes().open(call.shard(), Lane.OWNERS)) {
      return find(lane, call, map, buckets, states);
    }
  }

  private Optional<OwnedBuckets.Row> find(
      Connection physical, ShardCall call, BucketMap map, BucketSet buckets, OwnedBuckets.States in)
      throws SQLException {
    if (!call.lease().pool().isFenced(physical)) {
      return Optional.empty();
    }
    connection.cluster().statistics().moves().checked();
    return OwnedBuckets.notCurrent(physical, map, buckets, in);
  }

  private void refuse(ShardCall call, Optional<OwnedBuckets.Row> row) throws SQLException {
    if (row.isPresent()) {
      throw moved(call.shard(), row.get().toString());
    }
  }

  /** For a statement that was planned by other directories than its maps have. */
  static SQLException grown() {
    return SqlErrors.of(
        ErrorCode.BUCKET_MOVED,
        "a directory got new entries while the statement was on its way; nothing of it was"
            + " applied; roll back and repeat the transaction");
  }

  private SQLException moved(ShardId shard, String why) {
    connection.cluster().statistics().moves().stale();
    return SqlErrors.of(
        ErrorCode.BUCKET_MOVED,
        "shard "
            + shard
            + " need not own what the statement is about any more ("
            + why
            + "); nothing of it was applied; roll back and repeat the transaction");
  }
}
