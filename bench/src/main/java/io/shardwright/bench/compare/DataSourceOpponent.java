package io.shardwright.bench.compare;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;

/** Everything goes through one data source, as in an application that knows nothing of shards. */
final class DataSourceOpponent implements Opponent {
  private final DataSource source;
  private final AutoCloseable resource;
  private final boolean namesBuckets;

  /**
   * @param resource what {@link #close} closes
   */
  DataSourceOpponent(DataSource source, AutoCloseable resource, boolean namesBuckets) {
    this.source = source;
    this.resource = resource;
    this.namesBuckets = namesBuckets;
  }

  @Override
  public Connection connection(long buyerId) throws SQLException {
    return source.getConnection();
  }

  @Override
  public Connection connectionOfId(long id) throws SQLException {
    return source.getConnection();
  }

  @Override
  public boolean namesBuckets() {
    return namesBuckets;
  }

  @Override
  public long read(Read read) throws SQLException {
    try (Connection connection = source.getConnection()) {
      return Statements.read(connection, read);
    }
  }

  @Override
  public long readBuyers(long[] buyerIds) throws SQLException {
    List<Object> values = Statements.boxed(buyerIds);
    return read(
        new Read(
            Statements.buyersIn(buyerIds.length),
            values,
            Read.Merge.CONCATENATE,
            0,
            0,
            false,
            row -> row.getString(2)));
  }

  @Override
  public void close() {
    try {
      resource.close();
    } catch (Exception e) {
      throw new IllegalStateException("the data source cannot be closed", e);
    }
  }
}
