package io.shardwright.lookup.model;

import java.util.Arrays;
import java.util.List;

/** What a writer's driver knows, which is what its shard holds while the session lives. */
final class Writer {
  /** What a transaction says of a row that it has not changed. */
  static final byte UNCHANGED = 9;

  static final int BYTES = 11 + 2 * World.ROWS + 2 * World.ROWS * 2 + World.SLOTS;

  /** The steps of a write, named as in docs/decisions/lookup-index.md. */
  enum At {
    STATEMENT,
    FIRST_CANDIDATE,
    FIRST_CANDIDATE_INSERT,
    LOCK_CANDIDATES,
    LOCK_CANDIDATES_WAIT,
    JUDGE,
    ADD_CANDIDATE,
    READ_GIVEN_UP,
    COMMIT,
    REMOVE_GIVEN_UP,
    REMOVE_INSERTED,
    CRASHED,
    ENDED
  }

  At at = At.STATEMENT;
  int op;
  int change;

  /** Shards, as bits, that its transaction has joined, and where it is alive. */
  int joined;

  int open;
  boolean partlyCommitted;

  byte[] held = unchanged();

  /** One bit for each shard and value. */
  int claims;

  boolean saved;
  byte[] savedHeld = unchanged();
  int savedClaims;
  boolean rolledBackToSavepoint;

  /** One bit for each row and value. */
  int givenUp;

  byte[] givenUpTokens = new byte[World.ROWS * 2];
  byte[] insertedTokens = new byte[World.ROWS * 2];

  /** Slots that it has locked and seen, judged, and found dead. */
  int seen;

  int judged;
  int dead;
  byte[] seenRows = new byte[World.SLOTS];

  private static byte[] unchanged() {
    byte[] rows = new byte[World.ROWS];
    Arrays.fill(rows, UNCHANGED);
    return rows;
  }

  void clearTransaction() {
    joined = 0;
    open = 0;
    partlyCommitted = false;
    held = unchanged();
    claims = 0;
    saved = false;
    savedHeld = unchanged();
    savedClaims = 0;
    rolledBackToSavepoint = false;
    givenUp = 0;
    Arrays.fill(givenUpTokens, (byte) 0);
    Arrays.fill(insertedTokens, (byte) 0);
    clearLock();
  }

  /** Nobody remembers; the databases find out in any order. */
  void crash(boolean holdsLock) {
    byte[] rows = held;
    int shards = open;
    int claimed = claims;
    clearTransaction();
    op = 0;
    change = 0;
    at = At.ENDED;
    if (shards != 0) {
      held = rows;
      open = shards;
      claims = claimed;
    }
    if (shards != 0 || holdsLock) {
      at = At.CRASHED;
    }
  }

  void clearLock() {
    seen = 0;
    judged = 0;
    dead = 0;
    Arrays.fill(seenRows, (byte) 0);
  }

  /** Whether its transaction is alive where the row is. */
  boolean isOpen(int row) {
    return (open & 1 << World.shardOf(row)) != 0;
  }

  Writer copy() {
    Writer copy = new Writer();
    copy.at = at;
    copy.op = op;
    copy.change = change;
    copy.joined = joined;
    copy.open = open;
    copy.partlyCommitted = partlyCommitted;
    copy.held = held.clone();
    copy.claims = claims;
    copy.saved = saved;
    copy.savedHeld = savedHeld.clone();
    copy.savedClaims = savedClaims;
    copy.rolledBackToSavepoint = rolledBackToSavepoint;
    copy.givenUp = givenUp;
    copy.givenUpTokens = givenUpTokens.clone();
    copy.insertedTokens = insertedTokens.clone();
    copy.seen = seen;
    copy.judged = judged;
    copy.dead = dead;
    copy.seenRows = seenRows.clone();
    return copy;
  }

  @SuppressWarnings("EnumOrdinal") // Never stored.
  int encode(byte[] to, int from) {
    int i = from;
    to[i++] = (byte) at.ordinal();
    to[i++] = (byte) op;
    to[i++] = (byte) change;
    to[i++] = (byte) (joined | open << 2 | (partlyCommitted ? 16 : 0));
    to[i++] = (byte) ((saved ? 1 : 0) | (rolledBackToSavepoint ? 2 : 0));
    to[i++] = (byte) claims;
    to[i++] = (byte) savedClaims;
    to[i++] = (byte) givenUp;
    to[i++] = (byte) seen;
    to[i++] = (byte) judged;
    to[i++] = (byte) dead;
    for (byte[] part : List.of(held, savedHeld, givenUpTokens, insertedTokens, seenRows)) {
      System.arraycopy(part, 0, to, i, part.length);
      i += part.length;
    }
    return i;
  }
}
