package io.shardwright.catalog;

import java.util.Locale;

/** How far a move is (docs/decisions/moves.md). */
public enum MoveState {
  /** On record, and nothing was touched. */
  PLANNED,
  /** Announced; rows are copied. */
  COPYING,
  /** All rows are at the target; changes follow. */
  CATCHING_UP,
  /** Source and target are compared. */
  VERIFYING,
  /** Buckets change their owner, batch by batch. */
  CUTOVER,
  /** All have; the source's rows stay for the way back. */
  SWITCHED,
  /** The source's rows are deleted. */
  CLEANING,
  DONE,
  /** The copies are deleted; no bucket has changed its owner. */
  CANCELLING,
  /** As if cancelled, but that the target, which could not be reached, may have copies. */
  ABANDONED,
  CANCELLED,
  /** Buckets go back to the source with what was written since. */
  ROLLING_BACK,
  /** All are back; the target's rows are deleted. */
  CLEANING_BACK,
  ROLLED_BACK;

  public boolean hasEnded() {
    return this == DONE || this == CANCELLED || this == ROLLED_BACK;
  }

  /** Drivers have to know of it: rows may be on two shards. */
  public boolean isAnnounced() {
    return this != PLANNED && !hasEnded();
  }

  /** The target's shard may still be left as if nothing had been. */
  public boolean canCancel() {
    return switch (this) {
      case PLANNED, COPYING, CATCHING_UP, VERIFYING -> true;
      default -> false;
    };
  }

  public boolean canRollBack() {
    return this == CUTOVER || this == SWITCHED;
  }

  String stored() {
    return name().toLowerCase(Locale.ROOT);
  }

  static MoveState ofStored(String stored) {
    return valueOf(stored.toUpperCase(Locale.ROOT));
  }
}
