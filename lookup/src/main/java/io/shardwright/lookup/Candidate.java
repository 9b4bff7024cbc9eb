package io.shardwright.lookup;

import java.time.Duration;

/**
 * An entry of an index: it says where a row with a value may be, or that the value is reserved.
 *
 * @param slot tells the candidates of one value apart
 * @param row {@link RowId#NONE} for a reservation
 * @param token of who wrote the entry last
 * @param until how long a new reservation holds; else zero
 */
record Candidate(Value value, int slot, RowId row, long token, Hold hold, Duration until) {
  /** Whether nobody may take the value, though no row has it. */
  enum Hold {
    /** It is the entry of a row. */
    NONE,
    /** A reservation. */
    RESERVED,
    /** A reservation whose time is over. */
    EXPIRED
  }

  /** Of a row. */
  Candidate(Value value, int slot, RowId row, long token) {
    this(value, slot, row, token, Hold.NONE, Duration.ZERO);
  }

  static Candidate reservation(Value value, long token, Duration until) {
    return new Candidate(value, 0, RowId.NONE, token, Hold.RESERVED, until);
  }

  boolean isReservation() {
    return hold != Hold.NONE;
  }

  Candidate at(int other) {
    return new Candidate(value, other, row, token, hold, until);
  }

  /** Both are of one row, or one reservation. */
  boolean hasOwnerOf(Candidate other) {
    return (isReservation() || other.isReservation())
        ? token == other.token
        : row.equals(other.row);
  }
}
