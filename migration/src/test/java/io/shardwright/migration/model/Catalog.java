package io.shardwright.migration.model;

import io.shardwright.catalog.MoveState;
import java.nio.ByteBuffer;

/** The catalog: the map's entry of the bucket, and the row of the move. */
final class Catalog {
  int mapVersion = 1;
  int owner;
  MoveState state = MoveState.PLANNED;

  /** Of the moves of the scenario. */
  int move;

  /** Of the lease of the move; from one sequence for all moves. */
  int epoch;

  int leases;

  /** Of a batch whose cutover has begun: the next map version at that time; 0 for none. */
  int intent;

  /** Whether the intent's map is published: written by the commit, so that no abort passes it. */
  boolean published;

  int source;
  int target;

  /** The map version by which the owner became it. */
  int ownedSince = 1;

  /** The state version that announced the bucket. */
  int announcedAt;

  /** Version of what drivers read: announced buckets and the map. */
  int stateVersion = 1;

  /** A commit of a map that was sent and whose outcome its sender does not know. */
  int pendingEpoch;

  int pendingOwner;

  /** Whether the intent is still the one that the pending commit was sent for. */
  boolean pendingIsCurrent;

  Catalog copy() {
    Catalog copy = new Catalog();
    copy.mapVersion = mapVersion;
    copy.owner = owner;
    copy.state = state;
    copy.move = move;
    copy.epoch = epoch;
    copy.leases = leases;
    copy.intent = intent;
    copy.published = published;
    copy.source = source;
    copy.target = target;
    copy.ownedSince = ownedSince;
    copy.announcedAt = announcedAt;
    copy.stateVersion = stateVersion;
    copy.pendingEpoch = pendingEpoch;
    copy.pendingOwner = pendingOwner;
    copy.pendingIsCurrent = pendingIsCurrent;
    return copy;
  }

  boolean isBack() {
    return state == MoveState.ROLLING_BACK || state == MoveState.CLEANING_BACK;
  }

  void publish(int newOwner) {
    mapVersion++;
    owner = newOwner;
    ownedSince = mapVersion;
    published = true;
    stateVersion++;
  }

  void setState(MoveState next) {
    if (state.isAnnounced() != next.isAnnounced()) {
      stateVersion++;
      announcedAt = next.isAnnounced() ? stateVersion : 0;
    }
    state = next;
  }

  void setIntent(int version) {
    intent = version;
    pendingIsCurrent = false;
  }

  void clearPending() {
    pendingEpoch = 0;
    pendingOwner = 0;
    pendingIsCurrent = false;
  }

  @SuppressWarnings("EnumOrdinal") // kept in memory alone
  void encode(ByteBuffer to) {
    to.put((byte) (mapVersion << 4 | owner));
    to.put((byte) (state.ordinal() << 4 | move));
    to.put((byte) (epoch << 4 | intent));
    to.put((byte) (leases << 4 | stateVersion));
    to.put((byte) pendingOwner);
    to.put((byte) (pendingEpoch << 2 | (pendingIsCurrent ? 1 : 0) | (published ? 2 : 0)));
    to.put((byte) (source << 4 | target)).put((byte) (ownedSince << 4 | announcedAt));
  }

  @Override
  public String toString() {
    return state
        + " map "
        + mapVersion
        + "->"
        + World.shardName(owner)
        + " epoch "
        + epoch
        + (intent != 0 ? " intent " + intent : "")
        + (pendingEpoch != 0 ? " commit under way" : "");
  }
}
