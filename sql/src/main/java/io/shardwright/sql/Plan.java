package io.shardwright.sql;

import io.shardwright.routing.BucketMap;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A statement analysed once, for any parameter values and any bucket map. Immutable, thread-safe,
 * cached by text.
 */
public interface Plan {

  /** What kind of statement it is. */
  enum Kind {
    SELECT,
    INSERT,
    UPDATE,
    DELETE,
    DDL
  }

  String sql();

  Kind kind();

  /** True for SELECT and for writes with RETURNING. */
  boolean returnsRows();

  /** What the statement's comments ask for. */
  Hints hints();

  /** How many {@code ?} the statement has. */
  int parameterCount();

  /** The group whose map routes it; empty when only reference tables or no tables are touched. */
  Optional<String> group();

  /**
   * True when locks are taken or rows written, so that the statement pins its transaction to its
   * shard and must not be repeated after an unknown outcome.
   */
  boolean locksOrWrites();

  /**
   * True when each row of the answer shows rows of all tables that are read, so that an answer with
   * rows has found what it looked for.
   */
  boolean showsRows();

  /** The lookup indexes whose entries the statement can change. */
  List<Schema.LookupIndex> maintained();

  /**
   * True for an INSERT of values alone, whose every text for a shard may be followed by RETURNING:
   * what it inserts is all that it changes, but for triggers and defaults of the table.
   */
  default boolean insertsPlainRows() {
    return false;
  }

  /**
   * Chooses the shards and renders the statement of each.
   *
   * @param parameters value of each {@code ?}, in order, as given to JDBC; null is SQL NULL
   * @param maps the current bucket map of a group
   * @param context what connection and configuration decide
   * @throws io.shardwright.errors.ShardwrightException 2xx and 3xx codes; nothing has been sent
   *     then
   */
  Route route(List<?> parameters, Function<String, BucketMap> maps, RouteContext context);

  /** The same without a connection. */
  default Route route(List<?> parameters, Function<String, BucketMap> maps) {
    return route(parameters, maps, RouteContext.NONE);
  }

  /** A short description of each table's route, for explain and traces: why these shards. */
  String reason();

  /** Why it goes to every shard; empty when it does not, whatever the parameters. */
  default Optional<ScatterReason> scatterReason() {
    return Optional.empty();
  }
}
