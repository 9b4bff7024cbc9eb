package io.shardwright.catalog;

import io.shardwright.config.Configuration;
import io.shardwright.config.Configuration.Endpoint;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.BucketMap;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * The catalog in a database, over one connection that is opened when needed and again after it
 * broke. Thread-safe: one call at a time, each bounded by the login's timeouts.
 *
 * <p>The SQL is common to PostgreSQL and MariaDB, but for the renewal of a lease.
 */
final class JdbcCatalog implements Catalog {
  // Long because: what is read and what is changed share one connection and its loss.

  private static final int MAX_REASON_CHARS = 500;
  private static final long LOOK_MILLIS = 100;

  /** Opens a connection; tests put a breaking one here. */
  interface ConnectionSource {
    Connection open() throws SQLException;
  }

  private interface Work<T> {
    T run(Connection connection) throws SQLException;
  }

  private final Endpoint endpoint;
  private final ConnectionSource source;

  /** Guarded by this, as the reader. */
  private Configuration configuration;

  private CatalogReader reader;

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
    this.reader = new CatalogReader(configuration, endpoint);
  }

  @Override
  public synchronized CatalogState load() {
    return call(c -> reader.state(c));
  }

  @Override
  public synchronized Optional<CatalogState> loadIfNewer(CatalogState known) {
    return call(c -> reader.isNewer(c, known) ? Optional.of(reader.state(c)) : Optional.empty());
  }

  @Override
  public synchronized BucketMap publish(BucketMap next, String reason) {
    if (reason.isBlank() || reason.length() > MAX_REASON_CHARS) {
      throw new IllegalArgumentException(
          "the reason has " + reason.length() + " characters, 1 to " + MAX_REASON_CHARS);
    }
    if (GroupRow.Definition.of(configuration, next.group()).isEmpty()) {
      throw unfit(next, "the configuration has no such group or index");
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
  public synchronized Optional<CatalogState> renew(DriverLease lease, CatalogState known) {
    return call(
        c -> {
          DriverLease.Moment sent = lease.now();
          LeaseRows.Renewal renewal = LeaseRows.renew(c, lease, known.version());
          reader.checkFormat(renewal.format());
          reader.checkNotOlder(renewal.latest(), known);
          if (renewal.live()) {
            lease.extend(sent);
          }
          return renewal.latest() > known.version()
              ? Optional.of(reader.state(c))
              : Optional.empty();
        });
  }

  @Override
  public synchronized void adopt(Configuration next) {
    configuration = next;
    reader = new CatalogReader(next, endpoint);
  }

  @Override
  public synchronized void release(DriverLease lease) {
    lease.end();
    call(
        c -> {
          LeaseRows.release(c, lease);
          return null;
        });
  }

  /** Other calls go on between two looks. */
  @Override
  public synchronized List<UUID> awaitSeen(long version, Duration patience) {
    long start = System.nanoTime();
    List<UUID> behind = call(c -> LeaseRows.behind(c, version));
    while (!behind.isEmpty() && System.nanoTime() - start < patience.toNanos()) {
      try {
        wait(LOOK_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return behind;
      }
      behind = call(c -> LeaseRows.behind(c, version));
    }
    return behind;
  }

  @Override
  public synchronized CatalogIndex changeIndex(CatalogIndex known, CatalogIndex next) {
    return committed(
        known,
        c -> {
          CatalogIndex changed = next.withVersion(IndexRows.nextVersion(c));
          if (!next.state().isMaintained()) {
            requireAtRest(c, known);
          }
          if (!IndexRows.change(c, known, changed)) {
            throw conflict(known);
          }
          return changed;
        });
  }

  @Override
  public synchronized void removeIndex(CatalogIndex known) {
    if (known.state().isMaintained()) {
      throw new IllegalArgumentException(known + " is in use");
    }
    committed(
        known,
        c -> {
          IndexRows.nextVersion(c);
          requireAtRest(c, known);
          if (!IndexRows.delete(c, known)) {
            throw conflict(known);
          }
          return known;
        });
  }

  /** Moves are created under the lock of the state's version, which this transaction has. */
  private void requireAtRest(Connection c, CatalogIndex index) throws SQLException {
    if (reader.meta(c).format() >= CatalogInstaller.FORMAT_OF_MOVES) {
      Optional<Move> move = MoveRows.lockedUnended(c, index.name().placement());
      if (move.isPresent()) {
        throw CatalogMoves.inMove(index.name(), move.get());
      }
    }
  }

  /** In a transaction. A commit without answer is told of and never repeated. */
  private <T> T committed(CatalogIndex index, Work<T> work) {
    T result =
        call(
            c -> {
              c.setAutoCommit(false);
              reader.meta(c);
              return work.run(c);
            });
    try {
      connection.commit();
      connection.setAutoCommit(true);
    } catch (SQLException e) {
      discard();
      throw new ShardwrightException(
          ErrorCode.OUTCOME_UNKNOWN,
          "the connection to the catalog at "
              + endpoint
              + " broke while a new state of lookup index "
              + index.name()
              + " was committed; load the state before changing it again",
          e);
    }
    return result;
  }

  private static ShardwrightException conflict(CatalogIndex known) {
    return new ShardwrightException(
        ErrorCode.CATALOG_CONFLICT,
        "lookup index "
            + known.name()
            + " is not "
            + known.state().stored()
            + " of version "
            + known.version()
            + " any more: another process changed it; load the state and decide anew");
  }

  @Override
  public synchronized void close() {
    closed = true;
    discard();
    notifyAll();
  }

  private static ShardwrightException unfit(BucketMap next, String why) {
    return new ShardwrightException(
        ErrorCode.CATALOG_MISMATCH, next + " cannot be published: " + why);
  }

  /** All of a publication but its commit. The update of the group row is the compare-and-set. */
  private Connection prepare(Connection c, BucketMap next, String reason, UUID publisher)
      throws SQLException {
    c.setAutoCommit(false);
    int format = reader.meta(c).format();
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
    if (format >= CatalogInstaller.FORMAT_OF_INDEXES) {
      IndexRows.nextVersion(c);
    }
    GroupRow row = CatalogReader.groups(c).get(next.group());
    if (next.buckets() < row.definition().buckets()) {
      throw unfit(next, "the group has " + row.definition().buckets() + " buckets and more");
    }
    new GroupRow(row.definition(), next.version(), MapRange.of(next))
        .checkedMap(
            GroupRow.Definition.of(configuration, next.group()).orElseThrow(),
            configuration.shards().keySet(),
            next.buckets());
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
      return reader.notApplied("has no Shardwright tables", e);
    }
    return SqlFailure.isConflict(e)
        ? new ShardwrightException(
            ErrorCode.CATALOG_CONFLICT,
            "the catalog at " + endpoint + " was changed at the same time; load and try again",
            e)
        : unavailable("cannot be used: " + e.getMessage(), e);
  }
}
