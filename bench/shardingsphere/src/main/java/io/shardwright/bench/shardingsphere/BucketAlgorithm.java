package io.shardwright.bench.shardingsphere;

import java.util.Collection;
import java.util.Properties;
import net.openhft.hashing.LongHashFunction;
import org.apache.shardingsphere.sharding.api.sharding.standard.PreciseShardingValue;
import org.apache.shardingsphere.sharding.api.sharding.standard.RangeShardingValue;
import org.apache.shardingsphere.sharding.api.sharding.standard.StandardShardingAlgorithm;

/** The same hash and the same buckets as everyone's, so that all read the same rows. */
public final class BucketAlgorithm implements StandardShardingAlgorithm<Comparable<?>> {
  private static final LongHashFunction HASH = LongHashFunction.xx();

  private int buckets;
  private String[] shards;

  @Override
  public void init(Properties properties) {
    buckets = Integer.parseInt(properties.get("buckets").toString());
    shards = new String[Integer.parseInt(properties.get("shards").toString())];
    for (int shard = 0; shard < shards.length; shard++) {
      shards[shard] = "s" + shard;
    }
  }

  @Override
  public String doSharding(
      Collection<String> targets, PreciseShardingValue<Comparable<?>> condition) {
    long key = ((Number) condition.getValue()).longValue();
    long bucket = Long.remainderUnsigned(HASH.hashLong(Long.reverseBytes(key)), buckets);
    return shards[(int) (bucket * shards.length / buckets)];
  }

  @Override
  public Collection<String> doSharding(
      Collection<String> targets, RangeShardingValue<Comparable<?>> condition) {
    return targets;
  }

  @Override
  public String getType() {
    return "BENCH_BUCKET";
  }
}
