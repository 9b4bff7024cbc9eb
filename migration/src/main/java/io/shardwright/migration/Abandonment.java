package io.shardwright.migration;

import io.shardwright.catalog.CatalogMoves;
import io.shardwright.catalog.CatalogMoves.Held;
import io.shardwright.catalog.Move;
import io.shardwright.catalog.Move.Wish;
import io.shardwright.catalog.MoveState;
import io.shardwright.config.Configuration;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.BucketSet;
import io.shardwright.routing.ShardId;
import io.shardwright.schema.Fence.State;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

/**
 * Cancels a move whose target cannot be reached: the source is made as it was, and the buckets may
 * go to another shard. The target keeps its copies, which nobody reads, until it is back and the
 * operator has them deleted. Between source and target nothing has to be in step: only the source
 * was ever written.
 */
final class Abandonment {
  private static final int DELETE_ROWS = 5_000;
  private static final Duration LOCK_PAUSE = Duration.ofMillis(50);

  private final Configuration configuration;
  private final CatalogMoves moves;
  private final MoveRun.Waiter waiter;
  private final Held held;
  private final MoveRun.Latest latest;
  private final Move move;

  Abandonment(MoveRun.Means means, Held held, MoveRun.Latest latest) {
    this.configuration = means.configuration();
    this.moves = means.moves();
    this.waiter = means.waiter();
    this.held = held;
    this.latest = latest;
    this.move = latest.move();
  }

  /** It is to be cancelled and its target cannot be reached, or that was so before. */
  boolean isCase() {
    if (move.state() == MoveState.ABANDONED) {
      return true;
    }
    boolean cancelled =
        move.wish() == Wish.CANCEL
            && (move.state().canCancel() || move.state() == MoveState.CANCELLING);
    return cancelled && (move.state() == MoveState.PLANNED || isAway(move.target()));
  }

  private boolean isAway(ShardId shard) {
    try {
      MoverConnection.open(configuration, shard).close();
      return false;
    } catch (ShardwrightException e) {
      return e.code() == ErrorCode.SHARD_UNAVAILABLE;
    }
  }

  /**
   * @return the state that it is left in
   */
  MoveState run() throws SQLException {
    if (move.state() == MoveState.PLANNED) {
      return advance(MoveState.CANCELLED);
    }
    if (move.state() != MoveState.ABANDONED) {
      restoreSource();
      MoveState next = advance(MoveState.ABANDONED);
      moves.note(
          held,
          "shard "
              + move.target()
              + " cannot be reached and may have copies of rows of these buckets, which nobody reads;"
              + " when it is back, shardwright move cleanup "
              + move.id()
              + " deletes them; meanwhile the buckets may go to any other shard");
      return next;
    }
    if (move.wish() != Wish.CLEAN_UP) {
      return move.state();
    }
    deleteCopies();
    return advance(MoveState.CANCELLED);
  }

  private MoveState advance(MoveState next) {
    OptionalLong unused = moves.advance(held, next);
    return next;
  }

  private void takeOver(MoverConnection shard) throws SQLException {
    shard.requireNoLater(move.group(), move.buckets(), held.epoch());
    shard.endOthers(move.id());
    shard.takeToken(move.group(), move.buckets(), held.epoch());
  }

  /** Ends the notes, under the lock of writers: else one would come after all were deleted. */
  private void restoreSource() throws SQLException {
    try (MoverConnection source = MoverConnection.open(configuration, move.source())) {
      takeOver(source);
      BucketSet rest = source.where(move.group(), move.buckets(), "captured = TRUE");
      while (!rest.isEmpty()) {
        BucketSet locked = source.tryLock(move.group(), rest);
        try {
          if (!locked.isEmpty()) {
            source.change(move.group(), locked, held.epoch(), "captured = FALSE");
            source.commitLocked();
          }
        } finally {
          source.unlock();
        }
        rest = rest.minus(locked);
        if (!rest.isEmpty()) {
          Move unused = latest.move();
          waiter.pause(LOCK_PAUSE);
        }
      }
      for (MovedTable table : new MovingTables(configuration, move.group()).on(source)) {
        delete(source, table.captureTable(), move.buckets());
      }
    }
  }

  private void deleteCopies() throws SQLException {
    try (MoverConnection target = MoverConnection.open(configuration, move.target())) {
      takeOver(target);
      BucketSet foreign = target.where(move.group(), move.buckets(), "foreign_rows = TRUE");
      if (foreign.isEmpty()) {
        return;
      }
      List<MovedTable> tables = new MovingTables(configuration, move.group()).on(target);
      for (int i = tables.size() - 1; i >= 0; i--) {
        delete(target, tables.get(i).name(), foreign);
      }
      target.change(
          move.group(),
          foreign,
          held.epoch(),
          "state = '" + State.AWAY.stored() + "', foreign_rows = FALSE");
    }
  }

  private void delete(MoverConnection shard, String table, BucketSet buckets) throws SQLException {
    int deleted = DELETE_ROWS;
    while (deleted == DELETE_ROWS) {
      Move unused = latest.move();
      deleted =
          shard.inTransaction(
              () -> {
                shard.requireToken(move.group(), move.buckets(), held.epoch());
                return shard.deleteSome(table, MoverConnection.ofBuckets(buckets), DELETE_ROWS);
              });
    }
  }
}
