package io.shardwright.driver;

import io.shardwright.driver.ShardPool.Purpose;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.lookup.IndexWork;
import io.shardwright.routing.BucketSet;
import io.shardwright.routing.ShardId;
import io.shardwright.schema.Fence;
import io.shardwright.sql.Hints;
import io.shardwright.sql.Plan;
import io.shardwright.sql.Route;
import io.shardwright.sql.Route.ShardStatement;
import io.shardwright.sql.Schema;
import java.sql.Array;
import java.sql.Blob;
import java.sql.CallableStatement;
import java.sql.Clob;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.NClob;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLClientInfoException;
import java.sql.SQLException;
import java.sql.SQLTransactionRollbackException;
import java.sql.SQLWarning;
import java.sql.SQLXML;
import java.sql.Savepoint;
import java.sql.Statement;
import java.sql.Struct;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.Executor;

/**
 * A logical connection. It holds no physical connection while nothing is open: a statement leases
 * one per shard until its result is closed, a transaction until it ends. For one thread at a time,
 * as JDBC connections are; {@link #abort} and a statement's cancel may come from others.
 */
final class ShardwrightConnection implements Connection, ShardwrightSession {
  // Long because: JDBC has 60 methods here.

  private static final int UNSET = -1;

  private final Cluster cluster;
  private ConnectionSettings settings;

  /** Null: none. */
  private ScatterLimits scatterLimits;

  private final Runnable onClose;

  /**
   * Open ones, guarded by this object. Most connections have one at a time, which needs no list.
   */
  private ShardwrightStatement openStatement;

  private List<ShardwrightStatement> moreOpenStatements = List.of();

  /** Tokens of those that {@link #use} was told of. */
  private Set<Long> reservations = Set.of();

  private LeaseWait leaseWait = LeaseWait.UNENDED;

  /** Shards that something was committed on; replaced as a whole, since most connections read. */
  private volatile Set<ShardId> written = Set.of();

  /** Null in autocommit mode. */
  private volatile Transaction transaction;

  private boolean readOnly;
  private int isolation = UNSET;
  private Executor networkTimeoutExecutor;
  private int networkTimeoutMillis;
  private SQLWarning warnings;
  private volatile boolean closed;

  ShardwrightConnection(Cluster cluster, ConnectionSettings settings, Runnable onClose) {
    this.cluster = cluster;
    this.settings = settings;
    this.onClose = onClose;
  }

  Cluster cluster() {
    return cluster;
  }

  ConnectionSettings settings() {
    return settings;
  }

  Planned plan(String sql) throws SQLException {
    checkOpen();
    try {
      return cluster.plan(sql);
    } catch (ShardwrightException e) {
      throw refused(sql, e);
    }
  }

  /** The same for a text that may hold values. */
  Planned planText(String sql) throws SQLException {
    checkOpen();
    try {
      return cluster.planText(sql);
    } catch (ShardwrightException e) {
      throw refused(sql, e);
    }
  }

  /** The same for one that is sent as it is. */
  Planned planWholeText(String sql) throws SQLException {
    checkOpen();
    try {
      return cluster.planWholeText(sql);
    } catch (ShardwrightException e) {
      throw refused(sql, e);
    }
  }

  private SQLException refused(String sql, ShardwrightException e) {
    cluster.database().plans().counters(sql).refused(e.code());
    return SqlErrors.of(e);
  }

  // Leases: what a statement runs on

  /** Of the execution that begins; {@link LeaseWait#UNENDED} when it has ended. */
  void leaseWait(LeaseWait current) {
    leaseWait = current;
  }

  /** For a statement that one shard answers; in a transaction it pins that shard. */
  ShardCall call(ShardStatement to, Plan plan) throws SQLException {
    checkOpen();
    ShardPool pool = cluster.pool(to.shard());
    if (isAutoCommit()) {
      return new ShardCall(configured(pool.lease(purpose(plan.locksOrWrites()), leaseWait)), true);
    }
    Lease lease = transaction.on(to.shard());
    if (lease == null) {
      String what = to.buckets().isEmpty() ? plan.reason() : "bucket " + shortened(to.buckets());
      transaction.checkUsable();
      if (transaction.pinned() != null && !settings.isMulti()) {
        boolean moved =
            plan.group().filter(group -> transaction.hadAll(group, to.buckets())).isPresent();
        throw moved ? movedMeanwhile(what, to.shard()) : transaction.secondShard(to.shard(), what);
      }
      lease = join(introduced(pool.lease(Purpose.LOCK, leaseWait), plan), what);
    }
    transaction.checkUsable();
    return new ShardCall(lease, false);
  }

