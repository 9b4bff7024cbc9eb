package io.shardwright.migration.model;

import io.shardwright.catalog.MoveState;
import io.shardwright.migration.model.Shard.Fence;
import io.shardwright.migration.model.Worker.At;
import io.shardwright.testkit.StateSearch.Step;
import java.util.Arrays;
import java.util.List;

/**
 * What one worker can do next: take-over and decisions here, the rest by its step. A step is one
 * transaction on one shard or in the catalog; between two of them the worker may stop for any time.
 */
final class MoverSteps {
  private final Mover mover;
  private final Mutation mutation;
  private final World world;
  private final int w;
  private final Worker worker;
  private final Catalog catalog;

  MoverSteps(Mutation mutation, World world, int w, List<Step<World>> steps) {
    this.mover = new Mover(mutation, world, w, steps);
    this.mutation = mutation;
    this.world = world;
    this.w = w;
    this.worker = world.workers[w];
    this.catalog = world.catalog;
  }

  void find() {
    switch (worker.at) {
      case IDLE -> takeOver();
      case TOKEN_SOURCE -> writeToken(worker.source, At.TOKEN_TARGET);
      case TOKEN_TARGET -> writeToken(worker.target, At.DECIDE);
      case DECIDE -> decide();
      case RECONCILE -> reconcile();
      case ANNOUNCE, WAIT_FOR_LEASES, INCOMING, CAPTURE, SNAPSHOT, APPLY, DELETE_NOTES, ADVANCE ->
          new CopySteps(mover).find();
      case INTENT,
          LOCK,
          CLOSE,
          LAST_SNAPSHOT,
          LAST_APPLY,
          CONFIRM,
          COMMIT,
          RETIRE,
          OPEN,
          COUNT,
          ABORT,
          REOPEN ->
          new CutoverSteps(mover).find();
      case SWITCHED, CLEAN_ROWS, CLEAN_OLD, CLEAN_NEW, END, CANCEL_SOURCE, CANCEL_TARGET ->
          new EndSteps(mover).find();
    }
  }

  private void takeOver() {
    if (world.movesHaveEnded() || catalog.leases >= world.scenario.leasesMax()) {
      return;
    }
    mover.step(
        catalog.leases == 0 ? "takes the lease" : "takes the lease over",
        (next, self) -> {
          Catalog move = next.catalog;
          move.leases++;
          move.epoch++;
          self.epoch = move.epoch;
          self.back = move.isBack();
          self.source = self.back ? move.target : move.source;
          self.target = self.back ? move.source : move.target;
          self.at = At.TOKEN_SOURCE;
          if (mutation == Mutation.TAKE_OVER_WITHOUT_TOKENS) {
            self.at = At.DECIDE;
            next.shards[self.source].lockedBy = Shard.NOBODY;
          }
        });
  }

  /** Ends the sessions of workers before it and lets none of theirs do anything more. */
  private void writeToken(int s, At then) {
    Shard shard = world.shards[s];
    if (!shard.isReconciled() && mutation != Mutation.MOVER_IGNORES_INCARNATION) {
      mover.step("meets another server", (next, self) -> self.at = At.RECONCILE);
    } else if (shard.token > worker.epoch) {
      mover.step("meets a greater token", (next, self) -> next.stopWorker(w));
    } else if (shard.token == worker.epoch && mutation == Mutation.EPOCHS_OF_EACH_MOVE_BEGIN_AT_1) {
      mover.step("has its token there already", (next, self) -> self.at = then);
    } else {
      mover.step(
          "writes its token on " + World.shardName(s),
          (next, self) -> {
            next.shards[s].token = self.epoch;
            if (mutation != Mutation.TAKE_OVER_LEAVES_SESSIONS && shard.lockedBy != w) {
              next.shards[s].lockedBy = Shard.NOBODY;
            }
            next.fenceChanged(s);
            self.at = then;
          });
    }
  }

