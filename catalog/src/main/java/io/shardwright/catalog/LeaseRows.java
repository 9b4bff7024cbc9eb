package io.shardwright.catalog;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * The leases of driver processes. Why nobody works by a state that somebody else believes to be
 * gone:
 *
 * <ul>
 *   <li>A renewal locks the state's version in share mode, so it either ends before the version
 *       changes, and is seen by whoever changed it, or it reads the new version.
 *   <li>A lease that has lapsed is extended only to one who knows the current version.
 *   <li>A lapsed lease is deleted before it is disregarded, which waits for a renewal in flight.
 * </ul>
 */
final class LeaseRows {
  /** Lapsed leases of processes that ended without a word. */
  private static final int KEPT_SECONDS = 86_400;

  private LeaseRows() {}

  /**
   * @param live the lease lasts {@link DriverLease#LENGTH} from when the renewal was sent
   * @param latest version of the state
   */
  record Renewal(boolean live, long latest, int format) {}

  static Renewal renew(Connection connection, DriverLease lease, long seen) throws SQLException {
    String sql =
        Database.of(Database.product(connection)).renewal((int) DriverLease.LENGTH.toSeconds());
    try (PreparedStatement upsert = connection.prepareStatement(sql)) {
      upsert.setString(1, lease.id().toString());
      upsert.setLong(2, seen);
      upsert.setLong(3, seen);
      try (ResultSet row = upsert.executeQuery()) {
        row.next();
        return new Renewal(row.getInt(1) == 1, row.getLong(2), row.getInt(3));
      }
    }
  }

  static void release(Connection connection, DriverLease lease) throws SQLException {
    try (PreparedStatement delete =
        connection.prepareStatement("DELETE FROM shardwright_driver WHERE id = ?")) {
      delete.setString(1, lease.id().toString());
      delete.executeUpdate();
    }
  }

  /** Those that may still work by an older state. */
  static List<UUID> behind(Connection connection, long version) throws SQLException {
    try (PreparedStatement delete =
        connection.prepareStatement(
            "DELETE FROM shardwright_driver WHERE (seen < ? AND expires_at <"
                + ago(DriverLease.MARGIN.toSeconds())
                + ") OR expires_at <"
                + ago(KEPT_SECONDS))) {
      delete.setLong(1, version);
      delete.executeUpdate();
    }
    List<UUID> behind = new ArrayList<>();
    try (PreparedStatement select =
        connection.prepareStatement("SELECT id FROM shardwright_driver WHERE seen < ?")) {
      select.setLong(1, version);
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          behind.add(UUID.fromString(row.getString(1)));
        }
      }
    }
    return behind;
  }

  private static String ago(long seconds) {
    return " CURRENT_TIMESTAMP(6) - INTERVAL '" + seconds + "' SECOND";
  }
}
