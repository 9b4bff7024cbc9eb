package io.shardwright.driver;

import io.shardwright.errors.ShardwrightException;
import io.shardwright.lookup.IndexWork;
import io.shardwright.lookup.UniqueIndex;
import io.shardwright.lookup.WriterSession;
import java.sql.ResultSet;
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

  InTransaction in(IndexWork work) {
    return new InTransaction(this, work);
  }

  /** Whether an INSERT of plain rows in this session need not be told of by triggers. */
  boolean knowsInserted(WriterSession session) {
    return session.version() >= version && !session.triggered().contains(indexes.get(0).table());
  }

  /** The same for the statements of one transaction. */
  record InTransaction(Maintenance how, IndexWork work) {
    /** Before the statement. */
    void announce(Lease lease) throws SQLException {
      IndexWork.announce(lease.connection(), lease.pool().product(), how.version);
    }

    /** What follows an INSERT of plain rows that {@link #maintainInserted} is told of. */
    String returning() {
      return work.returning(how.indexes);
    }

    /**
     * After it, instead of {@link #announce} and {@link #maintain}.
     *
     * @return how many rows were inserted
     * @throws SQLException when the transaction must not be committed
     */
    long maintainInserted(Lease lease, ResultSet inserted) throws SQLException {
      try {
        return work.maintainInserted(lease.shard(), lease.connection(), how.indexes, inserted);
      } catch (ShardwrightException e) {
        throw SqlErrors.of(e);
      }
    }

    /**
     * After it.
     *
     * @throws SQLException when the transaction must not be committed
     */
    void maintain(Lease lease) throws SQLException {
      try {
        work.maintain(lease.shard(), lease.connection(), how.indexes);
      } catch (ShardwrightException e) {
        throw SqlErrors.of(e);
      }
    }
  }
}
