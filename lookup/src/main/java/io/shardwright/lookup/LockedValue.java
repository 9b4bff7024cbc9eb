package io.shardwright.lookup;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The candidates of one value, locked: all that writes at another slot than 0, and all that
 * removes, holds the lock of slot 0. Where a value has a candidate, slot 0 is taken, so that the
 * usual insert needs no lock. One thread; must be closed.
 */
final class LockedValue implements AutoCloseable {
  private final EntryTable table;
  private final Connection connection;
  private final List<Candidate> candidates;
  private boolean committed;

  private LockedValue(EntryTable table, Connection connection, List<Candidate> candidates) {
    this.table = table;
    this.connection = connection;
    this.candidates = new ArrayList<>(candidates);
  }

  /**
   * @param connection in autocommit; closed with this
   */
  static LockedValue of(EntryTable table, Connection connection, Value value) throws SQLException {
    boolean locked = false;
    try {
      connection.setAutoCommit(false);
      LockedValue result = new LockedValue(table, connection, table.lock(connection, value));
      locked = true;
      return result;
    } finally {
      if (!locked) {
        end(connection);
      }
    }
  }

  /** In slot order; empty when the value has none, and then nothing is locked. */
  List<Candidate> candidates() {
    return List.copyOf(candidates);
  }

  /** By its token. */
  boolean remove(Candidate candidate) throws SQLException {
    candidates.removeIf(other -> other.slot() == candidate.slot());
    return table.remove(connection, candidate);
  }

  /**
   * Renews the candidate of the row, or inserts one.
   *
   * @return the inserted one
   */
  Optional<Candidate> put(Candidate candidate) throws SQLException {
    for (Candidate other : candidates) {
      if (other.hasOwnerOf(candidate)) {
        table.renew(connection, other, candidate.token());
        return Optional.empty();
      }
    }
    int slot = 0;
    while (isTaken(slot)) {
      slot++;
    }
    Candidate inserted = candidate.at(slot);
    table.insert(connection, inserted);
    candidates.add(inserted);
    return Optional.of(inserted);
  }

  private boolean isTaken(int slot) {
    return candidates.stream().anyMatch(candidate -> candidate.slot() == slot);
  }

  /** Leaves slot 0 taken if there is any candidate. */
  void commit() throws SQLException {
    if (!candidates.isEmpty() && !isTaken(0)) {
      table.move(connection, candidates.get(0), 0);
    }
    connection.commit();
    committed = true;
  }

  /** Undoes what was not committed. */
  @Override
  public void close() throws SQLException {
    if (committed) {
      connection.setAutoCommit(true);
      connection.close();
    } else {
      end(connection);
    }
  }

  private static void end(Connection connection) throws SQLException {
    try (connection) {
      connection.rollback();
      connection.setAutoCommit(true);
    }
  }
}
