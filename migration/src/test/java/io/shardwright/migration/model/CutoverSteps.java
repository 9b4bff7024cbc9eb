package io.shardwright.migration.model;

import io.shardwright.catalog.MoveState;
import io.shardwright.migration.model.Shard.Fence;
import io.shardwright.migration.model.Worker.At;

/** Steps 7 to 13: close, last pass, the commit, open; and the way out before the commit. */
final class CutoverSteps {
  private final Mover mover;
  private final World world;
  private final Worker worker;
  private final Catalog catalog;

  CutoverSteps(Mover mover) {
    this.mover = mover;
    this.world = mover.world;
    this.worker = mover.worker;
    this.catalog = mover.catalog;
  }

  void find() {
    switch (worker.at) {
      case INTENT -> intent();
      case LOCK -> lock();
      case CLOSE -> close();
      case LAST_SNAPSHOT -> lastSnapshot();
      case LAST_APPLY -> lastApply();
      case CONFIRM -> confirm();
      case COMMIT -> commit();
      case RETIRE -> retire();
      case OPEN -> open();
      case COUNT -> count();
      case ABORT -> abort();
      default -> reopen();
    }
  }

  private void intent() {
    mover.onCatalog(
        "states the intent",
        (next, self) -> {
          next.catalog.setIntent(next.catalog.mapVersion + 1);
          self.at = mover.is(Mutation.LAST_SNAPSHOT_BEFORE_CLOSE) ? At.LAST_SNAPSHOT : At.LOCK;
        });
    mover.cancel();
  }

  private void lock() {
    if (mover.is(Mutation.CLOSE_WITHOUT_BARRIER)) {
      mover.step("takes no lock", (next, self) -> self.at = At.CLOSE);
    } else if (world.isLockFree(worker.source)) {
      mover.onShard(
          "takes the lock",
          worker.source,
          (next, self, shard) -> {
            shard.lockedBy = mover.w;
            self.at = At.CLOSE;
          });
    }
    mover.step("gives the cutover up", (next, self) -> self.at = At.ABORT);
  }

  private void close() {
    boolean hasLock =
        world.shards[worker.source].lockedBy == mover.w
            || mover.is(Mutation.CLOSE_WITHOUT_BARRIER)
            || mover.is(Mutation.CLOSE_IN_ANOTHER_SESSION);
    if (!hasLock) {
      mover.step("has lost the session with the lock", (next, self) -> self.at = At.ABORT);
      return;
    }
    mover.onShard(
        "closes",
        worker.source,
        (next, self, shard) -> {
          shard.fence = Fence.CLOSED;
          self.at =
              switch (mover.mutation) {
                case LAST_PASS_BEFORE_CLOSE -> At.COMMIT;
                case LAST_SNAPSHOT_BEFORE_CLOSE -> At.LAST_APPLY;
                default -> At.LAST_SNAPSHOT;
              };
        });
  }

  private void lastSnapshot() {
    mover.onShard(
        "takes the last snapshot",
        worker.source,
        (next, self, shard) -> {
          self.snapshot = shard.rows.clone();
          self.snapshotNotes = shard.notes;
          self.at = mover.is(Mutation.LAST_SNAPSHOT_BEFORE_CLOSE) ? At.LOCK : At.LAST_APPLY;
        });
  }

  private void lastApply() {
    mover.onShard(
        "applies the last notes",
        worker.target,
        (next, self, shard) -> {
          new CopySteps(mover).apply(next, self, shard, true);
          self.forgetSnapshot();
          boolean confirms = shard.replica != null && !mover.is(Mutation.COMMIT_WITHOUT_REPLICAS);
          self.at = confirms ? At.CONFIRM : At.COMMIT;
        });
  }

  /** The replicas of both shards have all of it. */
  private void confirm() {
    mover.onShard(
        "waits for the target's replica",
        worker.target,
        (next, self, shard) -> {
          if (shard.replica != null) {
            FaultSteps.replicate(shard);
          }
          self.at = At.COMMIT;
        });
  }

