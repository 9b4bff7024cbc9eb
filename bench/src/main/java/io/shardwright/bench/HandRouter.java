package io.shardwright.bench;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import net.openhft.hashing.LongHashFunction;

/**
 * What a team writes without Shardwright: one HikariCP pool per shard and the hash in the
 * application. The yardstick for the driver's own cost. Thread-safe.
 */
final class HandRouter implements AutoCloseable {
  private static final LongHashFunction HASH = LongHashFunction.xx();
  private static final int COMPONENT_BYTES = Integer.BYTES + Long.BYTES;

  private final List<HikariDataSource> pools = new ArrayList<>();

  HandRouter(List<String> urls, String user, String password) {
    for (String url : urls) {
      HikariConfig config = new HikariConfig();
      config.setJdbcUrl(url);
      config.setUsername(user);
      config.setPassword(password);
      config.setMaximumPoolSize(Workload.POOL_MAX);
      config.setMinimumIdle(1);
      pools.add(new HikariDataSource(config));
    }
  }

  static int bucket(long tenantId, long buyerId) {
    ByteBuffer key = ByteBuffer.allocate(2 * COMPONENT_BYTES);
    key.putInt(Long.BYTES).putLong(tenantId).putInt(Long.BYTES).putLong(buyerId);
    return (int) Long.remainderUnsigned(HASH.hashBytes(key.array()), Workload.BUCKETS);
  }

  /** A connection of the shard that owns the bucket at version 1 of the map. */
  Connection connection(int bucket) throws SQLException {
    return pools.get(shard(bucket)).getConnection();
  }

  /** Which of the pools owns the bucket at version 1 of the map. */
  int shard(int bucket) {
    return (int) ((long) bucket * pools.size() / Workload.BUCKETS);
  }

  List<HikariDataSource> pools() {
    return pools;
  }

  @Override
  public void close() {
    pools.forEach(HikariDataSource::close);
  }
}
