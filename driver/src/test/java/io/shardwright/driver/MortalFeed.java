package io.shardwright.driver;

import io.shardwright.lookup.Feed;
import io.shardwright.lookup.IndexShards;
import io.shardwright.lookup.Lane;
import io.shardwright.lookup.ListIndex;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.BucketMap;
import io.shardwright.routing.ShardId;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Delivers as a process of its own that now and then dies: after it has written entries, before it
 * has removed the changes. Its connections go straight to the shards.
 */
final class MortalFeed implements IndexShards {
  /** One in so many commits is not made. */
  private static final int COMMITS_PER_DEATH = 3;

  private final DirectShards direct;
  private final Random random;
  private final AtomicInteger deaths;
  private final ListIndex index;
  private final Feed feed = new Feed(this, System::nanoTime);

  MortalFeed(TestingShards shards, Random random, AtomicInteger deaths) {
    this.direct = new DirectShards(shards);
    this.random = random;
    this.deaths = deaths;
    this.index = shards.source().cluster().database().list(ListFixture.NAME).orElseThrow();
  }

  void run(AtomicBoolean on) {
    while (on.get()) {
      for (ShardId shard : map(index.name().group()).shards()) {
        try {
          feed.round(index, shard);
        } catch (SQLException e) {
          // It died; its next life goes on.
          deaths.incrementAndGet();
        }
      }
    }
  }

  @Override
  public boolean confirms(
      Connection connection, ShardId shard, BucketMap map, Collection<BucketId> buckets) {
    return direct.confirms(connection, shard, map, buckets);
  }

  @Override
  public void asked(Work work) {
    direct.asked(work);
  }

  @Override
  public void changed(Work work) {
    direct.changed(work);
  }

  @Override
  public void awaitNewer(BucketMap map) {
    direct.awaitNewer(map);
  }

  @Override
  public Duration cutoverWait() {
    return direct.cutoverWait();
  }

  @Override
  public Connection open(ShardId shard, Lane lane) throws SQLException {
    Connection connection = direct.open(shard, lane);
    return lane == Lane.FEED ? mortal(connection) : connection;
  }

  private Connection mortal(Connection connection) {
    return (Connection)
        Proxy.newProxyInstance(
            Connection.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("commit") && random.nextInt(COMMITS_PER_DEATH) == 0) {
                connection.close();
                throw new SQLException("died", "08006");
              }
              try {
                return method.invoke(connection, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  @Override
  public BucketMap map(String name) {
    return direct.map(name);
  }
}
