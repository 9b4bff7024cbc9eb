package io.shardwright.migration.model;

import java.nio.ByteBuffer;

/** A mover's process: where it is, and what it believes. */
final class Worker {
  /** The next thing it does; the numbers are the steps of docs/decisions/moves.md. */
  enum At {
    IDLE,
    TOKEN_SOURCE,
    TOKEN_TARGET,
    DECIDE,
    /** 1. */
    ANNOUNCE,
    WAIT_FOR_LEASES,
    /** 2. */
    INCOMING,
    /** 3. */
    CAPTURE,
    /** 4 and 5. */
    SNAPSHOT,
    APPLY,
    DELETE_NOTES,
    ADVANCE,
    /** 7. */
    INTENT,
    /** 8. */
    LOCK,
    CLOSE,
    /** 9. */
    LAST_SNAPSHOT,
    LAST_APPLY,
    CONFIRM,
    /** 10. */
    COMMIT,
    /** 11. */
    RETIRE,
    /** 12. */
    OPEN,
    /** 13. */
    COUNT,
    ABORT,
    REOPEN,
    SWITCHED,
    /** 14. */
    CLEAN_ROWS,
    CLEAN_OLD,
    CLEAN_NEW,
    END,
    CANCEL_SOURCE,
    CANCEL_TARGET,
    RECONCILE
  }

  At at = At.IDLE;
  int epoch;
  int source;
  int target;
  boolean back;
  int version;
  int[] snapshot;
  int snapshotNotes;

  Worker(int rowCount) {
    snapshot = new int[rowCount];
  }

  Worker copy() {
    Worker copy = new Worker(snapshot.length);
    copy.at = at;
    copy.epoch = epoch;
    copy.source = source;
    copy.target = target;
    copy.back = back;
    copy.version = version;
    copy.snapshot = snapshot.clone();
    copy.snapshotNotes = snapshotNotes;
    return copy;
  }

  void forgetSnapshot() {
    snapshot = new int[snapshot.length];
    snapshotNotes = 0;
  }

  void stop() {
    at = At.IDLE;
    epoch = 0;
    source = 0;
    target = 0;
    back = false;
    version = 0;
    forgetSnapshot();
  }

  @SuppressWarnings("EnumOrdinal") // kept in memory alone
  void encode(ByteBuffer to) {
    to.put((byte) (at.ordinal() | (back ? 64 : 0)));
    to.put((byte) (epoch << 4 | version));
    to.put((byte) (source << 4 | target));
    to.put((byte) snapshotNotes);
    for (int row : snapshot) {
      to.put((byte) row);
    }
  }
}