  private SQLException movedMeanwhile(String what, ShardId shard) {
    cluster.statistics().moves().stale();
    return SqlErrors.of(
        ErrorCode.BUCKET_MOVED,
        what
            + " moved from shard "
            + transaction.pinned().shard()
            + ", which the transaction is on, to shard "
            + shard
            + "; nothing was sent; roll back and repeat the transaction");
  }

  /** Before it begins a transaction with a plain INSERT. */
  private Lease introduced(Lease lease, Plan plan) throws SQLException {
    if (plan.insertsPlainRows() && !plan.maintained().isEmpty()) {
      boolean done = false;
      try {
        cluster.indexes().introduce(lease);
        done = true;
      } finally {
        if (!done) {
          lease.release();
        }
      }
    }
    return lease;
  }

  /**
   * For a statement that any shard can answer. It pins an unpinned transaction only where it has
   * to: when it locks, or when the isolation level promises one snapshot.
   */
  ShardCall anyShard(boolean locksOrWrites) throws SQLException {
    checkOpen();
    if (isAutoCommit()) {
      return new ShardCall(configured(cluster.leaseAny(purpose(locksOrWrites), leaseWait)), true);
    }
    if (transaction.pinned() == null) {
      if (!locksOrWrites && isReadCommitted()) {
        return new ShardCall(configured(cluster.leaseAny(Purpose.READ, leaseWait)), true);
      }
      join(cluster.leaseAny(Purpose.LOCK, leaseWait), "a statement that every shard could answer");
    }
    transaction.checkUsable();
    return new ShardCall(transaction.pinned(), false);
  }

  /**
   * For questions about the schema: always the same shard, so that names of catalogs and object ids
   * fit each other. A transaction on another shard misses nothing, since it cannot change the
   * schema.
   */
  ShardCall firstShard() throws SQLException {
    checkOpen();
    Lease lease = leaseOn(cluster.pools().firstKey());
    if (lease != null) {
      transaction.checkUsable();
      return new ShardCall(lease, false);
    }
    return new ShardCall(configured(cluster.leaseFirst(leaseWait)), true);
  }

  private static Purpose purpose(boolean locksOrWrites) {
    return locksOrWrites ? Purpose.LOCK : Purpose.READ;
  }

  /**
   * For a write on several shards, all leases in shard order or none. Inside a transaction they
   * join it, and those that did stay.
   */
  ShardCall[] calls(List<ShardStatement> to) throws SQLException {
    checkOpen();
    ShardCall[] calls = new ShardCall[to.size()];
    boolean complete = false;
    try {
      for (int i = 0; i < calls.length; i++) {
        ShardId shard = to.get(i).shard();
        calls[i] =
            isAutoCommit()
                ? callOneOfSeveral(shard, Purpose.LOCK)
                : joined(shard, "a write to several shards");
      }
      complete = true;
      return calls;
    } finally {
      if (!complete) {
        ShardCall.closeAll(calls);
      }
    }
  }

  /**
   * For the part of one shard; a transaction's own shards see what the transaction wrote. For a
   * read others join it only where it promises that a second read gives the same.
   */
  ShardCall callOneOfSeveral(ShardId shard, Purpose purpose) throws SQLException {
    checkOpen();
    Lease lease = leaseOn(shard);
    if (lease != null) {
      return new ShardCall(lease, false);
    }
    return isAutoCommit() || isReadCommitted()
        ? new ShardCall(configured(cluster.pool(shard).lease(purpose, leaseWait)), true)
        : joined(shard, "a read of several shards");
  }

  private ShardCall joined(ShardId shard, String what) throws SQLException {
    Lease lease = transaction.on(shard);
    return new ShardCall(
        lease == null ? join(cluster.pool(shard).lease(Purpose.LOCK, leaseWait), what) : lease,
        false);
  }

  /** For a question of a read beside others, from any thread. */
  ShardCall callAside(ShardId shard, LeaseWait wait) throws SQLException {
    checkOpen();
    return new ShardCall(configured(cluster.pool(shard).lease(Purpose.READ, wait)), true);
  }

  /** For what is read beside the transaction: entries of indexes, which none of its writes are. */
  ShardCall callOutside(ShardId shard) throws SQLException {
    checkOpen();
    return new ShardCall(configured(cluster.pool(shard).lease(Purpose.READ, leaseWait)), true);
  }

  /** For rows that a list index named, on one shard as on several. */
  ShardCall callForNamedRows(ShardStatement to, Plan plan) throws SQLException {
    return plan.locksOrWrites() || !isReadCommitted()
        ? call(to, plan)
        : callOneOfSeveral(to.shard(), Purpose.READ);
  }

  /** Never inside a transaction, whose statements belong together. */
  boolean allowsPartial(Plan plan) {
    return isAutoCommit()
        && !plan.locksOrWrites()
        && plan.hints()
            .partial()
            .or(settings::partial)
            .filter(partial -> partial == Hints.Partial.ALLOW)
            .isPresent();
  }

