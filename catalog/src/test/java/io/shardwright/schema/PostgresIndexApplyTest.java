package io.shardwright.schema;

import java.sql.SQLException;

class PostgresIndexApplyTest extends IndexApplyContract {
  @Override
  OrderShards shards() {
    return tables(OrderShards.create(2).withCatalog());
  }

  static OrderShards tables(OrderShards shards) {
    try {
      return shards.withTables();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  int tables() {
    return 3;
  }
}
