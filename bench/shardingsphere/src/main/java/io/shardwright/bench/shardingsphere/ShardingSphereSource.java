package io.shardwright.bench.shardingsphere;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.apache.shardingsphere.driver.api.yaml.YamlShardingSphereDataSourceFactory;

/**
 * Opens ShardingSphere-JDBC on the benchmark's shards: one HikariCP pool per shard, tables that are
 * sharded by database alone, co-located tables declared as binding tables, an algorithm class
 * instead of a Groovy expression, SQL log and federation off. What its manual recommends for speed
 * beyond that (one connection per shard and query, parser caches) is its default.
 *
 * <p>Settings: {@code url.0} and so on, {@code user}, {@code password}, {@code poolMax}, {@code
 * buckets}.
 */
public final class ShardingSphereSource implements Function<Map<String, String>, DataSource> {

  @Override
  public DataSource apply(Map<String, String> settings) {
    try {
      return YamlShardingSphereDataSourceFactory.createDataSource(
          yaml(settings).getBytes(StandardCharsets.UTF_8));
    } catch (SQLException | IOException e) {
      throw new IllegalStateException("ShardingSphere-JDBC does not open", e);
    }
  }

  private static String yaml(Map<String, String> settings) {
    int shards = (int) settings.keySet().stream().filter(key -> key.startsWith("url.")).count();
    String sources =
        IntStream.range(0, shards)
            .mapToObj(shard -> source(settings, shard))
            .collect(Collectors.joining());
    StringBuilder tables = new StringBuilder();
    for (String table : settings.get("tables").split(",", -1)) {
      tables.append(
          """
              %1$s:
                actualDataNodes: s$->{0..%2$d}.%1$s
          """
              .formatted(table, shards - 1));
    }
    return """
        mode:
          type: Standalone
          repository:
            type: Memory
        dataSources:
        %s
        rules:
        - !SHARDING
          tables:
        %s
          bindingTables:
          - %s
          defaultDatabaseStrategy:
            standard:
              shardingColumn: buyer_id
              shardingAlgorithmName: bucket
          defaultTableStrategy:
            none:
          shardingAlgorithms:
            bucket:
              type: CLASS_BASED
              props:
                strategy: STANDARD
                algorithmClassName: %s
                buckets: %s
                shards: %d
        props:
          sql-show: false
        """
        .formatted(
            sources,
            tables,
            settings.get("tables"),
            BucketAlgorithm.class.getName(),
            settings.get("buckets"),
            shards);
  }

  private static String source(Map<String, String> settings, int shard) {
    return """
          s%d:
            dataSourceClassName: com.zaxxer.hikari.HikariDataSource
            jdbcUrl: %s
            username: %s
            password: %s
            maximumPoolSize: %s
            minimumIdle: 1
        """
        .formatted(
            shard,
            settings.get("url." + shard),
            settings.get("user"),
            settings.get("password"),
            settings.get("poolMax"));
  }
}