  /** Reads of several shards are one statement only where each statement has its own snapshot. */
  void checkScatter(Route route, Plan plan) throws SQLException {
    if (isAutoCommit()) {
      return;
    }
    transaction.checkUsable();
    if (plan.locksOrWrites()) {
      checkSeveralShards(route);
    }
    if (!isReadCommitted() && !settings.isMulti()) {
      throw SqlErrors.of(
          ErrorCode.SECOND_SHARD_IN_TRANSACTION,
          "the statement reads shards "
              + shards(route)
              + " ("
              + route.reason()
              + "), and a transaction with one snapshot is on one shard; nothing was sent; use"
              + " READ COMMITTED or autocommit for it, or add the route key, or transaction=multi"
              + " with a snapshot of each shard");
    }
  }

  /** A write to several shards is part of a transaction only where that may have several. */
  void checkSeveralShards(Route route) throws SQLException {
    if (isAutoCommit()) {
      return;
    }
    transaction.checkUsable();
    if (settings.isMulti()) {
      return;
    }
    Lease pinned = transaction.pinned();
    throw SqlErrors.of(
        ErrorCode.SECOND_SHARD_IN_TRANSACTION,
        "the statement writes or locks on "
            + (route.target() == Route.Target.EVERY_SHARD ? "every shard" : shards(route))
            + " ("
            + route.reason()
            + ") and the transaction "
            + (pinned == null ? "can be on one shard only" : "is on shard " + pinned.shard())
            + "; nothing was sent; send it in autocommit mode, or one statement per route key, or"
            + " allow several shards by transaction=multi");
  }

  void checkNoTransaction() throws SQLException {
    if (!isAutoCommit()) {
      throw SqlErrors.of(
          ErrorCode.DDL_IN_TRANSACTION,
          "a schema change goes to every shard and cannot be part of a transaction; nothing was"
              + " sent; call setAutoCommit(true) first");
    }
  }

  boolean isAutoCommit() {
    return transaction == null;
  }

  /** True when nothing was sent in the open transaction yet. */
  boolean isFirstStatement() {
    return transaction.isFirstStatement();
  }

  /** A statement of the open transaction, if there is one, has run. */
  void sent(Plan plan) throws SQLException {
    if (!isAutoCommit()) {
      transaction.sent(!plan.locksOrWrites() && isReadCommitted());
    }
  }

  boolean hasEntered(String group, BucketSet buckets) {
    return transaction.hasEntered(group, buckets);
  }

  void entered(String group, BucketSet buckets) {
    transaction.entered(group, buckets);
  }

  /** Whether the statement's execution, which was refused, may be begun anew. */
  boolean mayRepeat(ShardwrightStatement statement) throws SQLException {
    return isAutoCommit() || (transaction.mayRestart() && hasNoResultsBeside(statement));
  }

  /** Rows of others may be on their way, and a restart would end them. */
  private boolean hasNoResultsBeside(ShardwrightStatement statement) throws SQLException {
    for (ShardwrightStatement other : openStatements()) {
      if (other != statement && other.hasResults()) {
        return false;
      }
    }
    return true;
  }

  /** After {@link #mayRepeat}. */
  void restartTransaction() {
    if (!isAutoCommit()) {
      transaction.restart();
    }
  }

  /** What the transaction has on a shard; null when it has nothing there or there is none. */
  Lease leaseOn(ShardId shard) {
    return isAutoCommit() ? null : transaction.on(shard);
  }

  /** Of the transaction that is open. */
  IndexWork work() {
    return transaction.work(cluster.indexes(), () -> reservations);
  }

  /** Of a statement that is a transaction of its own. */
  IndexWork ownWork() {
    return cluster.indexes().begin(() -> reservations);
  }

  @Override
  public void use(Reservation reservation) throws SQLException {
    checkOpen();
    Set<Long> more = new HashSet<>(reservations);
    more.add(reservation.token());
    reservations = Set.copyOf(more);
  }

  /** The connection behind a call is gone. */
  void broken(ShardCall call) {
    call.lease().pool().broken();
    if (!call.ownsLease()) {
      transaction.lost(call.shard());
    }
  }

  /**
   * A statement failed in a transaction that may have several shards. As in one database nothing
   * goes on until a rollback: the other shards do not know of it.
   */
  void statementFailed(ShardId shard) {
    if (!isAutoCommit() && settings.isMulti()) {
      transaction.abort(shard);
    }
  }

  /** What the shard has done must not be committed, though it would. */
  void abortTransaction(ShardId shard) {
    transaction.abort(shard);
  }

