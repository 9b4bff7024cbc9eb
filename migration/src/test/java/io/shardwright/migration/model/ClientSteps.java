package io.shardwright.migration.model;

import io.shardwright.migration.model.Shard.Fence;
import io.shardwright.testkit.StateSearch.Step;
import java.util.List;

/**
 * What a writer can do next, on any shard: the fence alone judges it. A statement takes the shared
 * lock, which waits while a mover has it, and reads the fence row, which is one step since nothing
 * that it reads changes while it has the lock.
 */
final class ClientSteps {
  private final Mutation mutation;
  private final World world;
  private final int w;
  private final Writer writer;
  private final Scenario.Client client;
  private final List<Step<World>> steps;

  ClientSteps(Mutation mutation, World world, int w, List<Step<World>> steps) {
    this.mutation = mutation;
    this.world = world;
    this.w = w;
    this.writer = world.writers[w];
    this.client = world.scenario.writers().get(w);
    this.steps = steps;
  }

  private interface Change {
    void apply(World next, Writer self);
  }

  private void add(String name, boolean isFault, Change change) {
    World next = world.copy();
    change.apply(next, next.writers[w]);
    steps.add(new Step<>("W" + (w + 1) + " " + name, next, isFault));
  }

  void find() {
    if (writer.at == Writer.At.IDLE && writer.commitsLeft > 0) {
      for (int s = 0; s < world.shards.length; s++) {
        begin(s);
      }
    } else if (writer.at == Writer.At.BEGUN) {
      statements(writer.shard);
    } else if (writer.at == Writer.At.WRITTEN) {
      if (writer.statements < client.statements()) {
        statements(writer.shard);
      }
      add("commits on " + World.shardName(writer.shard), false, this::commit);
    }
    if (writer.at != Writer.At.IDLE) {
      add("rolls back", writer.at == Writer.At.WRITTEN, (next, self) -> self.end());
    }
  }

  private void begin(int s) {
    if (!client.snapshot()) {
      statements(s);
      return;
    }
    add(
        "takes its snapshot on " + World.shardName(s),
        false,
        (next, self) -> {
          self.at = Writer.At.BEGUN;
          self.shard = s;
          self.sawOpen = isOpen(next.shards[s]);
          self.sawCaptured = next.shards[s].captured;
        });
  }

  private boolean isOpen(Shard shard) {
    return shard.fence == Fence.OPEN
        && (shard.isReconciled() || mutation == Mutation.WRITERS_IGNORE_INCARNATION);
  }

  private void statements(int s) {
    Shard shard = world.shards[s];
    if (shard.lockedBy != Shard.NOBODY) {
      return;
    }
    boolean inSnapshot = client.snapshot() && mutation == Mutation.FENCE_READ_IN_OLD_SNAPSHOT;
    boolean open = inSnapshot ? writer.sawOpen : isOpen(shard);
    boolean refused = writer.at != Writer.At.WRITTEN && !open;
    boolean serialization = client.snapshot() && writer.fenceChanged && !inSnapshot;
    for (int r = 0; r < world.scenario.rows(); r++) {
      if (refused || serialization || (writer.changed & 1 << r) != 0 || isRowLocked(s, r)) {
        continue;
      }
      int row = r;
      boolean noted = inSnapshot ? writer.sawCaptured : shard.captured;
      add(
          "writes row " + r + " on " + World.shardName(s) + (noted ? " with a note" : ""),
          false,
          (next, self) -> {
            self.at = Writer.At.WRITTEN;
            self.shard = s;
            self.statements++;
            self.rows |= 1 << row;
            self.noted |= noted ? 1 << row : 0;
          });
    }
  }

  private boolean isRowLocked(int s, int r) {
    for (Writer other : world.writers) {
      if (other.at == Writer.At.WRITTEN && other.shard == s && (other.rows & 1 << r) != 0) {
        return true;
      }
    }
    return false;
  }

  private void commit(World next, Writer self) {
    Shard shard = next.shards[self.shard];
    if (shard.fence == Fence.CLOSED) {
      next.wrong = "a write is acknowledged while the bucket is closed";
    }
    for (int r = 0; r < next.scenario.rows(); r++) {
      if ((self.rows & 1 << r) != 0) {
        int change = ++next.changes[r];
        shard.rows[r] = change;
        shard.notes |= (self.noted & 1 << r) != 0 ? World.noteBit(r, change) : 0;
        next.acknowledged[r] = change;
      }
    }
    for (Writer other : next.writers) {
      if (other.at == Writer.At.BEGUN && other.shard == self.shard) {
        other.changed |= self.rows;
      }
    }
    self.commitsLeft--;
    self.end();
  }
}
