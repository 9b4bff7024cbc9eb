package io.shardwright.driver;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import io.shardwright.catalog.OwnedBuckets;
import io.shardwright.config.Configuration;
import io.shardwright.config.DatabaseProduct;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.ShardId;
import io.shardwright.schema.Fence;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connections of this process to one shard.
 *
 * <p>Problem: transactions that hold a connection here and read from other shards wait for
 * connections there, which may all be held by transactions that wait for one here. Idea: an eighth
 * of the connections is for reads only, which wait for nobody's locks and take their shards in one
 * order; so on the last shard in that order connections for reads always come back, therefore on
 * the last but one, and so on. Pools below eight have none to spare: there the wait ends with the
 * pool's timeout.
 *
 * <p>A shard that is down stops no other, and costs a statement no time: only one attempt to
 * connect runs then, mostly {@link #tryAgain()}'s, and who wants a connection meanwhile is refused
 * at once. Thread-safe.
 */
final class ShardPool implements AutoCloseable {
  // Long because: who gets a connection, and what is told who gets none, belong together.

  private static final Logger LOG = LoggerFactory.getLogger(ShardPool.class);

  /** Kept open when idle; the pool grows to its maximum when needed. */
  private static final int MIN_IDLE = 1;

  /**
   * When a shard that is down was not tried for so long, the next lease tries: longer than the
   * watcher's period, so that statements pay for an attempt only when the watcher is held up.
   */
  private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** Shorter than the lease of a driver process. */
  private static final long UNFENCED_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** Pools of so many connections keep one of so many for reads. */
  private static final int CONNECTIONS_PER_READER = 8;

  private final Configuration.Shard configured;
  private final ShardId shard;
  private final DatabaseProduct product;
  private final PhysicalDatabase database;
  private volatile HikariDataSource source;
  private final FirstContact firstContact;
  private final Semaphore locking;
  private final AtomicBoolean trying = new AtomicBoolean();
  private volatile boolean contacted;
  private volatile boolean fenced;

  /** When it was found out that it is not; 0: it was not. */
  private volatile long unfencedNanos;

  private volatile boolean down;
  private volatile SQLException lastFailure;
  private volatile long lastAttemptNanos;

  /** What a connection is wanted for. */
  enum Purpose {
    /** A statement that waits for no other: it takes no locks, and its transaction is its own. */
    READ,
    /** A statement that locks or writes, or a transaction. */
    LOCK
  }

  /** What must hold for a database before it is used as a shard. */
  interface FirstContact {
    /**
     * @throws ShardwrightException SW103, SW104, SW105, SW505
     */
    void check(Connection connection) throws SQLException;
  }

  ShardPool(Configuration.Shard shard, FirstContact firstContact) {
    this.configured = shard;
    this.shard = shard.id();
    this.product = shard.endpoint().product();
    this.database = PhysicalDatabase.of(product);
    this.source = open(shard);
    this.firstContact = firstContact;
    int max = source.getMaximumPoolSize();
    this.locking = new Semaphore(max - max / CONNECTIONS_PER_READER, true);
  }

  /** What all pools of a shard have in common. */
  static HikariConfig config(Configuration.Shard shard) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(
        PhysicalDatabase.of(shard.endpoint().product()).poolUrl(shard.endpoint().url()));
    config.setExceptionOverride(PhysicalErrors.KEEP_INTERRUPTED);
    config.setUsername(shard.endpoint().user());
    config.setPassword(shard.endpoint().password());
    config.setConnectionTimeout(shard.pool().timeout().toMillis());
    config.setInitializationFailTimeout(-1);
    return config;
  }

  private static HikariDataSource open(Configuration.Shard shard) {
    HikariConfig config = config(shard);
    config.setPoolName("shardwright-" + shard.id());
    config.setMaximumPoolSize(shard.pool().max());
    config.setMinimumIdle(Math.min(MIN_IDLE, shard.pool().max()));
    config.setConnectionInitSql(Fence.checkOfServer(shard.endpoint().product(), ""));
    try {
      return new HikariDataSource(config);
    } catch (RuntimeException e) {
      // Its message may show what the url holds, so it is not chained.
      throw new ShardwrightException(
          ErrorCode.CONFIGURATION_INVALID,
          "shards."
              + shard.id()
              + ".url: no JDBC driver on the class path accepts it; add the database's driver");
    }
  }

  ShardId shard() {
    return shard;
  }

  PhysicalDatabase database() {
    return database;
  }

  DatabaseProduct product() {
    return product;
  }

  /** True from a failed attempt to connect until the next one that succeeds. */
  boolean isDown() {
    return down;
  }

  /**
   * A connection in its initial state.
   *
   * @throws SQLException SW401 to SW403, SW406, SW103 to SW105, SW505; nothing was sent then
   */
  Lease lease(Purpose purpose, LeaseWait wait) throws SQLException {
    wait.enter();
    try {
      return lease(purpose);
    } catch (SQLException e) {
      boolean exhausted =
          e instanceof ShardwrightError error && error.code() == ErrorCode.SHARD_POOL_EXHAUSTED;
      throw exhausted && wait.ended() != null ? ended(wait, e) : e;
    } finally {
      wait.leave();
    }
  }

  private Lease lease(Purpose purpose) throws SQLException {
    if (purpose == Purpose.READ) {
      return lease();
    }
    awaitLocking();
    boolean leased = false;
    try {
      Lease lease = new Lease(this, lease().connection(), purpose);
      leased = true;
      return lease;
    } finally {
      if (!leased) {
        locking.release();
      }
    }
  }

  private void awaitLocking() throws SQLException {
    try {
      if (!locking.tryAcquire(down ? 0 : source.getConnectionTimeout(), TimeUnit.MILLISECONDS)) {
        throw down ? unavailable(lastFailure) : exhausted(null);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw interrupted(e);
    }
  }

  void lockingEnded() {
    locking.release();
  }

  private Lease lease() throws SQLException {
    if (!down || hasIdle()) {
      return connect();
    }
    if (System.nanoTime() - lastAttemptNanos < RETRY_NANOS || !trying.compareAndSet(false, true)) {
      throw unavailable(lastFailure);
    }
    try {
      return connect();
    } finally {
      tried();
    }
  }

  /** One attempt at a time, which takes up to the pool's timeout and tells when it succeeds. */
  void tryAgain() {
    if (trying.compareAndSet(false, true)) {
      try {
        connect().release();
      } catch (SQLException e) {
        LOG.debug("shard {} is still not usable", shard, e);
      } finally {
        tried();
      }
    }
  }

  private void tried() {
    lastAttemptNanos = System.nanoTime();
    trying.set(false);
  }

  private Lease connect() throws SQLException {
    HikariDataSource used = source;
    Connection connection;
    try {
      connection = used.getConnection();
    } catch (SQLException e) {
      SQLException failure = failure(e);
      if (cannotSetUp(e)) {
        renew(used);
      }
      throw failure;
    }
    if (!contacted) {
      contact(connection);
    }
    if (down) {
      down = false;
      LOG.info("shard {} is reachable again", shard);
    }
    return new Lease(this, connection, Purpose.READ);
  }

  /** True when no connection was ever made, although the server answers. */
  private boolean cannotSetUp(SQLException e) {
    SQLException reason = reason(e);
    return !contacted
        && !reason.equals(e)
        && !PhysicalErrors.isConnectionBroken(reason)
        && !PhysicalErrors.isLoginRefused(reason)
        && !PhysicalErrors.isIncarnation(reason);
  }

  /**
   * HikariCP asks its first connection for the isolation. When that one breaks just then it goes on
   * without an answer, and never sets up a connection again (its issue 1944); a new pool asks anew.
   */
  private synchronized void renew(HikariDataSource dead) {
    if (dead.equals(source) && !dead.isClosed()) {
      LOG.info("shard {}: the pool is replaced, since it cannot set up connections", shard);
      source = open(configured);
      dead.close();
    }
  }

  /** The pool goes on connecting by itself: it may have succeeded before anyone asked. */
  private boolean hasIdle() {
    HikariPoolMXBean pool = source.getHikariPoolMXBean();
    return pool != null && pool.getIdleConnections() > 0;
  }

  /**
   * A connection was found broken: those that are idle are probably broken too, and are replaced
   * rather than handed out.
   */
  void broken() {
    HikariPoolMXBean pool = source.getHikariPoolMXBean();
    if (pool != null) {
      pool.softEvictConnections();
    }
  }

  /**
   * The same, for a question that changes nothing.
   *
   * @return SW401
   */
  SQLException broke(SQLException e) {
    broken();
    return SqlErrors.of(
        ErrorCode.SHARD_UNAVAILABLE,
        "the connection to shard " + shard + " broke (" + e.getMessage() + "); it may be repeated",
        e);
  }

  /** Takes a connection out of the pool that must not be used again. */
  void evict(Connection connection) {
    source.evictConnection(connection);
  }

  void discarded(SQLException e) {
    LOG.debug("shard {}: closing a connection failed", shard, e);
  }

  /**
   * Whether the shard says which buckets it owns. Where it does not, no move can have been, nor
   * will be for longer than the answer is remembered: its rows come before the catalog's record of
   * moves, and that waits for each driver's lease.
   */
  boolean isFenced(Connection connection) throws SQLException {
    long asked = unfencedNanos;
    if (fenced || (asked != 0 && System.nanoTime() - asked < UNFENCED_NANOS)) {
      return fenced;
    }
    fenced = OwnedBuckets.exist(connection);
    unfencedNanos = fenced ? 0 : System.nanoTime();
    return fenced;
  }

  /** Connections that are in use now. */
  int active() {
    HikariPoolMXBean pool = source.getHikariPoolMXBean();
    return pool == null ? 0 : pool.getActiveConnections();
  }

  @Override
  public synchronized void close() {
    source.close();
  }

  private void contact(Connection connection) throws SQLException {
    boolean accepted = false;
    try {
      firstContact.check(connection);
      accepted = true;
      contacted = true;
    } catch (ShardwrightException e) {
      throw SqlErrors.of(e);
    } catch (SQLException e) {
      if (!PhysicalErrors.isConnectionBroken(e)) {
        throw e;
      }
      broken();
      throw unavailable(e);
    } finally {
      if (!accepted) {
        // What its session has set stays as it is; the next attempt is to see the server's own.
        evict(connection);
      }
    }
  }

  private SQLException failure(SQLException e) {
    if (source.isClosed()) {
      return SqlErrors.of(
          ErrorCode.CONNECTION_CLOSED, "the data source is closed; open a new one", e);
    }
    if (e.getCause() instanceof InterruptedException) {
      return interrupted(e);
    }
    HikariPoolMXBean pool = source.getHikariPoolMXBean();
    int total = pool == null ? 0 : pool.getTotalConnections();
    SQLException reason = reason(e);
    if (total < source.getMaximumPoolSize()) {
      if (PhysicalErrors.isLoginRefused(reason)) {
        return loginFailed(reason);
      }
      if (total == 0
          || PhysicalErrors.isIncarnation(reason)
          || PhysicalErrors.isConnectionBroken(reason)) {
        // Otherwise the server only takes no more connections, and one may become free any time.
        down(reason);
      }
      return unavailable(reason);
    }
    return exhausted(e);
  }

  /** What the server said; the pool wraps what its first statement of a connection met twice. */
  private static SQLException reason(SQLException e) {
    Throwable cause = e.getCause();
    while (cause != null && !(cause instanceof SQLException)) {
      cause = cause.getCause();
    }
    return cause instanceof SQLException found ? found : e;
  }

  private SQLException interrupted(Exception e) {
    return SqlErrors.of(
        ErrorCode.SHARD_POOL_EXHAUSTED,
        "the thread was interrupted while it waited for a connection of shard "
            + shard
            + "; nothing was sent",
        e);
  }

  private SQLException exhausted(SQLException e) {
    return SqlErrors.of(
        ErrorCode.SHARD_POOL_EXHAUSTED,
        "shard "
            + shard
            + ": no connection became free within "
            + source.getConnectionTimeout()
            + " ms "
            + counters()
            + "; nothing was sent; "
            + moreConnections(),
        e);
  }

  private SQLException ended(LeaseWait wait, SQLException e) {
    return SqlErrors.of(
        ErrorCode.SCATTER_TIMEOUT,
        "the statement waited for a connection of shard "
            + shard
            + " "
            + counters()
            + " when "
            + wait.ended()
            + "; nothing was sent to it; "
            + moreConnections(),
        e);
  }

  private String counters() {
    int max = source.getMaximumPoolSize();
    int readers = max / CONNECTIONS_PER_READER;
    HikariPoolMXBean pool = source.getHikariPoolMXBean();
    return "(max "
        + max
        + (readers == 0 ? "" : ", " + readers + " of them for reads only")
        + ", in use "
        + (pool == null ? 0 : pool.getActiveConnections())
        + ", idle "
        + (pool == null ? 0 : pool.getIdleConnections())
        + ", waiting "
        + ((pool == null ? 0 : pool.getThreadsAwaitingConnection()) + locking.getQueueLength())
        + ")";
  }

  private String moreConnections() {
    return "close result sets and connections early, or raise shards." + shard + ".pool.max";
  }

  private SQLException loginFailed(SQLException reason) {
    return SqlErrors.of(
        ErrorCode.SHARD_LOGIN_FAILED,
        "shard "
            + shard
            + " refuses the login of user '"
            + source.getUsername()
            + "'; nothing was sent; correct shards."
            + shard
            + ".user and .password",
        reason);
  }

  private void down(SQLException reason) {
    lastFailure = reason;
    lastAttemptNanos = System.nanoTime();
    if (!down) {
      down = true;
      LOG.warn("shard {} is not reachable: {}", shard, reason.getMessage());
    }
  }

  private SQLException unavailable(SQLException reason) {
    if (PhysicalErrors.isIncarnation(reason)) {
      return SqlErrors.of(
          ErrorCode.SHARD_INCARNATION,
          "shard "
              + shard
              + " was failed over, or restored: its server is not the one on which its rows of"
              + " shardwright_bucket were recorded, and may lack the last changes; nothing was sent;"
              + " the other shards go on; run shardwright apply -c FILE, which compares it with the"
              + " catalog",
          reason);
    }
    return SqlErrors.of(
        ErrorCode.SHARD_UNAVAILABLE,
        "shard "
            + shard
            + " is not reachable ("
            + reason.getMessage()
            + "); nothing was sent; the other shards go on; check that its database runs and"
            + " shards."
            + shard
            + ".url",
        reason);
  }
}
