package io.shardwright.migration.model;

import io.shardwright.catalog.MoveState;
import io.shardwright.migration.model.Shard.Fence;
import io.shardwright.migration.model.Worker.At;
import java.util.Arrays;

/** Steps 1 to 6: announce, capture, copy, catch up. */
final class CopySteps {
  private final Mover mover;
  private final World world;
  private final Worker worker;
  private final Catalog catalog;

  CopySteps(Mover mover) {
    this.mover = mover;
    this.world = mover.world;
    this.worker = mover.worker;
    this.catalog = mover.catalog;
  }

  void find() {
    switch (worker.at) {
      case ANNOUNCE ->
          mover.onCatalog(
              "announces",
              (next, self) -> {
                next.catalog.setState(MoveState.COPYING);
                self.at = At.WAIT_FOR_LEASES;
              });
      case WAIT_FOR_LEASES -> waitForLeases();
      case INCOMING -> incoming();
      case CAPTURE -> capture();
      case SNAPSHOT -> snapshot();
      case APPLY -> apply();
      case DELETE_NOTES -> deleteNotes();
      default -> advance();
    }
  }

  private void waitForLeases() {
    if (mover.leasesHaveSeen() || mover.is(Mutation.ANNOUNCE_WITHOUT_WAIT)) {
      At then = mover.is(Mutation.ANNOUNCE_AFTER_FIRST_COPY) ? At.ADVANCE : At.INCOMING;
      mover.step("has waited for all leases", (next, self) -> self.at = then);
    }
    mover.cancel();
  }

  private void incoming() {
    mover.onShard(
        "makes ready to copy",
        worker.target,
        (next, self, shard) -> {
          shard.fence = Fence.INCOMING;
          shard.foreign = true;
          if (self.back) {
            shard.copied = next.allRows();
          } else {
            Arrays.fill(shard.rows, 0);
            shard.copied = 0;
          }
          self.at = self.back ? At.SNAPSHOT : At.CAPTURE;
        });
  }

  private void capture() {
    if (world.isLockFree(worker.source) || mover.is(Mutation.CAPTURE_WITHOUT_BARRIER)) {
      mover.onShard(
          "captures",
          worker.source,
          (next, self, shard) -> {
            shard.captured = true;
            self.at = At.SNAPSHOT;
          });
    }
  }

  private void snapshot() {
    mover.onShard(
        "takes a snapshot",
        worker.source,
        (next, self, shard) -> {
          self.snapshot = shard.rows.clone();
          self.snapshotNotes = shard.notes;
          boolean early = shard.notes != 0 && mover.is(Mutation.NOTES_DELETED_BEFORE_APPLIED);
          self.at = early ? At.DELETE_NOTES : At.APPLY;
        });
    mover.cancel();
  }

  private void apply() {
    Mover.ShardChange change =
        (next, self, shard) -> {
          apply(next, self, shard, !mover.is(Mutation.COPY_WITHOUT_NOTES));
          self.at = afterApply(next, self, shard);
        };
    if (mover.is(Mutation.APPLY_WITHOUT_TOKEN)) {
      mover.withoutToken("applies", worker.target, change);
    } else {
      mover.onShard("applies", worker.target, change);
    }
  }

  private At afterApply(World next, Worker self, Shard shard) {
    if (self.snapshotNotes != 0 && !mover.is(Mutation.NOTES_DELETED_BEFORE_APPLIED)) {
      return At.DELETE_NOTES;
    }
    self.forgetSnapshot();
    return shard.copied == next.allRows() ? At.ADVANCE : At.SNAPSHOT;
  }

  /** The notes within what is copied, and one row more, as the snapshot shows them. */
  void apply(World next, Worker self, Shard shard, boolean notesWhileCopying) {
    boolean complete = shard.copied == next.allRows();
    for (int r = 0; r < shard.rows.length; r++) {
      boolean isCopied = (shard.copied & 1 << r) != 0;
      if (isCopied && next.isNoted(self.snapshotNotes, r) && (complete || notesWhileCopying)) {
        shard.rows[r] = self.snapshot[r];
      } else if (!isCopied && Integer.bitCount(shard.copied) == r) {
        shard.rows[r] = self.snapshot[r];
        shard.copied |= 1 << r;
        break;
      }
    }
    if (complete && mover.mutation == Mutation.NONE && !Arrays.equals(shard.rows, self.snapshot)) {
      next.wrong = "the verification finds a difference";
    }
  }

  private void deleteNotes() {
    mover.onShard(
        "deletes the notes it has seen",
        worker.source,
        (next, self, shard) -> {
          shard.notes &= mover.is(Mutation.NOTES_DELETED_UNSEEN) ? 0 : ~self.snapshotNotes;
          if (mover.is(Mutation.NOTES_DELETED_BEFORE_APPLIED)) {
            self.at = At.APPLY;
            return;
          }
          self.forgetSnapshot();
          boolean complete = next.shards[self.target].copied == next.allRows();
          self.at = complete ? At.ADVANCE : At.SNAPSHOT;
        });
  }

  private void advance() {
    if (catalog.state == MoveState.PLANNED) {
      mover.step("announces next", (next, self) -> self.at = At.ANNOUNCE);
      return;
    }
    if (catalog.state == MoveState.ROLLING_BACK) {
      mover.step("has caught up", (next, self) -> self.at = At.INTENT);
      return;
    }
    mover.onCatalog(
        "has finished " + catalog.state,
        (next, self) -> {
          switch (next.catalog.state) {
            case COPYING -> {
              next.catalog.setState(MoveState.CATCHING_UP);
              self.at = At.SNAPSHOT;
            }
            case CATCHING_UP -> {
              next.catalog.setState(MoveState.VERIFYING);
              self.at = At.ADVANCE;
            }
            case VERIFYING -> {
              next.catalog.setState(MoveState.CUTOVER);
              self.at = At.INTENT;
            }
            default -> self.at = At.DECIDE;
          }
        });
  }
}
