package io.shardwright.catalog;

import io.shardwright.config.Configuration;
import io.shardwright.config.Configuration.Endpoint;
import io.shardwright.config.Configuration.Group;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.BucketMap;
import io.shardwright.routing.ShardId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * The catalog in a database, over one connection that is opened when needed and again after it
 * broke. Thread-safe: one call at a time, each bounded by the login's timeouts.
 *
 * <p>The SQL is common to PostgreSQL and MariaDB. All maps are read by one statement, so that they
 * are of one instant; map versions and tables are never changed once committed.
 */
final class JdbcCatalog implements Catalog {
  private static final int MAX_REASON_CHARS = 500;
  private static final String META = "SELECT format, cluster_id FROM shardwright_meta";
  private static final String GROUPS =
      "SELECT g.name, g.key_columns, g.hash, g.buckets, g.layout, g.map_version,"
          + " r.first_bucket, r.last_bucket, r.shard"
          + " FROM shardwright_group g LEFT JOIN shardwright_map_range r"
          + " ON r.grp = g.name AND r.version = g.map_version"
          + " ORDER BY g.name, r.first_bucket";

  /** Opens a connection; tests put a breaking one here. */
  interface ConnectionSource {
    Connection open() throws SQLException;
  }

  private interface Work<T> {
    T run(Connection connection) throws SQLException;
  }

  private final Configuration configuration;
  private final Endpoint endpoint;
  private final ConnectionSource source;

  /** Null when closed or broken; guarded by this. */
  private Connection connection;

  private boolean closed;

  JdbcCatalog(Configuration configuration, Endpoint endpoint) {
    this(configuration, endpoint, () -> DatabaseLogin.SHORT.open(endpoint));
  }

  JdbcCatalog(Configuration configuration, Endpoint endpoint, ConnectionSource source) {
    this.configuration = configuration;
    this.endpoint = endpoint;
    this.source = source;
  }

  @Override
  public synchronized CatalogState load() {
    return call(this::readState);
  }

  @Override
  public synchronized Optional<CatalogState> loadIfNewer(CatalogState known) {
    return call(c -> isNewer(c, known) ? Optional.of(readState(c)) : Optional.empty());
  }

  @Override
  public synchronized BucketMap publish(BucketMap next, String reason) {
    if (reason.isBlank() || reason.length() > MAX_REASON_CHARS) {
      throw new IllegalArgumentException(
          "the reason has " + reason.length() + " characters, 1 to " + MAX_REASON_CHARS);
    }
    Group group = configuration.groups().get(next.group());
    if (group == null || group.buckets() != next.buckets()) {
      throw new ShardwrightException(
          ErrorCode.CATALOG_MISMATCH,
          next + " cannot be published: the configuration has no such group with as many buckets");
    }
    UUID publisher = UUID.randomUUID();
    Connection used = call(c -> prepare(c, next, reason, publisher));
    try {
      used.commit();
      used.setAutoCommit(true);
    } catch (SQLException e) {
      discard();
      confirm(next, publisher, e);
    }
    return next;
  }

  @Override
  public synchronized void close() {
    closed = true;
    discard();
  }

  private CatalogState readState(Connection c) throws SQLException {
    UUID clusterId = readClusterId(c);
    Map<String, GroupRow> rows = readGroups(c);
    Map<String, BucketMap> maps = new HashMap<>();
    for (Group group : configuration.groups().values()) {
      GroupRow row = rows.get(group.name());
      if (row == null) {
        throw notApplied("lacks group " + group.name(), null);
      }
      maps.put(group.name(), row.checkedMap(group, configuration.shards().keySet()));
    }
    for (TableRow table : CatalogInstaller.readTables(c)) {
      table.check(configuration);
    }
    return new CatalogState(Optional.of(clusterId), maps);
  }