  private void decide() {
    if (worker.epoch != catalog.epoch) {
      mover.step("has lost its lease", (next, self) -> next.stopWorker(w));
      return;
    }
    mover.step(
        "reads that the move is " + catalog.state,
        (next, self) -> {
          self.forgetSnapshot();
          self.version = catalog.published ? catalog.ownedSince : 0;
          self.back = catalog.isBack();
          self.source = self.back ? catalog.target : catalog.source;
          self.target = self.back ? catalog.source : catalog.target;
          self.at = next(self);
        });
    mover.cancel();
  }

  private At next(Worker self) {
    Shard source = world.shards[self.source];
    Shard target = world.shards[self.target];
    return switch (catalog.state) {
      case PLANNED -> mutation == Mutation.ANNOUNCE_AFTER_FIRST_COPY ? At.INCOMING : At.ANNOUNCE;
      case COPYING -> {
        if (source.fence == Fence.CLOSED || source.lockedBy == w) {
          yield At.REOPEN;
        }
        boolean begun = source.captured && target.fence == Fence.INCOMING;
        yield begun ? At.SNAPSHOT : At.WAIT_FOR_LEASES;
      }
      case CATCHING_UP, VERIFYING -> At.SNAPSHOT;
      case CUTOVER, ROLLING_BACK -> inCutover(self);
      case SWITCHED -> At.SWITCHED;
      case CLEANING, CLEANING_BACK -> At.CLEAN_ROWS;
      case CANCELLING -> At.CANCEL_SOURCE;
      case ABANDONED, DONE, CANCELLED, ROLLED_BACK -> At.IDLE;
    };
  }

  private At inCutover(Worker self) {
    boolean published =
        mutation == Mutation.DECIDES_BY_VERSION
            ? catalog.intent != 0 && catalog.mapVersion >= catalog.intent
            : catalog.published;
    if (published) {
      return mutation == Mutation.OPEN_BEFORE_AWAY ? At.OPEN : At.RETIRE;
    }
    if (catalog.intent != 0) {
      return At.ABORT;
    }
    return self.back && world.shards[self.target].fence == Fence.AWAY ? At.INCOMING : At.REOPEN;
  }

  /** A server that was promoted gets what the catalog says; what was copied counts no more. */
  private void reconcile() {
    if (worker.epoch != catalog.epoch) {
      mover.step("has lost its lease", (next, self) -> next.stopWorker(w));
      return;
    }
    boolean copies =
        catalog.owner == catalog.source
            && !catalog.published
            && catalog.state.compareTo(MoveState.COPYING) > 0
            && catalog.state.compareTo(MoveState.CUTOVER) <= 0;
    if (copies && mutation != Mutation.FAIL_OVER_KEEPS_COPY) {
      mover.onCatalog(
          "goes back to COPYING",
          (next, self) -> {
            next.catalog.setIntent(0);
            next.catalog.setState(MoveState.COPYING);
            self.forgetSnapshot();
          });
      return;
    }
    mover.step(
        "reconciles the new server",
        (next, self) -> {
          for (int s = 0; s < next.shards.length; s++) {
            if (!next.shards[s].isReconciled()) {
              reconcile(next, self, s);
            }
          }
          self.forgetSnapshot();
          self.at = At.TOKEN_SOURCE;
        });
  }

  private void reconcile(World next, Worker self, int s) {
    Shard shard = next.shards[s];
    shard.incarnation = shard.server;
    shard.token = self.epoch;
    next.fenceChanged(s);
    if (mutation == Mutation.FAIL_OVER_KEEPS_COPY) {
      return;
    }
    boolean switching = catalog.published && catalog.intent != 0;
    if (s == catalog.owner && !switching) {
      shard.fence = Fence.OPEN;
      shard.epoch = catalog.ownedSince;
      if (catalog.owner == catalog.source) {
        shard.captured = false;
        shard.notes = 0;
      }
    } else if (s == catalog.owner) {
      shard.fence = shard.fence == Fence.OPEN ? Fence.OPEN : Fence.INCOMING;
    } else if (catalog.owner != catalog.source) {
      shard.fence = Fence.AWAY;
      shard.epoch = catalog.ownedSince;
      shard.foreign = true;
    } else {
      shard.fence = Fence.AWAY;
      Arrays.fill(shard.rows, 0);
      shard.copied = 0;
    }
  }
}
