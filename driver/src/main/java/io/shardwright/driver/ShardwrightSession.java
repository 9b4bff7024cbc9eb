package io.shardwright.driver;

import java.sql.SQLException;

/**
 * What a logical connection can be told beyond JDBC: {@code
 * connection.unwrap(ShardwrightSession.class)}. It holds from the next execution of a statement
 * until the connection is closed. A pool in front of Shardwright does not close it when it is given
 * back: clear there what was set. As little thread-safe as the connection.
 */
public interface ShardwrightSession {

  /**
   * From now on only rows of this key's bucket are meant in all statements on tables of the group,
   * as if each of these tables had the condition {@code bucket_id = b}. A statement whose own key
   * belongs to another bucket is refused (SW216). It is a route, not a filter by key: a bucket has
   * many keys.
   *
   * @param key one value for each column of the group's route key, in order
   * @throws SQLException SW106 for an unknown group, SW302 for values that are no key
   */
  void setRouteKey(String group, Object... key) throws SQLException;

  /** Statements on tables of the group are routed by themselves again. */
  void clearRouteKey(String group) throws SQLException;

  /** The same for all groups. */
  void clearRouteKeys() throws SQLException;

  /**
   * From now on statements of this connection may insert the reserved value; the commit of a row
   * that has it ends the reservation.
   *
   * @see UniqueValues
   */
  void use(Reservation reservation) throws SQLException;

  /**
   * Changes a setting that the url may have too (docs/driver.md lists them).
   *
   * @param value null: what configuration and defaults say
   * @throws SQLException SW106 for an unknown name or value; SW214 for {@code transaction} inside a
   *     transaction
   */
  void set(String name, String value) throws SQLException;

  /**
   * From now on reads in autocommit mode that lock nothing wait for their shards no longer than
   * this, and do not wait for what they gave up. Their results tell of each shard ({@link
   * Completeness}). With {@code partial=allow} shards that did not answer are left out.
   *
   * @param limits null: as always
   */
  void scatterWithin(ScatterLimits limits) throws SQLException;

  /**
   * What a reader in another process needs to see all that this connection has committed so far.
   * Call it right after the commit: it asks each shard that was written which server it is. Not
   * inside a transaction that has not ended.
   *
   * @see ShardwrightDataSource#awaitWrites
   * @throws SQLException when such a shard cannot be asked; the writes stand
   */
  WriteToken writeToken() throws SQLException;
}