  private UUID readClusterId(Connection c) throws SQLException {
    try (Statement statement = c.createStatement();
        ResultSet row = statement.executeQuery(META)) {
      if (!row.next()) {
        throw notApplied("is empty", null);
      }
      checkFormat(row.getInt(1));
      return UUID.fromString(row.getString(2));
    }
  }

  private static Map<String, GroupRow> readGroups(Connection c) throws SQLException {
    Map<String, GroupRow> groups = new HashMap<>();
    try (Statement statement = c.createStatement();
        ResultSet row = statement.executeQuery(GROUPS)) {
      while (row.next()) {
        GroupRow group = groups.get(row.getString(1));
        if (group == null) {
          group =
              new GroupRow(
                  new GroupRow.Definition(
                      row.getString(1),
                      GroupRow.splitNames(row.getString(2)),
                      row.getString(3),
                      row.getInt(4),
                      row.getString(5)),
                  row.getLong(6),
                  new ArrayList<>());
          groups.put(row.getString(1), group);
        }
        if (row.getString(9) != null) {
          group
              .ranges()
              .add(new MapRange(row.getInt(7), row.getInt(8), new ShardId(row.getString(9))));
        }
      }
    }
    return groups;
  }

  private boolean isNewer(Connection c, CatalogState known) throws SQLException {
    boolean newer = false;
    try (Statement statement = c.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT m.format, g.name, g.map_version"
                    + " FROM shardwright_meta m CROSS JOIN shardwright_group g")) {
      while (row.next()) {
        checkFormat(row.getInt(1));
        BucketMap map = known.maps().get(row.getString(2));
        if (map != null && row.getLong(3) < map.version()) {
          throw new ShardwrightException(
              ErrorCode.CATALOG_MISMATCH,
              "the catalog at "
                  + endpoint
                  + " holds version "
                  + row.getLong(3)
                  + " of the bucket map of group "
                  + map.group()
                  + ", older than version "
                  + map.version()
                  + " seen before; was it restored from a backup? Bring it up to date first");
        }
        newer |= map != null && row.getLong(3) > map.version();
      }
    }
    return newer;
  }

  /** All of a publication but its commit. The update of the group row is the compare-and-set. */
  private Connection prepare(Connection c, BucketMap next, String reason, UUID publisher)
      throws SQLException {
    c.setAutoCommit(false);
    readClusterId(c);
    try (PreparedStatement update =
        c.prepareStatement(
            "UPDATE shardwright_group SET map_version = ? WHERE name = ? AND map_version = ?")) {
      update.setLong(1, next.version());
      update.setString(2, next.group());
      update.setLong(3, next.version() - 1);
      if (update.executeUpdate() == 0) {
        throw conflict(next, null);
      }
    }
    GroupRow row = readGroups(c).get(next.group());
    new GroupRow(row.definition(), next.version(), MapRange.of(next))
        .checkedMap(configuration.groups().get(next.group()), configuration.shards().keySet());
    CatalogInstaller.insertMap(c, next, reason, publisher);
    return c;
  }

  /**
   * After a commit without answer. The lock on the group row is free only when that transaction has
   * ended, one way or the other; then the version's publisher tells which.
   */
  private void confirm(BucketMap next, UUID publisher, SQLException lost) {
    Optional<String> winner;
    try {
      winner = call(c -> readPublisher(c, next));
    } catch (ShardwrightException e) {
      lost.addSuppressed(e);
      throw new ShardwrightException(
          ErrorCode.OUTCOME_UNKNOWN,
          "the connection to the catalog at "
              + endpoint
              + " broke while version "
              + next.version()
              + " of the bucket map of group "
              + next.group()
              + " was committed, and the catalog cannot be asked whether it was; load the state"
              + " before publishing again",
          lost);
    }
    if (winner.isEmpty()) {
      throw unavailable("broke before the map was published; nothing was changed", lost);
    }
    if (!winner.get().equals(publisher.toString())) {
      throw conflict(next, lost);
    }
  }

  private static Optional<String> readPublisher(Connection c, BucketMap map) throws SQLException {
    c.setAutoCommit(false);
    try (PreparedStatement lock =
        c.prepareStatement("SELECT name FROM shardwright_group WHERE name = ? FOR UPDATE")) {
      lock.setString(1, map.group());
      lock.executeQuery().close();
    }
    try (PreparedStatement select =
        c.prepareStatement(
            "SELECT publisher FROM shardwright_map_version WHERE grp = ? AND version = ?")) {
      select.setString(1, map.group());
      select.setLong(2, map.version());
      try (ResultSet row = select.executeQuery()) {
        Optional<String> publisher = row.next() ? Optional.of(row.getString(1)) : Optional.empty();
        c.rollback();
        c.setAutoCommit(true);
        return publisher;
      }
    }
  }

  /** Runs once more on a new connection when one from an earlier call turns out to be broken. */
  private <T> T call(Work<T> work) {
    if (closed) {
      throw new ShardwrightException(
          ErrorCode.CONNECTION_CLOSED, "the catalog was closed; open it again");
    }
    boolean reused = connection != null;
    try {
      return attempt(work);
    } catch (SQLException e) {
      if (reused && SqlFailure.isBroken(e)) {
        try {
          return attempt(work);
        } catch (SQLException again) {
          throw translate(again);
        }
      }
      throw translate(e);
    }
  }

  private <T> T attempt(Work<T> work) throws SQLException {
    boolean done = false;
    try {
      if (connection == null) {
        connection = source.open();
      }
      T result = work.run(connection);
      done = true;
      return result;
    } finally {
      // Whatever went wrong may have left a transaction open: a new connection is the sure way out.
      if (!done) {
        discard();
      }
    }
  }

  private void discard() {
    Connection old = connection;
    connection = null;
    if (old != null) {
      try {
        old.close();
      } catch (SQLException e) {
        // It is given up anyway.
      }
    }
  }

  private void checkFormat(int format) {
    if (format > CatalogInstaller.FORMAT) {
      throw new ShardwrightException(
          ErrorCode.CATALOG_FORMAT_UNSUPPORTED,
          "the catalog at "
              + endpoint
              + " has format "
              + format
              + ", this release knows formats up to "
              + CatalogInstaller.FORMAT
              + "; use the release that wrote it, or a newer one");
    }
  }

  private ShardwrightException conflict(BucketMap next, SQLException cause) {
    return new ShardwrightException(
        ErrorCode.CATALOG_CONFLICT,
        "version "
            + next.version()
            + " of the bucket map of group "
            + next.group()
            + " does not follow the current version: another one was published in between; load"
            + " the state, decide anew and publish again",
        cause);
  }

  private ShardwrightException notApplied(String why, SQLException cause) {
    return new ShardwrightException(
        ErrorCode.NOT_APPLIED,
        "the catalog at " + endpoint + " " + why + "; run shardwright apply -c FILE",
        cause);
  }

  private ShardwrightException unavailable(String why, SQLException cause) {
    return new ShardwrightException(
        ErrorCode.CATALOG_UNAVAILABLE, "the catalog at " + endpoint + " " + why, cause);
  }

  private ShardwrightException translate(SQLException e) {
    if (SqlFailure.isLogin(e) || SqlFailure.isMissingRight(e)) {
      return new ShardwrightException(
          ErrorCode.CATALOG_LOGIN_FAILED,
          "the catalog at "
              + endpoint
              + " refused user "
              + endpoint.user()
              + " ("
              + e.getMessage()
              + "); check catalog.user, catalog.password and the user's rights",
          e);
    }
    if (SqlFailure.isMissingTable(e)) {
      return notApplied("has no Shardwright tables", e);
    }
    return SqlFailure.isConflict(e)
        ? new ShardwrightException(
            ErrorCode.CATALOG_CONFLICT,
            "the catalog at " + endpoint + " was changed at the same time; load and try again",
            e)
        : unavailable("cannot be used: " + e.getMessage(), e);
  }
}
