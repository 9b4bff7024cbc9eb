package io.shardwright.migration.model;

import io.shardwright.migration.model.Shard.Fence;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** One state of the model of moves. Never changed once it is a step's result. */
final class World {
  private static final int BYTES_MAX = 256;

  final Scenario scenario;
  Shard[] shards;
  Catalog catalog = new Catalog();
  Worker[] workers;
  Writer[] writers;
  Router[] routers;
  int othersLeft;
  int failOversLeft;

  /** For the check alone: changes of each row that were committed, and acknowledged ones. */
  int[] changes;

  int[] acknowledged;

  /** What a step did wrong. */
  String wrong;

  private World(Scenario scenario) {
    this.scenario = scenario;
  }

  static World begin(Scenario scenario) {
    World world = new World(scenario);
    world.shards = new Shard[scenario.shards()];
    for (int s = 0; s < world.shards.length; s++) {
      world.shards[s] = new Shard(scenario.rows());
    }
    world.changes = new int[scenario.rows()];
    Arrays.fill(world.changes, 1);
    world.acknowledged = world.changes.clone();
    world.shards[0].fence = Fence.OPEN;
    world.shards[0].rows = world.changes.clone();
    world.shards[0].opened = world.changes.clone();
    world.othersLeft = scenario.faults().others();
    world.failOversLeft = Math.min(1, scenario.faults().failing());
    for (int s = 0; s < scenario.faults().failing(); s++) {
      world.shards[s].replica = world.shards[s].copy();
    }
    world.workers = new Worker[Math.min(2, scenario.leasesMax())];
    Arrays.setAll(world.workers, w -> new Worker(scenario.rows()));
    world.writers = new Writer[scenario.writers().size()];
    for (int w = 0; w < world.writers.length; w++) {
      world.writers[w] = new Writer();
      world.writers[w].commitsLeft = scenario.writers().get(w).commits();
    }
    world.routers = new Router[scenario.routers().size()];
    Arrays.setAll(world.routers, r -> new Router(scenario.shards()));
    world.catalog.target = scenario.targets().get(0);
    return world;
  }

  World copy() {
    World copy = new World(scenario);
    copy.shards = shards.clone();
    Arrays.setAll(copy.shards, s -> shards[s].copy());
    copy.catalog = catalog.copy();
    copy.workers = workers.clone();
    Arrays.setAll(copy.workers, w -> workers[w].copy());
    copy.writers = writers.clone();
    Arrays.setAll(copy.writers, w -> writers[w].copy());
    copy.routers = routers.clone();
    Arrays.setAll(copy.routers, r -> routers[r].copy());
    copy.othersLeft = othersLeft;
    copy.failOversLeft = failOversLeft;
    copy.changes = changes.clone();
    copy.acknowledged = acknowledged.clone();
    copy.wrong = wrong;
    return copy;
  }

  byte[] encode() {
    ByteBuffer to = ByteBuffer.allocate(BYTES_MAX);
    for (Shard shard : shards) {
      shard.encode(to);
    }
    catalog.encode(to);
    for (Worker worker : workers) {
      worker.encode(to);
    }
    for (Writer writer : writers) {
      writer.encode(to);
    }
    for (Router router : routers) {
      router.encode(to);
    }
    to.put((byte) (othersLeft << 4 | failOversLeft)).put((byte) (wrong == null ? 0 : 1));
    for (int r = 0; r < changes.length; r++) {
      to.put((byte) (changes[r] << 4 | acknowledged[r]));
    }
    return Arrays.copyOf(to.array(), to.position());
  }

  static String shardName(int shard) {
    return String.valueOf((char) ('A' + shard));
  }

  int allRows() {
    return (1 << scenario.rows()) - 1;
  }

  static int noteBit(int row, int change) {
    return 1 << (row * 4 + change % 4);
  }

  boolean isNoted(int notes, int row) {
    return ((notes >> (row * 4)) & 15) != 0;
  }

  /** Whether a transaction holds the shared lock. */
  boolean isWritten(int shard) {
    for (Writer writer : writers) {
      if (writer.at == Writer.At.WRITTEN && writer.shard == shard) {
        return true;
      }
    }
    return false;
  }

  boolean isLockFree(int shard) {
    return shards[shard].lockedBy == Shard.NOBODY && !isWritten(shard);
  }

  void fenceChanged(int shard) {
    for (Writer writer : writers) {
      if (writer.at == Writer.At.BEGUN && writer.shard == shard) {
        writer.fenceChanged = true;
      }
    }
  }

  void endSessions(int shard) {
    shards[shard].lockedBy = Shard.NOBODY;
    for (Writer writer : writers) {
      if (writer.at != Writer.At.IDLE && writer.shard == shard) {
        writer.end();
      }
    }
  }

  void stopWorker(int worker) {
    for (Shard shard : shards) {
      if (shard.lockedBy == worker) {
        shard.lockedBy = Shard.NOBODY;
      }
    }
    workers[worker].stop();
  }

  boolean movesHaveEnded() {
    return catalog.state.hasEnded();
  }

  /** Null when the state is right. */
  String violation() {
    if (wrong != null) {
      return wrong;
    }
    int open = 0;
    int withRows = 0;
    for (Shard shard : shards) {
      open += shard.fence == Fence.OPEN && shard.isReconciled() ? 1 : 0;
      withRows += shard.hasRows() && shard.isReconciled() ? 1 : 0;
    }
    if (open > 1) {
      return "two shards are open";
    }
    for (int r = 0; r < acknowledged.length; r++) {
      if (shards[catalog.owner].rows[r] < acknowledged[r]) {
        return "the owner has lost an acknowledged write";
      }
    }
    if (withRows > 1 && !catalog.state.isAnnounced()) {
      return "rows are on two shards and not announced";
    }
    return null;
  }

  /** What a move that has ended may not leave. */
  void checkEnd() {
    for (int s = 0; s < shards.length; s++) {
      Shard shard = shards[s];
      boolean isOwner = s == catalog.owner;
      if (!shard.isReconciled()) {
        // Reconciled by nobody that is in the model.
      } else if (shard.fence != (isOwner ? Fence.OPEN : Fence.AWAY)) {
        wrong = "the move has ended and " + shardName(s) + " is " + shard.fence;
      } else if (shard.captured || shard.notes != 0 || shard.foreign || shard.copied != 0) {
        wrong = "the move has ended and " + shardName(s) + " has something left";
      } else if (!isOwner && shard.hasRows()) {
        wrong = "the move has ended and " + shardName(s) + " has rows left";
      }
    }
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(catalog.toString());
    for (int s = 0; s < shards.length; s++) {
      text.append(" | ").append(shardName(s)).append(' ').append(shards[s]);
    }
    return text.toString();
  }
}
