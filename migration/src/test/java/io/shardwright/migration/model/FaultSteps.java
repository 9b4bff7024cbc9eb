package io.shardwright.migration.model;

import io.shardwright.testkit.StateSearch.Step;
import java.util.List;
import java.util.function.Consumer;

/** What need not happen: crashes, lost sessions, fail-over, late commits, maps of other moves. */
final class FaultSteps {
  private final Mutation mutation;
  private final World world;
  private final Scenario.Faults faults;
  private final List<Step<World>> steps;

  FaultSteps(Mutation mutation, World world, List<Step<World>> steps) {
    this.mutation = mutation;
    this.world = world;
    this.faults = world.scenario.faults();
    this.steps = steps;
  }

  private void add(String name, Consumer<World> change) {
    World next = world.copy();
    change.accept(next);
    steps.add(new Step<>(name, next, true));
  }

  void find() {
    for (int w = 0; w < world.workers.length; w++) {
      int worker = w;
      if (world.workers[w].at != Worker.At.IDLE
          && world.catalog.leases < world.scenario.leasesMax()) {
        add("M" + (w + 1) + " dies", next -> next.stopWorker(worker));
      }
    }
    for (int s = 0; s < world.shards.length; s++) {
      onShard(s);
    }
    Catalog catalog = world.catalog;
    if (catalog.pendingEpoch != 0 && commits(catalog)) {
      add(
          "the commit under way is done",
          next -> {
            next.catalog.publish(catalog.pendingOwner);
            next.catalog.clearPending();
          });
    }
    if (world.othersLeft > 0 && !world.movesHaveEnded()) {
      add(
          "another move publishes a map",
          next -> {
            next.othersLeft--;
            next.catalog.mapVersion++;
            next.catalog.stateVersion++;
          });
    }
  }

  private boolean commits(Catalog catalog) {
    boolean sameIntent =
        catalog.intent != 0
            && !catalog.published
            && (catalog.pendingIsCurrent || mutation == Mutation.INTENT_WITHOUT_ATTEMPT);
    return (catalog.epoch == catalog.pendingEpoch || mutation == Mutation.COMMIT_WITHOUT_EPOCH)
        && (sameIntent
            || (mutation == Mutation.COMMIT_WITHOUT_INTENT
                && catalog.owner != catalog.pendingOwner));
  }

  private void onShard(int s) {
    Shard shard = world.shards[s];
    String name = World.shardName(s);
    if (faults.restarts() && (shard.lockedBy != Shard.NOBODY || isUsed(s))) {
      add(name + " restarts", next -> next.endSessions(s));
    }
    if (shard.replica == null || world.movesHaveEnded()) {
      return;
    }
    if (!shard.isReplicated() && world.failOversLeft > 0) {
      add(name + "'s replica catches up", next -> replicate(next.shards[s]));
    }
    if (world.failOversLeft > 0) {
      add(
          name + (shard.isReplicated() ? " fails over" : " fails over to what it was"),
          next -> failOver(next, s));
    }
  }

  private boolean isUsed(int s) {
    for (Writer writer : world.writers) {
      if (writer.at != Writer.At.IDLE && writer.shard == s) {
        return true;
      }
    }
    return false;
  }

  static void replicate(Shard shard) {
    shard.replica.setDurable(shard);
    shard.replica.opened = shard.opened.clone();
  }

  /** Writes that only the old server had are lost, which is not the mover's fault. */
  private static void failOver(World next, int s) {
    next.failOversLeft--;
    next.endSessions(s);
    Shard shard = next.shards[s];
    shard.setDurable(shard.replica);
    shard.server++;
    for (Shard each : next.shards) {
      each.replica = null;
    }
    if (next.catalog.owner != s) {
      return;
    }
    for (int r = 0; r < next.acknowledged.length; r++) {
      int kept = Math.max(shard.rows[r], shard.opened[r]);
      next.acknowledged[r] = Math.min(next.acknowledged[r], kept);
      for (Router router : next.routers) {
        router.floor = Math.min(router.floor, r == 0 ? kept : router.floor);
      }
    }
  }
}
