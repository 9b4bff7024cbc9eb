package io.shardwright.migration.model;

/** A mistake in the protocol of moves that the model must find. */
enum Mutation {
  NONE,
  // The fence.
  /** Under snapshot isolation the fence row is read in the transaction's snapshot. */
  FENCE_READ_IN_OLD_SNAPSHOT,
  CAPTURE_WITHOUT_BARRIER,
  CAPTURE_ENDS_WITHOUT_BARRIER,
  CLOSE_WITHOUT_BARRIER,
  /** The session with the lock was lost before the UPDATE, which a new one does. */
  CLOSE_IN_ANOTHER_SESSION,
  WRITERS_IGNORE_INCARNATION,
  // Copy and passes.
  COPY_WITHOUT_NOTES,
  NOTES_DELETED_BEFORE_APPLIED,
  NOTES_DELETED_UNSEEN,
  APPLY_WITHOUT_TOKEN,
  LAST_PASS_BEFORE_CLOSE,
  LAST_SNAPSHOT_BEFORE_CLOSE,
  CLEANING_WITHOUT_TOKEN,
  // Cutover.
  COMMIT_WITHOUT_EPOCH,
  COMMIT_WITHOUT_INTENT,
  /** An intent given up and stated again cannot be told from the first. */
  INTENT_WITHOUT_ATTEMPT,
  /** The source is reopened, and the intent stands. */
  ABORT_NOT_RECORDED,
  /** The intent is given up and the source reopened although the map was just published. */
  ABORT_AFTER_PUBLISHING,
  UNKNOWN_OUTCOME_IS_FAILURE,
  /** The map is newer than the intent, but another move published it. */
  DECIDES_BY_VERSION,
  OPEN_BEFORE_AWAY,
  AWAY_NOT_WRITTEN,
  // Take-over.
  NO_TOKEN_CHECKS,
  TAKE_OVER_WITHOUT_TOKENS,
  TAKE_OVER_LEAVES_SESSIONS,
  /** And a token like the own is taken for the own. */
  EPOCHS_OF_EACH_MOVE_BEGIN_AT_1,
  CANCEL_LEAVES_CLOSED,
  // Fail-over.
  COMMIT_WITHOUT_REPLICAS,
  MOVER_IGNORES_INCARNATION,
  FAIL_OVER_KEEPS_COPY,
  // Reads.
  ANNOUNCE_WITHOUT_WAIT,
  ANNOUNCE_AFTER_FIRST_COPY,
  CHECK_BEFORE_ANSWER,
  CHECK_WITHOUT_EPOCH,
  INCOMING_ACCEPTED_BY_OLD_MAPS,
  READS_IGNORE_INCARNATION,
  /** A renewal between plan and answer, after which the mover does not wait any more. */
  PLAN_OUTLIVES_ITS_STATE,
  LEASE_NOT_CHECKED_AFTER_ANSWER,
  SCATTER_WITHOUT_FILTER,
  SCATTER_WITHOUT_CHECK,
  /** Lapsed, it leaves out the buckets alone that the shards say to be in a move. */
  LAPSED_SCATTER_ASKS_FIRST,
  /** The same, and asks again after the answers whether a token has changed. */
  LAPSED_SCATTER_ASKS_TWICE;

  boolean asks() {
    return this == LAPSED_SCATTER_ASKS_FIRST || this == LAPSED_SCATTER_ASKS_TWICE;
  }
}