  /** What the caller gets for an error of a statement on one shard. */
  SQLException failed(ShardCall call, Plan plan, SQLException e) {
    if (e instanceof ShardwrightError) {
      return e;
    }
    if (!PhysicalErrors.isConnectionBroken(e)) {
      return refused(call, e);
    }
    broken(call);
    String what = "the connection to shard " + call.shard() + " broke while the statement ran";
    if (!call.ownsLease()) {
      return SqlErrors.of(
          ErrorCode.SHARD_UNAVAILABLE,
          what
              + " ("
              + e.getMessage()
              + "); the shard rolls the transaction back, nothing of it is applied; call rollback()"
              + " and repeat the transaction",
          e);
    }
    if (plan.locksOrWrites() && plan.kind() != Plan.Kind.SELECT) {
      return new UnknownOutcomeException(
          what
              + " ("
              + e.getMessage()
              + "): it is applied as a whole or not at all; read a row that it writes, by its key,"
              + " before repeating it",
          e);
    }
    return SqlErrors.of(
        ErrorCode.SHARD_UNAVAILABLE,
        what
            + " ("
            + e.getMessage()
            + "); a SELECT may be repeated, unless it calls functions that write",
        e);
  }

  private SQLException refused(ShardCall call, SQLException e) {
    statementFailed(call.shard());
    Optional<SQLException> fence = fence(call.shard(), e);
    if (fence.isPresent()) {
      return fence.get();
    }
    if (PhysicalErrors.isIndexGuard(e)) {
      return indexGuard(call.shard(), e);
    }
    if (!call.ownsLease() && settings.isMulti() && PhysicalErrors.isLockTimeout(e)) {
      return SqlErrors.of(
          ErrorCode.LOCK_TIMEOUT,
          "a transaction that may have several shards waited longer than "
              + settings.lockTimeout().toMillis()
              + " ms (lock_timeout) for a row or table on shard "
              + call.shard()
              + " that another transaction holds; call rollback() and repeat it, and visit the"
              + " shards in one order",
          e);
    }
    return SqlErrors.on(call.shard(), e);
  }

  /** What the caller gets for a refusal of the shard's fence; empty when it is another error. */
  Optional<SQLException> fence(ShardId shard, SQLException e) {
    if (PhysicalErrors.isBucketMoved(e)) {
      cluster.statistics().moves().stale();
      return Optional.of(
          SqlErrors.of(
              ErrorCode.BUCKET_MOVED,
              "shard "
                  + shard
                  + " does not take the statement for a bucket that moves ("
                  + e.getMessage()
                  + "); nothing of it was applied; roll back and repeat the transaction",
              e));
    }
    if (PhysicalErrors.isIncarnation(e)) {
      return Optional.of(
          SqlErrors.of(
              ErrorCode.SHARD_INCARNATION,
              "shard "
                  + shard
                  + " was restored or failed over, and takes no writes until its buckets are"
                  + " reconciled with the catalog ("
                  + e.getMessage()
                  + "); nothing of the statement was applied",
              e));
    }
    return PhysicalErrors.isRecordChanged(e)
        ? Optional.of(
            SqlErrors.on(
                shard,
                new SQLTransactionRollbackException(e.getMessage(), "40001", e.getErrorCode(), e)))
        : Optional.empty();
  }

  /** This process may not have heard of an index yet. */
  SQLException indexGuard(ShardId shard, SQLException e) {
    cluster.pollCatalog();
    return SqlErrors.of(
        ErrorCode.INDEX_NOT_MAINTAINED,
        "shard "
            + shard
            + " refused the write ("
            + e.getMessage()
            + "); nothing of the statement was applied; roll back and repeat it",
        e);
  }

  /** Sets on a fresh lease what the caller has set here; the pool resets it. */
  Lease configured(Lease lease) throws SQLException {
    boolean done = false;
    try {
      Connection physical = lease.connection();
      if (readOnly) {
        lease.setReadOnly();
      }
      if (isolation != UNSET) {
        physical.setTransactionIsolation(isolation);
      }
      if (networkTimeoutMillis > 0) {
        physical.setNetworkTimeout(networkTimeoutExecutor, networkTimeoutMillis);
      }
      done = true;
      return lease;
    } finally {
      if (!done) {
        lease.release();
      }
    }
  }

  /** A connection that is found broken before a statement was sent on it is replaced, once. */
  private Lease join(Lease fresh, String reason) throws SQLException {
    try {
      return joined(fresh, reason);
    } catch (SQLException e) {
      if (!PhysicalErrors.isConnectionBroken(e)) {
        throw e;
      }
      fresh.pool().broken();
    }
    Lease replacement = fresh.pool().lease(Purpose.LOCK, leaseWait);
    try {
      return joined(replacement, reason);
    } catch (SQLException e) {
      throw PhysicalErrors.isConnectionBroken(e) ? replacement.pool().broke(e) : e;
    }
  }

