package io.shardwright.migration.model;

import java.nio.ByteBuffer;

/** A driver process that reads row 0 once: its lease, and how far the read is. */
final class Router {
  enum At {
    IDLE,
    /** Lapsed, several shards: asks them before. */
    ASK,
    ANSWER,
    /** The check was made too early, by the mutation. */
    CHECKED_EARLY,
    CHECK,
    ASK_AGAIN,
    HAND_OUT,
    ENDED
  }

  At at = At.IDLE;
  boolean live = true;
  int stateVersion = 1;
  int mapVersion = 1;
  int owner;
  boolean announced;

  // The plan of the read.
  int planState;
  int planVersion;
  int planOwner;
  boolean planLapsed;

  /** Whether the statement leaves the bucket out where the map does not have it. */
  boolean filtered;

  /** The shards that were asked, or that have answered, as bits. */
  int shardsDone;

  int[] tokens;
  int count;
  int value;

  /** For the check alone: the last change acknowledged when the read began. */
  int floor;

  Router(int shards) {
    tokens = new int[shards];
  }

  Router copy() {
    Router copy = new Router(tokens.length);
    copy.at = at;
    copy.live = live;
    copy.stateVersion = stateVersion;
    copy.mapVersion = mapVersion;
    copy.owner = owner;
    copy.announced = announced;
    copy.planState = planState;
    copy.planVersion = planVersion;
    copy.planOwner = planOwner;
    copy.planLapsed = planLapsed;
    copy.filtered = filtered;
    copy.shardsDone = shardsDone;
    copy.tokens = tokens.clone();
    copy.count = count;
    copy.value = value;
    copy.floor = floor;
    return copy;
  }

  /** Forgets the read; its lease and map remain. */
  void reset(At next) {
    at = next;
    planState = 0;
    planVersion = 0;
    planOwner = 0;
    planLapsed = false;
    filtered = false;
    shardsDone = 0;
    tokens = new int[tokens.length];
    count = 0;
    value = 0;
    floor = 0;
    if (next == At.ENDED) {
      live = false;
      stateVersion = 0;
      mapVersion = 0;
      owner = 0;
      announced = false;
    }
  }

  @SuppressWarnings("EnumOrdinal") // kept in memory alone
  void encode(ByteBuffer to) {
    to.put(
        (byte)
            (at.ordinal()
                | (live ? 8 : 0)
                | (announced ? 16 : 0)
                | (planLapsed ? 32 : 0)
                | (filtered ? 64 : 0)));
    to.put((byte) (stateVersion << 4 | mapVersion));
    to.put((byte) (owner << 4 | planOwner));
    to.put((byte) (planState << 4 | planVersion));
    to.put((byte) (shardsDone << 4 | count));
    to.put((byte) (value << 4 | floor));
    for (int token : tokens) {
      to.put((byte) token);
    }
  }
}