  /** May be repeated: it finds what an earlier call has done. */
  private void commit() {
    boolean mayCommit =
        (catalog.epoch == worker.epoch || mover.is(Mutation.COMMIT_WITHOUT_EPOCH))
            && ((catalog.intent != 0 && !catalog.published)
                || (mover.is(Mutation.COMMIT_WITHOUT_INTENT) && catalog.owner != worker.target));
    if (mayCommit) {
      mover.step(
          "commits the map",
          (next, self) -> {
            next.catalog.publish(self.target);
            self.version = next.catalog.ownedSince;
            self.at = afterCommit();
          });
    } else {
      mover.step("asks what became of the commit", (next, self) -> self.at = At.DECIDE);
    }
    if (world.scenario.faults().unknown() && catalog.pendingEpoch == 0) {
      mover.add(
          "sends the commit and gets no answer",
          true,
          (next, self) -> {
            next.catalog.pendingEpoch = self.epoch;
            next.catalog.pendingOwner = self.target;
            next.catalog.pendingIsCurrent = next.catalog.intent != 0;
            self.at = mover.is(Mutation.UNKNOWN_OUTCOME_IS_FAILURE) ? At.REOPEN : At.COMMIT;
          });
    }
    mover.step("gives the cutover up", (next, self) -> self.at = At.ABORT);
  }

  private At afterCommit() {
    return mover.is(Mutation.OPEN_BEFORE_AWAY) ? At.OPEN : At.RETIRE;
  }

  private void retire() {
    if (mover.is(Mutation.AWAY_NOT_WRITTEN)) {
      mover.step("writes no away", (next, self) -> self.at = At.OPEN);
      return;
    }
    mover.onShard(
        "retires",
        worker.source,
        (next, self, shard) -> {
          shard.fence = Fence.AWAY;
          shard.epoch = self.version;
          shard.foreign = true;
          unlock(shard);
          self.at = mover.is(Mutation.OPEN_BEFORE_AWAY) ? At.COUNT : At.OPEN;
        });
  }

  private void unlock(Shard shard) {
    if (shard.lockedBy == mover.w) {
      shard.lockedBy = Shard.NOBODY;
    }
  }

  private void open() {
    mover.onShard(
        "opens",
        worker.target,
        (next, self, shard) -> {
          if (shard.fence != Fence.OPEN) {
            shard.fence = Fence.OPEN;
            shard.epoch = self.version;
            shard.captured = !self.back;
            shard.foreign = false;
            shard.opened = shard.rows.clone();
          }
          self.at = mover.is(Mutation.OPEN_BEFORE_AWAY) ? At.RETIRE : At.COUNT;
        });
  }

  private void count() {
    mover.onCatalog(
        "counts the batch",
        (next, self) -> {
          next.catalog.setIntent(0);
          next.catalog.published = false;
          next.catalog.setState(self.back ? MoveState.CLEANING_BACK : MoveState.SWITCHED);
          self.at = self.back ? At.CLEAN_ROWS : At.SWITCHED;
        });
  }

  /** Before the source is reopened; not once the map is published, which it waits to know. */
  private void abort() {
    if (mover.is(Mutation.ABORT_NOT_RECORDED)) {
      mover.step("gives up", (next, self) -> self.at = At.REOPEN);
      return;
    }
    boolean published = catalog.published && !mover.is(Mutation.ABORT_AFTER_PUBLISHING);
    if (published && worker.epoch == catalog.epoch) {
      mover.step("cannot give up: the map is published", (next, self) -> self.at = At.DECIDE);
      return;
    }
    mover.onCatalog(
        "gives the intent up",
        (next, self) -> {
          next.catalog.setIntent(0);
          next.catalog.published = false;
          self.at = At.REOPEN;
        });
  }

  private void reopen() {
    mover.onShard(
        "reopens",
        worker.source,
        (next, self, shard) -> {
          if (shard.fence == Fence.CLOSED) {
            shard.fence = Fence.OPEN;
          }
          unlock(shard);
          self.version = 0;
          self.at = next.catalog.state == MoveState.COPYING ? At.DECIDE : At.INTENT;
        });
  }
}
