package io.shardwright.migration.model;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** What one shard has of the bucket: the fence row, the rows, their notes, the mover's progress. */
final class Shard {
  enum Fence {
    OPEN,
    CLOSED,
    INCOMING,
    AWAY
  }

  static final int NOBODY = -1;

  Fence fence = Fence.AWAY;
  int epoch = 1;
  boolean captured;
  boolean foreign;
  int token;

  /** Of the fence row, and of the server that runs. */
  int incarnation = 1;

  int server = 1;

  /** Committed: the number of the row's last change, 0 where there is no row. */
  int[] rows;

  /** Committed notes, a bit for each row and change. */
  int notes;

  /** Rows that the mover has copied to here, as bits, with the progress row. */
  int copied;

  /** The worker whose session holds the bucket's lock. */
  int lockedBy = NOBODY;

  /** What a replica has; null in worlds without fail-over. */
  Shard replica;

  /** For the check alone: the rows when it was opened. */
  int[] opened;

  Shard(int rowCount) {
    rows = new int[rowCount];
    opened = new int[rowCount];
  }

  Shard copy() {
    Shard copy = new Shard(rows.length);
    copy.setDurable(this);
    copy.server = server;
    copy.lockedBy = lockedBy;
    copy.replica = replica == null ? null : replica.copy();
    copy.opened = opened.clone();
    return copy;
  }

  /** All that a replica gets. */
  void setDurable(Shard from) {
    fence = from.fence;
    epoch = from.epoch;
    captured = from.captured;
    foreign = from.foreign;
    token = from.token;
    incarnation = from.incarnation;
    rows = from.rows.clone();
    notes = from.notes;
    copied = from.copied;
  }

  boolean isReplicated() {
    return replica == null
        || (replica.fence == fence
            && replica.epoch == epoch
            && replica.captured == captured
            && replica.foreign == foreign
            && replica.token == token
            && replica.incarnation == incarnation
            && Arrays.equals(replica.rows, rows)
            && replica.notes == notes
            && replica.copied == copied);
  }

  boolean isReconciled() {
    return incarnation == server;
  }

  boolean hasRows() {
    return Arrays.stream(rows).anyMatch(row -> row != 0);
  }

  /** Whether a scatter by an old map must leave the bucket out or look closer. */
  boolean isInMove() {
    return foreign || captured || fence == Fence.CLOSED || fence == Fence.INCOMING;
  }

  @SuppressWarnings("EnumOrdinal") // kept in memory alone
  void encode(ByteBuffer to) {
    to.put((byte) (fence.ordinal() | (captured ? 4 : 0) | (foreign ? 8 : 0) | copied << 4));
    to.put((byte) (epoch << 4 | token));
    to.put((byte) (incarnation << 4 | server));
    to.put((byte) notes).put((byte) (lockedBy + 1));
    for (int r = 0; r < rows.length; r++) {
      to.put((byte) (rows[r] << 4 | opened[r]));
    }
    if (replica != null) {
      replica.encode(to);
    }
  }

  @Override
  public String toString() {
    return fence
        + (epoch > 1 ? "@" + epoch : "")
        + (captured ? "+captured" : "")
        + (foreign ? "+foreign" : "")
        + (token > 0 ? " t" + token : "")
        + (isReconciled() ? "" : " OTHER SERVER")
        + " "
        + Arrays.toString(rows)
        + (notes != 0 ? " notes " + Integer.toBinaryString(notes) : "")
        + (lockedBy >= 0 ? " locked by M" + (lockedBy + 1) : "");
  }
}
