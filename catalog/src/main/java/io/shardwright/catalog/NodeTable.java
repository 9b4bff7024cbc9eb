package io.shardwright.catalog;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The rows of shardwright_node (docs/catalog-format.md). Each change is one statement that compares
 * what was read before, so that of several processes exactly one gets a number.
 */
final class NodeTable {
  /** Each round is lost to a process that got a number, so a few bring one or show that none is. */
  private static final int ROUNDS_MAX = 100;

  private final Connection connection;
  private final String now;

  NodeTable(Connection connection) throws SQLException {
    this.connection = connection;
    this.now = Database.of(Database.product(connection)).nowMillis();
  }

  /**
   * A number as it is in the table.
   *
   * @param epoch 0 when the number was never held
   * @param usedUntil ids up to here may have been issued, by the clocks of the holders
   * @param freeInMillis by the catalog's clock; not above 0 when nobody holds it
   */
  record Row(int node, long epoch, long usedUntil, long freeInMillis) {
    boolean isFree() {
      return freeInMillis <= 0;
    }
  }

  /**
   * @param leaseMillis how long nobody else gets the number, by the catalog's clock
   * @param usedUntil what is recorded, unless more is on record already
   */
  record Terms(long leaseMillis, long usedUntil) {}

  /**
   * The number that was used the longest time ago, as it was before it was taken; it is held then.
   * Empty when all are held.
   */
  Optional<Row> take(String scope, int nodes, Terms terms) throws SQLException {
    for (int round = 0; round < ROUNDS_MAX; round++) {
      List<Row> free = rows(scope, nodes).stream().filter(Row::isFree).toList();
      if (free.isEmpty()) {
        return Optional.empty();
      }
      for (Row row : free) {
        if (row.epoch == 0 ? insert(scope, row, terms) : take(scope, row, terms)) {
          return Optional.of(row);
        }
      }
    }
    return Optional.empty();
  }

  /** All numbers from 0 on, those that were used the longest time ago first. */
  List<Row> rows(String scope, int nodes) throws SQLException {
    List<Row> rows = new ArrayList<>();
    Set<Integer> known = new HashSet<>();
    try (PreparedStatement select =
        connection.prepareStatement(
            "SELECT node, epoch, used_until, lease_until - "
                + now
                + " FROM shardwright_node WHERE scope = ? AND node < ?")) {
      select.setString(1, scope);
      select.setInt(2, nodes);
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          rows.add(new Row(row.getInt(1), row.getLong(2), row.getLong(3), row.getLong(4)));
          known.add(row.getInt(1));
        }
      }
    }
    for (int node = 0; node < nodes; node++) {
      if (!known.contains(node)) {
        rows.add(new Row(node, 0, 0, 0));
      }
    }
    rows.sort(Comparator.comparingLong(Row::usedUntil).thenComparingInt(Row::node));
    return rows;
  }

  private boolean insert(String scope, Row row, Terms terms) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO shardwright_node (scope, node, epoch, lease_until, used_until)"
                + " VALUES (?, ?, 1, "
                + now
                + " + ?, ?)")) {
      insert.setString(1, scope);
      insert.setInt(2, row.node);
      insert.setLong(3, terms.leaseMillis);
      insert.setLong(4, terms.usedUntil);
      return insert.executeUpdate() == 1;
    } catch (SQLException e) {
      return SqlFailure.lost(e);
    }
  }

  private boolean take(String scope, Row row, Terms terms) throws SQLException {
    try (PreparedStatement update =
        connection.prepareStatement(
            "UPDATE shardwright_node SET epoch = epoch + 1, lease_until = "
                + now
                + " + ?, used_until = ?"
                + " WHERE scope = ? AND node = ? AND epoch = ? AND used_until = ?"
                + " AND lease_until <= "
                + now)) {
      update.setLong(1, terms.leaseMillis);
      update.setLong(2, Math.max(row.usedUntil, terms.usedUntil));
      update.setString(3, scope);
      update.setInt(4, row.node);
      update.setLong(5, row.epoch);
      update.setLong(6, row.usedUntil);
      return update.executeUpdate() == 1;
    } catch (SQLException e) {
      return SqlFailure.lost(e);
    }
  }

  /** False when the number is another's by now. It may have run out: then it is held anew. */
  boolean renew(String scope, int node, long epoch, Terms terms) throws SQLException {
    try (PreparedStatement update =
        connection.prepareStatement(
            "UPDATE shardwright_node SET lease_until = "
                + now
                + " + ?, used_until = ? WHERE scope = ? AND node = ? AND epoch = ?")) {
      update.setLong(1, terms.leaseMillis);
      update.setLong(2, terms.usedUntil);
      update.setString(3, scope);
      update.setInt(4, node);
      update.setLong(5, epoch);
      return update.executeUpdate() == 1;
    }
  }

  /** Nothing when the number is another's by now. */
  void free(String scope, int node, long epoch, long usedUntil) throws SQLException {
    try (PreparedStatement update =
        connection.prepareStatement(
            "UPDATE shardwright_node SET lease_until = 0, used_until = ?"
                + " WHERE scope = ? AND node = ? AND epoch = ?")) {
      update.setLong(1, usedUntil);
      update.setString(2, scope);
      update.setInt(3, node);
      update.setLong(4, epoch);
      update.executeUpdate();
    }
  }
}
