package io.shardwright.migration.model;

import java.nio.ByteBuffer;

/** A client of any shard: the fence judges it, whatever its map says. */
final class Writer {
  enum At {
    IDLE,
    /** Has its snapshot. */
    BEGUN,
    /** Has written, holds the shared lock. */
    WRITTEN
  }

  At at = At.IDLE;
  int shard;

  /** Rows written, as bits, and those of them with a note. */
  int rows;

  int noted;
  int statements;
  int commitsLeft;

  /** The fence row in its snapshot, and whether it was changed since. */
  boolean sawOpen;

  boolean sawCaptured;
  boolean fenceChanged;

  /** Rows changed by others since the snapshot, as bits. */
  int changed;

  Writer copy() {
    Writer copy = new Writer();
    copy.at = at;
    copy.shard = shard;
    copy.rows = rows;
    copy.noted = noted;
    copy.statements = statements;
    copy.commitsLeft = commitsLeft;
    copy.sawOpen = sawOpen;
    copy.sawCaptured = sawCaptured;
    copy.fenceChanged = fenceChanged;
    copy.changed = changed;
    return copy;
  }

  void end() {
    int left = commitsLeft;
    at = At.IDLE;
    shard = 0;
    rows = 0;
    noted = 0;
    statements = 0;
    sawOpen = false;
    sawCaptured = false;
    fenceChanged = false;
    changed = 0;
    commitsLeft = left;
  }

  @SuppressWarnings("EnumOrdinal") // kept in memory alone
  void encode(ByteBuffer to) {
    to.put((byte) (at.ordinal() << 4 | shard));
    to.put((byte) (rows << 4 | noted));
    to.put((byte) (statements << 4 | commitsLeft));
    to.put(
        (byte) ((sawOpen ? 1 : 0) | (sawCaptured ? 2 : 0) | (fenceChanged ? 4 : 0) | changed << 4));
  }
}