  private Lease joined(Lease fresh, String reason) throws SQLException {
    Lease lease = configured(fresh);
    boolean done = false;
    try {
      lease.connection().setAutoCommit(false);
      if (settings.isMulti()) {
        // Of all its shards: no server sees a circle of waits over several.
        lease.boundLockWait(Math.toIntExact(settings.lockTimeout().toMillis()));
      }
      transaction.join(lease, cluster.catalogMaps().current(), reason);
      done = true;
      return lease;
    } finally {
      if (!done) {
        lease.release();
      }
    }
  }

  boolean isReadCommitted() throws SQLException {
    return getTransactionIsolation() <= TRANSACTION_READ_COMMITTED;
  }

  private static List<ShardId> shards(Route route) {
    return route.statements().stream().map(ShardStatement::shard).toList();
  }

  private static String shortened(List<?> buckets) {
    int shown = Math.min(buckets.size(), 4);
    return buckets.subList(0, shown) + (shown < buckets.size() ? " and more" : "");
  }

  // Settings

  @Override
  public void setRouteKey(String group, Object... key) throws SQLException {
    checkOpen();
    Schema.Sharding sharding = sharding(group);
    try {
      settings =
          settings.withRouteBucket(
              group,
              sharding
                  .bucketOf(Arrays.asList(key))
                  .orElseThrow(
                      () ->
                          new ShardwrightException(
                              ErrorCode.ROUTE_KEY_VALUE_INVALID,
                              "no row of group " + group + " can have this route key")));
    } catch (ShardwrightException e) {
      throw SqlErrors.of(e);
    }
  }

  private Schema.Sharding sharding(String group) throws SQLException {
    for (Schema.Table table : cluster.database().schema().tables().values()) {
      if (table.sharding().filter(sharding -> sharding.group().equals(group)).isPresent()) {
        return table.sharding().get();
      }
    }
    throw ConnectionSettings.invalid(
        "there is no group " + group + " with tables; name a group of shardwright.yaml");
  }

  @Override
  public void clearRouteKey(String group) throws SQLException {
    checkOpen();
    settings = settings.withRouteBucket(group, null);
  }

  @Override
  public void clearRouteKeys() throws SQLException {
    checkOpen();
    settings = settings.withoutRouteBuckets();
  }

  @Override
  public void scatterWithin(ScatterLimits limits) throws SQLException {
    checkOpen();
    scatterLimits = limits;
  }

  /** Of a read that nothing in a transaction depends on; null: none. */
  ScatterLimits scatterLimits(Plan plan) {
    return plan.kind() == Plan.Kind.SELECT && isAutoCommit() && !plan.locksOrWrites()
        ? scatterLimits
        : null;
  }

  @Override
  public void set(String name, String value) throws SQLException {
    checkOpen();
    if (name.equals("transaction") || name.equals("lock_timeout")) {
      checkUnpinned("a change of " + name);
    }
    settings = settings.with(name, value);
  }

  // Statements

  @Override
  public Statement createStatement() throws SQLException {
    return createStatement(ResultSet.TYPE_FORWARD_ONLY, ResultSet.CONCUR_READ_ONLY);
  }

  @Override
  public Statement createStatement(int type, int concurrency) throws SQLException {
    checkOpen();
    checkConcurrency(concurrency);
    return opened(new ShardwrightStatement(this, new StatementSettings(type, false)));
  }

  @Override
  public Statement createStatement(int type, int concurrency, int holdability) throws SQLException {
    checkHoldability(holdability);
    return createStatement(type, concurrency);
  }

  @Override
  public PreparedStatement prepareStatement(String sql) throws SQLException {
    return prepare(sql, ResultSet.TYPE_FORWARD_ONLY, null);
  }

  @Override
  public PreparedStatement prepareStatement(String sql, int type, int concurrency)
      throws SQLException {
    checkConcurrency(concurrency);
    return prepare(sql, type, null);
  }

  @Override
  public PreparedStatement prepareStatement(String sql, int type, int concurrency, int holdability)
      throws SQLException {
    checkHoldability(holdability);
    return prepareStatement(sql, type, concurrency);
  }

  @Override
  public PreparedStatement prepareStatement(String sql, int keysFlag) throws SQLException {
    return prepare(sql, ResultSet.TYPE_FORWARD_ONLY, GeneratedKeys.of(keysFlag));
  }

  @Override
  public PreparedStatement prepareStatement(String sql, int[] columns) throws SQLException {
    return prepare(sql, ResultSet.TYPE_FORWARD_ONLY, GeneratedKeys.of(columns));
  }

  @Override
  public PreparedStatement prepareStatement(String sql, String[] columns) throws SQLException {
    return prepare(sql, ResultSet.TYPE_FORWARD_ONLY, GeneratedKeys.of(columns));
  }

