package io.shardwright.driver;

import io.shardwright.routing.BucketId;
import io.shardwright.routing.ScatterRule;
import io.shardwright.sql.RouteContext;
import io.shardwright.sql.Schema;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What the connection, then the configuration, decide for the statements of one object. */
record RoutePolicy(Cluster cluster, ConnectionSettings connection, StatementSettings statement)
    implements RouteContext {
  private static final String SOURCE = "connection";

  @Override
  public ScatterRule reads(String group) {
    return connection
        .reads()
        .map(policy -> new ScatterRule(policy, SOURCE))
        .orElseGet(() -> cluster.scatter(group).reads());
  }

  @Override
  public ScatterRule writes(String group) {
    return connection
        .writes()
        .map(policy -> new ScatterRule(policy, SOURCE))
        .orElseGet(() -> cluster.scatter(group).writes());
  }

  @Override
  public Optional<BucketId> bucket(String group) {
    return connection.routeBuckets().isEmpty()
        ? Optional.empty()
        : Optional.ofNullable(connection.routeBuckets().get(group));
  }

  @Override
  public Optional<String> bound() {
    if (statement.maxRows() > 0) {
      return Optional.of("setMaxRows");
    }
    if (statement.fetchSize() > 0) {
      return Optional.of("setFetchSize");
    }
    return connection.maxRows().isPresent()
        ? Optional.of("the connection's max_rows")
        : Optional.empty();
  }

  @Override
  public Optional<Set<BucketId>> lookUp(Schema.LookupIndex index, List<List<Object>> values) {
    return Optional.empty();
  }
}
