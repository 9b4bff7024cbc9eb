package io.shardwright.query;

import io.shardwright.catalog.DatabaseLogin;
import io.shardwright.config.Configuration;
import io.shardwright.config.DatabaseProduct;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.ShardId;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * Whether transactions are in flight on one shard that may still commit rows whose column the
 * database assigned before a cut-off.
 *
 * <p>Problem: a row gets {@code now()} when its transaction, or its statement, begins, and is seen
 * when it commits. A horizon of transaction ids does not tell: a transaction without an id may have
 * begun before. Idea: when the server's clock has passed the cut-off by {@link #MARGIN}, whatever
 * begins from then on gets later values; so those in flight at that moment are the only ones to
 * wait for. Invariant: the clock is read before the list of transactions is. Values that
 * applications choose are not bounded by this.
 *
 * <p>For one shard and one cut-off; not thread-safe.
 */
abstract class TransactionWatch {
  /**
   * A server sets the time of a transaction a moment before it lists it, columns may round to
   * seconds, and clocks are set back by less.
   */
  static final Duration MARGIN = Duration.ofSeconds(1);

  private final Configuration.Shard shard;
  private final Instant end;

  /**
   * @param cutOff of the values
   */
  TransactionWatch(Configuration.Shard shard, Instant cutOff) {
    this.shard = shard;
    this.end = cutOff.plus(MARGIN);
  }

  static TransactionWatch of(Configuration.Shard shard, Instant cutOff) {
    return shard.endpoint().product() == DatabaseProduct.POSTGRESQL
        ? new PostgresWatch(shard, cutOff)
        : new MariaDbWatch(shard, cutOff);
  }

  ShardId shard() {
    return shard.id();
  }

  /** What began no later than this may hold such values. */
  Instant end() {
    return end;
  }

  /**
   * A server's clock beside this process's.
   *
   * @param server its time, read between the question and its answer
   * @param skew how far it is ahead of this process; negative: behind
   * @param uncertainty of {@code skew}: half of what the question took
   */
  record Clock(Instant server, Duration skew, Duration uncertainty) {
    /**
     * @param local in the middle of the question
     */
    static Clock of(Instant server, Instant local, Duration took) {
      return new Clock(server, Duration.between(local, server), took.dividedBy(2));
    }
  }

  /**
   * The server's clock, beside that of this process.
   *
   * @throws ShardwrightException SW401 when it cannot be asked, SW812 when the user may not see
   *     what is in flight
   */
  final Clock clock(InstantSource here) {
    return ask(
        connection -> {
          requirePrivileges(connection);
          long start = System.nanoTime();
          Instant local = here.instant();
          Instant server = time(connection);
          Duration took = Duration.ofNanos(System.nanoTime() - start);
          return Clock.of(server, local.plus(took.dividedBy(2)), took);
        });
  }

  /**
   * What is left to be waited for, of what was in flight at the first call. The clock must have
   * passed {@link #end} before.
   */
  final List<Blocker> blockers() {
    return ask(this::blockers);
  }

  /** Of a snapshot of now, as the server names it; empty: it keeps no log. */
  final Optional<String> position() {
    return ask(this::position);
  }

  private interface Question<T> {
    T ask(Connection connection) throws SQLException;
  }

  private <T> T ask(Question<T> question) {
    try (Connection connection = DatabaseLogin.SHORT.open(shard.endpoint())) {
      return question.ask(connection);
    } catch (SQLException e) {
      throw new ShardwrightException(
          ErrorCode.SHARD_UNAVAILABLE,
          "shard "
              + shard.id()
              + " cannot be asked what is in flight ("
              + e.getMessage()
              + "); a settlement is of all shards, so none was made; ask again when it is back",
          e);
    }
  }

  /** On a connection that was opened for this. */
  abstract List<Blocker> blockers(Connection connection) throws SQLException;

  abstract void requirePrivileges(Connection connection) throws SQLException;

  abstract Optional<String> position(Connection connection) throws SQLException;

  abstract Instant time(Connection connection) throws SQLException;

  final ShardwrightException refused(String privilege, String grant) {
    return new ShardwrightException(
        ErrorCode.SETTLEMENT_REFUSED,
        "consistency settlement has to see the transactions of all users, and user "
            + shard.endpoint().user()
            + " of shard "
            + shard.id()
            + " lacks "
            + privilege
            + "; on that server run: "
            + grant);
  }

  /** What a row of a result is read as. */
  interface Reader<T> {
    T read(ResultSet row) throws SQLException;
  }

  /** The first row of a query without parameters, which has one at least. */
  static <T> T one(Connection connection, String sql, Reader<T> reader) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return reader.read(row);
    }
  }
}
