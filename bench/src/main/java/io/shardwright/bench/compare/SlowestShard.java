package io.shardwright.bench.compare;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Asks each shard for its own answer, one after the other; the slowest one's time counts. */
final class SlowestShard implements Opponent {
  private final RawOpponent raw;
  private final List<DataSourceOpponent> shards;

  SlowestShard(RawOpponent raw) {
    this.raw = raw;
    this.shards =
        raw.pools().stream().map(pool -> new DataSourceOpponent(pool, pool, true)).toList();
  }

  @Override
  public long run(Workload.Operation operation, Turn turn) throws SQLException {
    long slowest = 0;
    for (DataSourceOpponent shard : shards) {
      slowest = Math.max(slowest, shard.run(operation, turn));
    }
    return slowest;
  }

  @Override
  public Connection connection(long buyerId) throws SQLException {
    return raw.connection(buyerId);
  }

  @Override
  public Connection connectionOfId(long id) throws SQLException {
    return raw.connectionOfId(id);
  }

  @Override
  public boolean namesBuckets() {
    return true;
  }

  @Override
  public long read(Read read) throws SQLException {
    return raw.read(read);
  }

  @Override
  public long readBuyers(long[] buyerIds) throws SQLException {
    return raw.readBuyers(buyerIds);
  }

  @Override
  public void close() {
    raw.close();
  }
}
