package io.shardwright.migration;

import io.shardwright.testkit.EmbeddedMariaDbServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

class MariaDbMoveTest extends MoveContract {
  static final String TABLES =
      """
      CREATE TABLE orders (
        bucket_id int NOT NULL, buyer_id bigint NOT NULL, order_id bigint NOT NULL,
        order_no varchar(40) NOT NULL, amount decimal(12,2), note text,
        PRIMARY KEY (bucket_id, buyer_id, order_id), UNIQUE (bucket_id, buyer_id, order_no)
      );
      CREATE TABLE items (
        bucket_id int NOT NULL, buyer_id bigint NOT NULL, order_id bigint NOT NULL,
        line int NOT NULL, amount decimal(12,2),
        PRIMARY KEY (bucket_id, buyer_id, order_id, line),
        FOREIGN KEY (bucket_id, buyer_id, order_id) REFERENCES orders (bucket_id, buyer_id, order_id)
      )\
      """;

  @Override
  String newDatabase() {
    return EmbeddedMariaDbServer.shared().createDatabase("moves");
  }

  @Override
  String user() {
    return EmbeddedMariaDbServer.shared().user();
  }

  @Override
  String password() {
    return EmbeddedMariaDbServer.shared().password();
  }

  @Override
  void grantMover(Connection shard) throws SQLException {
    try (Statement statement = shard.createStatement()) {
      statement.execute(
          "CREATE USER IF NOT EXISTS " + MOVER + "@'%' IDENTIFIED BY '" + MOVER_PASSWORD + "'");
      statement.execute(
          "GRANT SELECT, INSERT, UPDATE, DELETE, ALTER, CREATE TEMPORARY TABLES ON "
              + shard.getCatalog()
              + ".* TO "
              + MOVER
              + "@'%'");
      statement.execute("GRANT PROCESS ON *.* TO " + MOVER + "@'%'");
    }
  }

  @Override
  String tables() {
    return TABLES;
  }
}
