package io.shardwright.examples.orders;

import io.shardwright.config.ConfigurationReader;
import io.shardwright.driver.Shardwright;
import io.shardwright.driver.ShardwrightDataSource;
import io.shardwright.schema.Apply;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Two PostgreSQL servers behind Shardwright. */
class OrderServiceOnShardsTest extends OrderServiceContract {
  private static DemoShards shards;
  private static ShardwrightDataSource database;

  @BeforeAll
  static void start() throws Exception {
    shards = DemoShards.start(2, false);
    Apply.run(ConfigurationReader.read(shards.file()), Apply.Options.DEFAULT);
    database = Shardwright.open(shards.file());
    OrdersDemo.createSchema(ConfigurationReader.read(shards.file()), database);
  }

  @AfterAll
  static void stop() {
    database.close();
    shards.close();
  }

  @Override
  DataSource database() {
    return database;
  }
}