  private PreparedStatement prepare(String sql, int type, GeneratedKeys keys) throws SQLException {
    Planned plan = plan(sql);
    StatementSettings settings = new StatementSettings(type, true);
    settings.keys(keys);
    ShardwrightPreparedStatement statement = new ShardwrightPreparedStatement(this, settings, plan);
    opened(statement);
    return statement;
  }

  private synchronized ShardwrightStatement opened(ShardwrightStatement statement) {
    if (openStatement == null) {
      openStatement = statement;
      return statement;
    }
    if (moreOpenStatements.isEmpty()) {
      moreOpenStatements = new ArrayList<>();
    }
    moreOpenStatements.add(statement);
    return statement;
  }

  synchronized void closed(ShardwrightStatement statement) {
    if (openStatement == statement) {
      openStatement = null;
      return;
    }
    // The one opened last is usually closed first.
    for (int i = moreOpenStatements.size() - 1; i >= 0; i--) {
      if (moreOpenStatements.get(i) == statement) {
        moreOpenStatements.remove(i);
        return;
      }
    }
  }

  private synchronized ShardwrightStatement[] openStatements() {
    List<ShardwrightStatement> open = new ArrayList<>(moreOpenStatements);
    if (openStatement != null) {
      open.add(openStatement);
    }
    return open.toArray(ShardwrightStatement[]::new);
  }

  private static void checkConcurrency(int concurrency) throws SQLException {
    if (concurrency != ResultSet.CONCUR_READ_ONLY) {
      throw SqlErrors.unsupported(
          "an updatable result set", "use CONCUR_READ_ONLY and send UPDATE statements");
    }
  }

  private static void checkHoldability(int holdability) throws SQLException {
    if (holdability != ResultSet.CLOSE_CURSORS_AT_COMMIT) {
      throw SqlErrors.unsupported(
          "HOLD_CURSORS_OVER_COMMIT", "use CLOSE_CURSORS_AT_COMMIT and read before the commit");
    }
  }

  // Transaction

  @Override
  public void setAutoCommit(boolean enabled) throws SQLException {
    checkOpen();
    if (enabled == isAutoCommit()) {
      return;
    }
    if (enabled) {
      commit();
      transaction = null;
    } else {
      transaction = new Transaction();
    }
  }

  @Override
  public boolean getAutoCommit() throws SQLException {
    checkOpen();
    return isAutoCommit();
  }

  @Override
  public void commit() throws SQLException {
    checkTransaction("commit()");
    closeResults();
    List<Lease> leases = transaction.leases();
    // Before: a commit that fails may have been done on some of them.
    leases.forEach(lease -> written(lease.shard()));
    transaction.commit(cluster.executor(), cluster.product());
    leases.forEach(lease -> cluster.indexes().wrote(lease.shard()));
  }

  /** Has been committed there. */
  void wrote(ShardId shard) {
    written(shard);
    cluster.indexes().wrote(shard);
  }

  private void written(ShardId shard) {
    if (!written.contains(shard)) {
      Set<ShardId> more = new HashSet<>(written);
      more.add(shard);
      written = more;
    }
  }

  @Override
  public WriteToken writeToken() throws SQLException {
    checkOpen();
    KnownState known = cluster.catalogMaps().current();
    Map<ShardId, String> servers = new TreeMap<>();
    // Entries of unique indexes are committed by themselves, on whichever shard has them.
    boolean entries = !written.isEmpty() && !known.catalog().indexes().isEmpty();
    for (ShardId shard : entries ? cluster.pools().keySet() : written) {
      servers.put(shard, server(shard));
    }
    return new WriteToken(
        cluster.catalogMaps().clusterId().map(UUID::toString).orElse(""),
        known.catalog().version(),
        servers);
  }

  /** Which server of a shard answers now: another one after a fail-over. */
  String server(ShardId shard) throws SQLException {
    ShardCall call = callOutside(shard);
    try (Statement statement = call.lease().connection().createStatement();
        ResultSet rows = statement.executeQuery("SELECT " + Fence.incarnation(cluster.product()))) {
      rows.next();
      return rows.getString(1);
    } finally {
      call.close();
    }
  }

  @Override
  public void rollback() throws SQLException {
    checkTransaction("rollback()");
    closeResults();
    if (!transaction.rollback()) {
      warn("the connection to a shard was gone; the shard rolls the transaction back by itself");
    }
  }

  @Override
  public Savepoint setSavepoint() throws SQLException {
    checkTransaction("setSavepoint()");
    return transaction.setSavepoint(null);
  }

  @Override
  public Savepoint setSavepoint(String name) throws SQLException {
    checkTransaction("setSavepoint()");
    return transaction.setSavepoint(name);
  }

  @Override
  public void rollback(Savepoint savepoint) throws SQLException {
    checkTransaction("rollback(Savepoint)");
    transaction.rollback(savepoint);
  }

