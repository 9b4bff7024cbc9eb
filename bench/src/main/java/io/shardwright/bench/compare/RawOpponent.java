package io.shardwright.bench.compare;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.shardwright.routing.GeneIdLayout;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * What a team writes without a sharding driver: a HikariCP pool per shard, the hash in the
 * application, one statement per shard on threads of its own, and the merge by hand. It is the
 * floor: it does what this benchmark needs and nothing else.
 */
final class RawOpponent implements Opponent {
  private static final GeneIdLayout IDS = GeneIdLayout.forBuckets(OrderTables.BUCKETS);

  private final List<HikariDataSource> pools = new ArrayList<>();
  private final ExecutorService threads;

  /** One shard's answer, open. */
  private static final class Part implements AutoCloseable {
    private final Connection connection;
    private final PreparedStatement statement;
    private final ResultSet rows;
    private final boolean inTransaction;
    private Timestamp createdAt;
    private long orderId;

    Part(Connection connection, Read read) throws SQLException {
      this.connection = connection;
      this.inTransaction = read.inTransaction();
      if (inTransaction) {
        connection.setAutoCommit(false);
      }
      statement = Statements.prepare(connection, read);
      rows = statement.executeQuery();
    }

    /** To the next row, keeping what is sorted by. */
    boolean advance() throws SQLException {
      if (!rows.next()) {
        return false;
      }
      createdAt = rows.getTimestamp(4);
      orderId = rows.getLong(1);
      return true;
    }

    @Override
    public void close() throws SQLException {
      rows.close();
      statement.close();
      if (inTransaction) {
        connection.commit();
        connection.setAutoCommit(true);
      }
      connection.close();
    }
  }

  RawOpponent(List<String> urls, Setup setup) {
    for (String url : urls) {
      pools.add(pool(url, setup, setup.poolMax()));
    }
    threads = Executors.newCachedThreadPool();
  }

  static HikariDataSource pool(String url, Setup setup, int max) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setUsername(setup.user());
    config.setPassword(setup.password());
    config.setMaximumPoolSize(max);
    config.setMinimumIdle(1);
    return new HikariDataSource(config);
  }

  List<HikariDataSource> pools() {
    return pools;
  }

  @Override
  public Connection connection(long buyerId) throws SQLException {
    return pools.get(shard(buyerId)).getConnection();
  }

  @Override
  public Connection connectionOfId(long id) throws SQLException {
    int bucket = IDS.gene(id).value();
    return pools.get(OrderTables.shard(bucket, pools.size())).getConnection();
  }

  @Override
  public boolean namesBuckets() {
    return true;
  }

  private int shard(long buyerId) {
    return OrderTables.shard(OrderTables.bucket(buyerId), pools.size());
  }

  @Override
  public long read(Read read) throws SQLException {
    List<Read> reads = new ArrayList<>();
    pools.forEach(pool -> reads.add(read));
    return read(reads, read);
  }

  @Override
  public long readBuyers(long[] buyerIds) throws SQLException {
    List<List<Object>> byShard = new ArrayList<>();
    pools.forEach(pool -> byShard.add(new ArrayList<>()));
    for (long buyerId : buyerIds) {
      byShard.get(shard(buyerId)).add(buyerId);
    }
    List<Read> reads = new ArrayList<>();
    for (List<Object> buyers : byShard) {
      reads.add(
          buyers.isEmpty()
              ? null
              : new Read(
                  Statements.buyersIn(buyers.size()),
                  buyers,
                  Read.Merge.CONCATENATE,
                  0,
                  0,
                  false,
                  row -> row.getString(2)));
    }
    return read(reads, reads.stream().filter(read -> read != null).findFirst().orElseThrow());
  }

  /**
   * @param reads by shard; null: nothing to ask
   */
  private long read(List<Read> reads, Read whole) throws SQLException {
    List<Part> parts = open(reads);
    try {
      return switch (whole.merge()) {
        case CONCATENATE -> concatenate(parts, whole);
        case NEWEST_FIRST -> merge(parts, whole, newestFirst());
        case OLDEST_FIRST -> merge(parts, whole, newestFirst().reversed());
        case SUM -> sum(parts);
        case SUM_BY_NAME -> sumByName(parts);
      };
    } finally {
      for (Part part : parts) {
        part.close();
      }
    }
  }

  /** All at once, the last one on the caller's thread. */
  private List<Part> open(List<Read> reads) throws SQLException {
    List<Integer> shards = new ArrayList<>();
    for (int shard = 0; shard < reads.size(); shard++) {
      if (reads.get(shard) != null) {
        shards.add(shard);
      }
    }
    List<Future<Part>> others = new ArrayList<>();
    for (int shard : shards.subList(0, shards.size() - 1)) {
      others.add(
          threads.submit(() -> new Part(pools.get(shard).getConnection(), reads.get(shard))));
    }
    int last = shards.get(shards.size() - 1);
    List<Part> parts = new ArrayList<>();
    parts.add(new Part(pools.get(last).getConnection(), reads.get(last)));
    for (Future<Part> other : others) {
      try {
        parts.add(other.get());
      } catch (ExecutionException e) {
        throw new SQLException("a shard failed: " + e.getCause(), e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new SQLException("interrupted", e);
      }
    }
    return parts;
  }

  private static long concatenate(List<Part> parts, Read read) throws SQLException {
    long rows = 0;
    for (Part part : parts) {
      while (part.rows.next()) {
        read.reader().read(part.rows);
        rows++;
      }
    }
    return rows;
  }

  private static Comparator<Part> newestFirst() {
    return Comparator.<Part, Timestamp>comparing(part -> part.createdAt)
        .thenComparingLong(part -> part.orderId)
        .reversed();
  }

  private static long merge(List<Part> parts, Read read, Comparator<Part> order)
      throws SQLException {
    PriorityQueue<Part> queue = new PriorityQueue<>(parts.size(), order);
    for (Part part : parts) {
      if (part.advance()) {
        queue.add(part);
      }
    }
    long rows = 0;
    while (!queue.isEmpty() && (read.limit() == 0 || rows < read.limit())) {
      Part first = queue.poll();
      read.reader().read(first.rows);
      rows++;
      if (first.advance()) {
        queue.add(first);
      }
    }
    return rows;
  }

  private static long sum(List<Part> parts) throws SQLException {
    long sum = 0;
    for (Part part : parts) {
      part.rows.next();
      sum += part.rows.getLong(1);
    }
    if (sum < 0) {
      throw new SQLException("a negative count: " + sum);
    }
    return 1;
  }

  private static long sumByName(List<Part> parts) throws SQLException {
    Map<String, BigDecimal> sums = new TreeMap<>();
    for (Part part : parts) {
      while (part.rows.next()) {
        sums.merge(part.rows.getString(1), part.rows.getBigDecimal(3), BigDecimal::add);
      }
    }
    return sums.size();
  }

  @Override
  public void close() {
    threads.shutdownNow();
    pools.forEach(HikariDataSource::close);
  }
}
