package io.shardwright.driver;

import io.shardwright.errors.ShardwrightException;
import io.shardwright.lookup.IndexWork;
import io.shardwright.lookup.UniqueIndex;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;

/**
 * How the entries that a statement changes are maintained: around its execution on each shard, in
 * its transaction.
 *
 * @param version of the catalog's state that this process works by
 */
record Maintenance(List<UniqueIndex> indexes, long version) {
  Maintenance {
    indexes = List.copyOf(indexes);
  }

  /** For statements of both. */
  Maintenance and(Maintenance other) {
    return new Maintenance(
        Stream.concat(indexes.stream(), other.indexes.stream()).distinct().toList(),
        Math.min(version, other.version));
  }

  /** Before the statement. */
  void announce(Lease lease) throws SQLException {
    IndexWork.announce(lease.connection(), lease.pool().product(), version);
  }

  /**
   * After it.
   *
   * @throws SQLException when the transaction must not be committed
   */
  void maintain(Lease lease, IndexWork work) throws SQLException {
    try {
      work.maintain(lease.shard(), lease.connection(), indexes);
    } catch (ShardwrightException e) {
      throw SqlErrors.of(e);
    }
  }
}