  @Override
  public void releaseSavepoint(Savepoint savepoint) throws SQLException {
    checkTransaction("releaseSavepoint()");
    transaction.release(savepoint);
  }

  /** Results of a transaction are read from its physical connection, which is given back now. */
  private void closeResults() throws SQLException {
    for (ShardwrightStatement statement : openStatements()) {
      statement.closeResults();
    }
  }

  private void checkTransaction(String call) throws SQLException {
    checkOpen();
    if (isAutoCommit()) {
      throw SqlErrors.of(
          ErrorCode.JDBC_CALL_INVALID, call + " in autocommit mode; call setAutoCommit(false)");
    }
  }

  private boolean isPinned() {
    return !isAutoCommit() && transaction.pinned() != null;
  }

  private void checkUnpinned(String call) throws SQLException {
    checkOpen();
    if (isPinned()) {
      throw SqlErrors.of(
          ErrorCode.JDBC_CALL_INVALID,
          call + " inside a transaction; call it before the first statement or after commit()");
    }
  }

  @Override
  public void setReadOnly(boolean enabled) throws SQLException {
    checkUnpinned("setReadOnly()");
    readOnly = enabled;
  }

  @Override
  public boolean isReadOnly() throws SQLException {
    checkOpen();
    return readOnly;
  }

  @Override
  public void setTransactionIsolation(int level) throws SQLException {
    checkUnpinned("setTransactionIsolation()");
    switch (level) {
      case TRANSACTION_READ_UNCOMMITTED,
          TRANSACTION_READ_COMMITTED,
          TRANSACTION_REPEATABLE_READ,
          TRANSACTION_SERIALIZABLE ->
          isolation = level;
      default ->
          throw SqlErrors.unsupported(
              "transaction isolation " + level, "use a level of java.sql.Connection but NONE");
    }
  }

  @Override
  public int getTransactionIsolation() throws SQLException {
    checkOpen();
    return isolation == UNSET ? cluster.defaultIsolation() : isolation;
  }

  // End

  @Override
  public void close() throws SQLException {
    if (closed) {
      return;
    }
    try {
      for (ShardwrightStatement statement : openStatements()) {
        statement.close();
      }
      if (!isAutoCommit()) {
        transaction.rollback();
      }
    } finally {
      closed = true;
      onClose.run();
    }
  }

  @Override
  public boolean isClosed() {
    return closed;
  }

  @Override
  public void abort(Executor executor) throws SQLException {
    if (closed) {
      return;
    }
    closed = true;
    for (ShardwrightStatement statement : openStatements()) {
      statement.abort(executor);
    }
    Transaction open = transaction;
    if (open != null) {
      for (Lease lease : open.leases()) {
        lease.abort(executor);
      }
    }
    onClose.run();
  }

  @Override
  public boolean isValid(int timeoutSeconds) throws SQLException {
    if (timeoutSeconds < 0) {
      throw SqlErrors.of(
          ErrorCode.JDBC_CALL_INVALID, "timeout " + timeoutSeconds + ": use 0 or more seconds");
    }
    if (closed || cluster.isClosed() || (!isAutoCommit() && transaction.isLost())) {
      return false;
    }
    if (isPinned()) {
      for (Lease lease : transaction.leases()) {
        if (!lease.connection().isValid(timeoutSeconds)) {
          return false;
        }
      }
      return true;
    }
    Lease lease;
    try {
      lease = cluster.leaseAny(Purpose.READ, leaseWait);
    } catch (SQLException e) {
      return false;
    }
    try {
      return lease.connection().isValid(timeoutSeconds);
    } finally {
      lease.release();
    }
  }

  private void checkOpen() throws SQLException {
    if (closed) {
      throw SqlErrors.of(ErrorCode.CONNECTION_CLOSED, "the connection is closed; get a new one");
    }
  }

  // Everything else that JDBC has

  @Override
  public DatabaseMetaData getMetaData() throws SQLException {
    checkOpen();
    return ShardMetaData.of(this);
  }

  /** Runs on the pinned shard, else on any. */
  <T> T onAnyShard(PhysicalWork<T> work) throws SQLException {
    return on(anyShard(false), work);
  }

  private <T> T on(ShardCall call, PhysicalWork<T> work) throws SQLException {
    try {
      return work.run(call.lease().connection());
    } catch (SQLException e) {
      throw e instanceof ShardwrightError ? e : SqlErrors.on(call.shard(), e);
    } finally {
      call.close();
    }
  }

  /** Something to ask a physical connection. */
  interface PhysicalWork<T> {
    T run(Connection physical) throws SQLException;
  }

  @Override
  public String nativeSQL(String sql) throws SQLException {
    return onAnyShard(physical -> physical.nativeSQL(sql));
  }

