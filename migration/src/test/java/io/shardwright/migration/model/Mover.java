package io.shardwright.migration.model;

import io.shardwright.catalog.MoveState;
import io.shardwright.testkit.StateSearch.Step;
import java.util.List;

/** One worker in one state, and the three kinds of steps that it has. */
final class Mover {
  final Mutation mutation;
  final World world;
  final int w;
  final Worker worker;
  final Catalog catalog;
  private final List<Step<World>> steps;

  Mover(Mutation mutation, World world, int w, List<Step<World>> steps) {
    this.mutation = mutation;
    this.world = world;
    this.w = w;
    this.worker = world.workers[w];
    this.catalog = world.catalog;
    this.steps = steps;
  }

  interface Change {
    void apply(World next, Worker self);
  }

  interface ShardChange {
    void apply(World next, Worker self, Shard shard);
  }

  boolean is(Mutation asked) {
    return mutation == asked;
  }

  /** Of a worker whose lease another has: it may sleep for ever, so nothing may wait for it. */
  boolean hasLostItsLease() {
    return worker.at != Worker.At.IDLE && worker.epoch != catalog.epoch;
  }

  void step(String name, Change change) {
    add(name, hasLostItsLease(), change);
  }

  void add(String name, boolean isFault, Change change) {
    World next = world.copy();
    change.apply(next, next.workers[w]);
    steps.add(new Step<>("M" + (w + 1) + " " + name, next, isFault));
  }

  /** A transaction on a shard, which begins with its token and its server. */
  void onShard(String name, int s, ShardChange change) {
    Shard shard = world.shards[s];
    String named = name + " on " + World.shardName(s);
    boolean ignoresServer = is(Mutation.MOVER_IGNORES_INCARNATION);
    if (!shard.isReconciled() && !ignoresServer) {
      step(named + ": another server", (next, self) -> self.at = Worker.At.RECONCILE);
    } else if (!hasToken(shard)) {
      step(named + ": not its token", (next, self) -> next.stopWorker(w));
    } else {
      withoutToken(named, s, change);
    }
  }

  private boolean hasToken(Shard shard) {
    return shard.token == worker.epoch
        || is(Mutation.NO_TOKEN_CHECKS)
        || (is(Mutation.TAKE_OVER_WITHOUT_TOKENS) && shard.token <= worker.epoch);
  }

  void withoutToken(String name, int s, ShardChange change) {
    step(
        name,
        (next, self) -> {
          Shard shard = next.shards[s];
          Shard.Fence before = shard.fence;
          boolean captured = shard.captured;
          change.apply(next, self, shard);
          if (shard.fence != before || shard.captured != captured) {
            next.fenceChanged(s);
          }
        });
  }

  /** A change of the move's row where the epoch is its own; its answer may be lost. */
  void onCatalog(String name, Change change) {
    if (worker.epoch != catalog.epoch) {
      step(name + ": not its epoch", (next, self) -> next.stopWorker(w));
      return;
    }
    step(name, change);
    if (world.scenario.faults().unknown()) {
      add(
          name + " (done, its answer is lost)",
          true,
          (next, self) -> {
            change.apply(next, self);
            if (self.at != Worker.At.IDLE) {
              self.at = Worker.At.DECIDE;
            }
          });
    }
  }

  boolean mayCancel() {
    return world.scenario.faults().cancels()
        && catalog.intent == 0
        && catalog.state.compareTo(MoveState.CUTOVER) <= 0;
  }

  void cancel() {
    if (mayCancel() && worker.epoch == catalog.epoch) {
      onCatalog(
          "cancels",
          (next, self) -> {
            next.catalog.setState(MoveState.CANCELLING);
            self.forgetSnapshot();
            self.at = Worker.At.CANCEL_SOURCE;
          });
    }
  }

  boolean leasesHaveSeen() {
    for (Router router : world.routers) {
      if (router.live
          && router.at != Router.At.ENDED
          && router.stateVersion < catalog.announcedAt) {
        return false;
      }
    }
    return true;
  }
}
