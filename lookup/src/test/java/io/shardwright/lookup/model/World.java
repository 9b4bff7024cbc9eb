package io.shardwright.lookup.model;

import java.util.ArrayList;
import java.util.List;

/**
 * One state of the model of unique lookup indexes: what is committed on the shards, and where each
 * writer, the sweeper and the reader are. Rows A and B are on shard 0, row C on shard 1. A value's
 * entries are on one shard, and so are changed by one transaction under one lock.
 */
final class World {
  static final int A = 0;
  static final int B = 1;
  static final int C = 2;
  static final int ROWS = 3;
  static final int SHARDS = 2;
  static final int X = 1;
  static final int Y = 2;
  static final int SLOTS = 4;

  /** No writer. */
  static final byte NOBODY = -1;

  private static final int INITIAL_TOKENS = 100;

  /** Committed values of the rows; 0 for none. */
  byte[] rows = new byte[ROWS];

  /** Committed candidates by value and slot: the row plus 1, or 0 where the slot is free. */
  byte[][] slotRow = new byte[3][SLOTS];

  byte[][] slotToken = new byte[3][SLOTS];

  /** Who holds the candidates of a value locked. */
  byte[] lock = {NOBODY, NOBODY, NOBODY};

  Writer[] writers = {};

  /** The sweeper: 0 idle, 1 has picked a candidate, 2 found it dead. */
  byte sweeping;

  byte sweptValue;
  byte sweptRow;
  byte sweptToken;

  Reader reader = new Reader();

  /** Rows A, B and C with their candidates. */
  static World of(int... values) {
    World world = new World();
    for (int row = 0; row < values.length; row++) {
      world.rows[row] = (byte) values[row];
      if (values[row] != 0) {
        world.put(values[row], 0, row, INITIAL_TOKENS + row);
      }
    }
    return world;
  }

  World withDeadCandidate(int row) {
    World world = copy();
    world.put(X, 0, row, INITIAL_TOKENS + row);
    return world;
  }

  World withWriters(int count) {
    World world = copy();
    world.writers = new Writer[count];
    for (int w = 0; w < count; w++) {
      world.writers[w] = new Writer();
    }
    return world;
  }

  World copy() {
    World copy = new World();
    copy.rows = rows.clone();
    for (int v = X; v <= Y; v++) {
      copy.slotRow[v] = slotRow[v].clone();
      copy.slotToken[v] = slotToken[v].clone();
    }
    copy.lock = lock.clone();
    copy.writers = new Writer[writers.length];
    for (int w = 0; w < writers.length; w++) {
      copy.writers[w] = writers[w].copy();
    }
    copy.sweeping = sweeping;
    copy.sweptValue = sweptValue;
    copy.sweptRow = sweptRow;
    copy.sweptToken = sweptToken;
    copy.reader = reader.copy();
    return copy;
  }

  byte[] encode() {
    byte[] to = new byte[ROWS + 4 * SLOTS + 2 + writers.length * Writer.BYTES + 4 + Reader.BYTES];
    System.arraycopy(rows, 0, to, 0, ROWS);
    int i = ROWS;
    for (int v = X; v <= Y; v++) {
      System.arraycopy(slotRow[v], 0, to, i, SLOTS);
      System.arraycopy(slotToken[v], 0, to, i + SLOTS, SLOTS);
      i += 2 * SLOTS;
      to[i++] = lock[v];
    }
    for (Writer writer : writers) {
      i = writer.encode(to, i);
    }
    to[i++] = sweeping;
    to[i++] = sweptValue;
    to[i++] = sweptRow;
    to[i++] = sweptToken;
    reader.encode(to, i);
    return to;
  }

  static int shardOf(int row) {
    return row == C ? 1 : 0;
  }

  static int bit(int row, int value) {
    return row * 2 + value - 1;
  }

  static int claimBit(int row, int value) {
    return 1 << (shardOf(row) * 2 + value - 1);
  }

  /** What a writer's own session sees. */
  byte seenBy(Writer writer, int row) {
    return writer.held[row] == Writer.UNCHANGED ? rows[row] : writer.held[row];
  }

  boolean rowIsLocked(int row, int exceptFor) {
    for (int w = 0; w < writers.length; w++) {
      if (w != exceptFor && writers[w].isOpen(row) && writers[w].held[row] != Writer.UNCHANGED) {
        return true;
      }
    }
    return false;
  }

  /** Whether a transaction in flight, but the one given, holds the claim on the row's shard. */
  boolean isClaimed(int row, int value, int exceptFor) {
    for (int w = 0; w < writers.length; w++) {
      if (w != exceptFor
          && writers[w].isOpen(row)
          && (writers[w].claims & claimBit(row, value)) != 0) {
        return true;
      }
    }
    return false;
  }

