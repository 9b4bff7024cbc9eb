package io.shardwright.lookup.model;

/** A mistake in the protocol of unique lookup indexes that the model must find. */
enum Mutation {
  NONE,
  /** Statements leave no claim. */
  NO_CLAIM,
  ENTRY_BEFORE_ROW,
  /** A claim that could not be had in time is taken for a dead owner. */
  TAKE_OVER_AFTER_TIMEOUT,
  CLAIM_WAIT_WITHOUT_END,
  /** Another session asks for the claim that the own transaction holds. */
  JUDGE_WAITS_FOR_ITS_OWN_CLAIM,
  REMOVAL_WITHOUT_TOKEN,
  JUDGE_READS_THE_ROW_WITHOUT_THE_CLAIM,
  /** On the writer's own shard the claim is its own, which is not checked to be still held. */
  JUDGE_TRUSTS_A_LOST_CLAIM,
  READER_DOES_NOT_READ_AGAIN,
  /** Two rows exchange a value by two COMMITs, of which one may fail. */
  GIVEN_UP_ON_ANOTHER_SHARD_IS_ACCEPTED,
  REMOVAL_BEFORE_COMMIT,
  REMOVAL_AFTER_ROLLBACK_TO_SAVEPOINT,
  /** Tokens of given-up candidates are read when others may have the value already. */
  TOKENS_READ_AFTER_COMMIT,
  /** A COMMIT whose answer was lost is handled as a rollback. */
  REMOVAL_AFTER_UNKNOWN_OUTCOME,
  SWEEPER_DOES_NOT_WAIT,
  /** Slot 0 may be free while another slot has a candidate, and is all that an insert looks at. */
  SLOT_0_IS_NOT_REFILLED,
  /** The same, but the insert looks for candidates at all slots in the snapshot it began with. */
  SLOT_0_IS_NOT_REFILLED_AND_NOT_EXISTS,
  /** SELECT FOR UPDATE of PostgreSQL: a statement that waited misses what was added meanwhile. */
  CANDIDATES_ARE_LOCKED_AND_READ_BY_ONE_STATEMENT;

  boolean refillsSlot0() {
    return this != SLOT_0_IS_NOT_REFILLED && this != SLOT_0_IS_NOT_REFILLED_AND_NOT_EXISTS;
  }
}