  @Override
  public Array createArrayOf(String type, Object[] elements) throws SQLException {
    return onAnyShard(physical -> physical.createArrayOf(type, elements));
  }

  @Override
  public Struct createStruct(String type, Object[] attributes) throws SQLException {
    return onAnyShard(physical -> physical.createStruct(type, attributes));
  }

  @Override
  public Clob createClob() throws SQLException {
    return onAnyShard(Connection::createClob);
  }

  @Override
  public Blob createBlob() throws SQLException {
    return onAnyShard(Connection::createBlob);
  }

  @Override
  public NClob createNClob() throws SQLException {
    return onAnyShard(Connection::createNClob);
  }

  @Override
  public SQLXML createSQLXML() throws SQLException {
    return onAnyShard(Connection::createSQLXML);
  }

  @Override
  public String getCatalog() throws SQLException {
    return on(firstShard(), Connection::getCatalog);
  }

  @Override
  public void setCatalog(String catalog) throws SQLException {
    if (catalog != null && !catalog.equals(getCatalog())) {
      throw SqlErrors.unsupported("another catalog", "name the databases in shardwright.yaml");
    }
  }

  @Override
  public String getSchema() throws SQLException {
    return on(firstShard(), Connection::getSchema);
  }

  @Override
  public void setSchema(String schema) throws SQLException {
    if (schema != null && !schema.equals(getSchema())) {
      throw SqlErrors.unsupported(
          "another schema", "set currentSchema in the urls of shardwright.yaml");
    }
  }

  @Override
  public int getHoldability() throws SQLException {
    checkOpen();
    return ResultSet.CLOSE_CURSORS_AT_COMMIT;
  }

  @Override
  public void setHoldability(int holdability) throws SQLException {
    checkOpen();
    checkHoldability(holdability);
  }

  @Override
  public Map<String, Class<?>> getTypeMap() throws SQLException {
    checkOpen();
    return Map.of();
  }

  @Override
  public void setTypeMap(Map<String, Class<?>> types) throws SQLException {
    checkOpen();
    if (types != null && !types.isEmpty()) {
      throw SqlErrors.unsupported("a type map", "convert values after getObject");
    }
  }

  @Override
  public void setNetworkTimeout(Executor executor, int milliseconds) throws SQLException {
    checkUnpinned("setNetworkTimeout()");
    if (milliseconds < 0) {
      throw SqlErrors.of(
          ErrorCode.JDBC_CALL_INVALID, "network timeout " + milliseconds + ": use 0 or more ms");
    }
    networkTimeoutExecutor = executor;
    networkTimeoutMillis = milliseconds;
  }

  @Override
  public int getNetworkTimeout() throws SQLException {
    checkOpen();
    return networkTimeoutMillis;
  }

  /** Physical connections are shared, so nothing of it can be kept: a warning says so. */
  @Override
  public void setClientInfo(String name, String value) throws SQLClientInfoException {
    warn("client info " + name + " is not kept: set it in the urls of shardwright.yaml");
  }

  @Override
  public void setClientInfo(Properties properties) throws SQLClientInfoException {
    for (String name : properties.stringPropertyNames()) {
      setClientInfo(name, "");
    }
  }

  @Override
  public String getClientInfo(String name) throws SQLException {
    checkOpen();
    return null;
  }

  @Override
  public Properties getClientInfo() throws SQLException {
    checkOpen();
    return new Properties();
  }

  private void warn(String text) {
    SQLWarning warning =
        new SQLWarning(
            ErrorCode.JDBC_FEATURE_UNSUPPORTED.code() + ": " + text,
            "01000",
            SqlErrors.number(ErrorCode.JDBC_FEATURE_UNSUPPORTED));
    if (warnings == null) {
      warnings = warning;
    } else {
      warnings.setNextWarning(warning);
    }
  }

  @Override
  public SQLWarning getWarnings() throws SQLException {
    checkOpen();
    return warnings;
  }

  @Override
  public void clearWarnings() throws SQLException {
    checkOpen();
    warnings = null;
  }

  @Override
  public CallableStatement prepareCall(String sql) throws SQLException {
    throw SqlErrors.unsupported(
        "CallableStatement", "call the function in a SELECT with the route key");
  }

  @Override
  public CallableStatement prepareCall(String sql, int type, int concurrency) throws SQLException {
    return prepareCall(sql);
  }

  @Override
  public CallableStatement prepareCall(String sql, int type, int concurrency, int holdability)
      throws SQLException {
    return prepareCall(sql);
  }

  @Override
  public boolean isWrapperFor(Class<?> type) {
    return type.isInstance(this);
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    if (type.isInstance(this)) {
      return type.cast(this);
    }
    throw SqlErrors.unsupported(
        "unwrapping a connection to " + type.getName(),
        "it has no physical connection of its own; use java.sql.Connection");
  }
}