  boolean hasCandidates(int value) {
    for (byte row : slotRow[value]) {
      if (row != 0) {
        return true;
      }
    }
    return false;
  }

  int slotOf(int value, int row) {
    for (int slot = 0; slot < SLOTS; slot++) {
      if (slotRow[value][slot] == row + 1) {
        return slot;
      }
    }
    return -1;
  }

  void put(int value, int slot, int row, int token) {
    slotRow[value][slot] = (byte) (row + 1);
    slotToken[value][slot] = (byte) token;
  }

  void free(int value, int slot) {
    slotRow[value][slot] = 0;
    slotToken[value][slot] = 0;
  }

  /** Under the lock of the value: a freed slot 0 gets the candidate of the lowest other slot. */
  void refill(int value) {
    for (int slot = 1; slotRow[value][0] == 0 && slot < SLOTS; slot++) {
      if (slotRow[value][slot] != 0) {
        put(value, 0, slotRow[value][slot] - 1, slotToken[value][slot]);
        free(value, slot);
      }
    }
  }

  void remove(Mutation mutation, int value, int row, int token) {
    int slot = slotOf(value, row);
    boolean same = slot >= 0 && slotToken[value][slot] == token;
    if (same || (slot >= 0 && mutation == Mutation.REMOVAL_WITHOUT_TOKEN)) {
      free(value, slot);
      if (mutation.refillsSlot0()) {
        refill(value);
      }
    }
  }

  boolean isEnded(int w) {
    return writers[w].at == Writer.At.ENDED;
  }

  boolean holdsLock(int w) {
    return lock[X] == w || lock[Y] == w;
  }

  /** Null when the state is right. */
  String violation(Mutation mutation) {
    for (int row = 0; row < ROWS; row++) {
      if (rows[row] != 0 && slotOf(rows[row], row) < 0) {
        return rowName(row) + " has " + valueName(rows[row]) + " and no candidate";
      }
      for (int other = row + 1; other < ROWS; other++) {
        if (rows[row] != 0 && rows[row] == rows[other]) {
          return rowName(row) + " and " + rowName(other) + " have " + valueName(rows[row]);
        }
      }
    }
    for (int v = X; v <= Y; v++) {
      if (mutation.refillsSlot0() && slotRow[v][0] == 0 && hasCandidates(v)) {
        return "slot 0 of " + valueName(v) + " is free beside other candidates";
      }
    }
    String wrong = reader.wrong;
    return wrong == null && sweeping == 0 && allEnded() ? unswept(mutation) : wrong;
  }

  boolean allEnded() {
    for (int w = 0; w < writers.length; w++) {
      if (!isEnded(w)) {
        return false;
      }
    }
    return true;
  }

  /** When all is quiet, the sweeper leaves one candidate for each value of a row, and no other. */
  private String unswept(Mutation mutation) {
    World swept = copy();
    for (int v = X; v <= Y; v++) {
      List<Integer> left = new ArrayList<>();
      for (int row = 0; row < ROWS; row++) {
        int slot = swept.slotOf(v, row);
        if (slot >= 0 && rows[row] != v) {
          swept.remove(mutation, v, row, swept.slotToken[v][slot]);
        } else if (slot >= 0) {
          left.add(row);
        }
      }
      int count = 0;
      for (byte row : swept.slotRow[v]) {
        count += row == 0 ? 0 : 1;
      }
      if (count != left.size()) {
        return "the sweeper leaves of " + valueName(v) + " " + swept.candidates(v);
      }
    }
    return null;
  }

  static String rowName(int row) {
    return String.valueOf((char) ('A' + row));
  }

  static String valueName(int value) {
    return value == 0 ? "none" : value == X ? "X" : "Y";
  }

  private String candidates(int value) {
    StringBuilder text = new StringBuilder("[");
    for (int slot = 0; slot < SLOTS; slot++) {
      if (slotRow[value][slot] != 0) {
        text.append(text.length() > 1 ? ", " : "")
            .append(slot)
            .append(':')
            .append(rowName(slotRow[value][slot] - 1))
            .append(" token ")
            .append(slotToken[value][slot]);
      }
    }
    return text.append(']').toString();
  }

  String rowsAsText() {
    StringBuilder text = new StringBuilder();
    for (int row = 0; row < ROWS; row++) {
      if (rows[row] != 0) {
        text.append(' ').append(rowName(row)).append('=').append(valueName(rows[row]));
      }
    }
    return text.toString().strip();
  }

  /** Committed rows and candidates. */
  @Override
  public String toString() {
    String text = "[" + rowsAsText() + "] X: " + candidates(X);
    return hasCandidates(Y) ? text + " Y: " + candidates(Y) : text;
  }
}
