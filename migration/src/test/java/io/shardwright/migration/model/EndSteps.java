package io.shardwright.migration.model;

import io.shardwright.catalog.MoveState;
import io.shardwright.migration.model.Shard.Fence;
import io.shardwright.migration.model.Worker.At;
import java.util.Arrays;

/** Step 14, the way back, and cancelling. */
final class EndSteps {
  private final Mover mover;
  private final World world;
  private final Worker worker;

  EndSteps(Mover mover) {
    this.mover = mover;
    this.world = mover.world;
    this.worker = mover.worker;
  }

  void find() {
    switch (worker.at) {
      case SWITCHED -> switched();
      case CLEAN_ROWS -> cleanRows();
      case CLEAN_OLD -> cleanOld();
      case CLEAN_NEW -> cleanNew();
      case CANCEL_SOURCE -> cancelSource();
      case CANCEL_TARGET -> cancelTarget();
      default -> end();
    }
  }

  private void switched() {
    mover.onCatalog(
        "begins to clean",
        (next, self) -> {
          next.catalog.setState(MoveState.CLEANING);
          self.at = At.CLEAN_ROWS;
        });
    if (world.scenario.faults().rollsBack()) {
      mover.onCatalog(
          "rolls back",
          (next, self) -> {
            next.catalog.setState(MoveState.ROLLING_BACK);
            int old = self.source;
            self.source = self.target;
            self.target = old;
            self.back = true;
            self.at = At.INCOMING;
          });
    }
  }

  private void cleanRows() {
    Shard source = world.shards[worker.source];
    if (!source.hasRows()) {
      mover.step("has no rows to clean", (next, self) -> self.at = At.CLEAN_OLD);
      return;
    }
    Mover.ShardChange change =
        (next, self, shard) -> {
          int r = 0;
          while (shard.rows[r] == 0) {
            r++;
          }
          shard.rows[r] = 0;
        };
    if (mover.is(Mutation.CLEANING_WITHOUT_TOKEN)) {
      mover.withoutToken("deletes a row", worker.source, change);
    } else {
      mover.onShard("deletes a row", worker.source, change);
    }
  }

  private void cleanOld() {
    mover.onShard(
        "finishes",
        worker.source,
        (next, self, shard) -> {
          shard.foreign = false;
          shard.captured = false;
          shard.notes = 0;
          shard.copied = 0;
          self.at = At.CLEAN_NEW;
        });
  }

  /** With the lock for an instant, so that no note comes after it. */
  private void cleanNew() {
    if (world.isLockFree(worker.target) || mover.is(Mutation.CAPTURE_ENDS_WITHOUT_BARRIER)) {
      mover.onShard(
          "ends capture",
          worker.target,
          (next, self, shard) -> {
            shard.foreign = false;
            shard.captured = false;
            shard.notes = 0;
            shard.copied = 0;
            self.at = At.END;
          });
    }
  }

  private void cancelSource() {
    if (world.isLockFree(worker.source) || world.shards[worker.source].lockedBy == mover.w) {
      mover.onShard(
          "ends capture",
          worker.source,
          (next, self, shard) -> {
            shard.captured = false;
            shard.notes = 0;
            shard.lockedBy = Shard.NOBODY;
            if (shard.fence == Fence.CLOSED && !mover.is(Mutation.CANCEL_LEAVES_CLOSED)) {
              shard.fence = Fence.OPEN;
            }
            self.at = At.CANCEL_TARGET;
          });
    }
  }

  private void cancelTarget() {
    mover.onShard(
        "removes what was copied",
        worker.target,
        (next, self, shard) -> {
          Arrays.fill(shard.rows, 0);
          shard.copied = 0;
          shard.fence = Fence.AWAY;
          shard.foreign = false;
          self.at = At.END;
        });
  }

  private void end() {
    mover.onCatalog(
        "ends the move",
        (next, self) -> {
          Catalog move = next.catalog;
          move.setState(
              switch (move.state) {
                case CANCELLING -> MoveState.CANCELLED;
                case CLEANING_BACK -> MoveState.ROLLED_BACK;
                default -> MoveState.DONE;
              });
          next.checkEnd();
          next.stopWorker(mover.w);
          planNext(next);
        });
  }

  private void planNext(World next) {
    Catalog move = next.catalog;
    if (move.move + 1 == next.scenario.targets().size()) {
      return;
    }
    int target = next.scenario.targets().get(move.move + 1);
    if (target == move.owner) {
      return;
    }
    move.move++;
    move.leases = 0;
    move.source = move.owner;
    move.target = target;
    move.state = MoveState.PLANNED;
    if (mover.is(Mutation.EPOCHS_OF_EACH_MOVE_BEGIN_AT_1)) {
      move.epoch = 0;
    }
  }
}
