package io.shardwright.migration;

import io.shardwright.testkit.EmbeddedPostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

class PostgresMoveTest extends MoveContract {
  static final String TABLES =
      """
      CREATE TABLE orders (
        bucket_id int NOT NULL, buyer_id bigint NOT NULL, order_id bigint NOT NULL,
        order_no varchar(40) NOT NULL, amount numeric(12,2), note text,
        PRIMARY KEY (bucket_id, buyer_id, order_id), UNIQUE (bucket_id, buyer_id, order_no)
      );
      CREATE TABLE items (
        bucket_id int NOT NULL, buyer_id bigint NOT NULL, order_id bigint NOT NULL,
        line int NOT NULL, amount numeric(12,2),
        PRIMARY KEY (bucket_id, buyer_id, order_id, line),
        FOREIGN KEY (bucket_id, buyer_id, order_id) REFERENCES orders ON DELETE CASCADE
      )\
      """;

  @Override
  String newDatabase() {
    return EmbeddedPostgresServer.shared().createDatabase("moves");
  }

  @Override
  String user() {
    return EmbeddedPostgresServer.shared().user();
  }

  @Override
  String password() {
    return EmbeddedPostgresServer.shared().password();
  }

  @Override
  void grantMover(Connection shard) throws SQLException {
    try (Statement statement = shard.createStatement()) {
      statement.execute(
          "DO $$ BEGIN CREATE ROLE "
              + MOVER
              + " LOGIN PASSWORD '"
              + MOVER_PASSWORD
              + "'; EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$");
    }
  }

  @Override
  List<String> grants() {
    return List.of(
        "GRANT ALL ON ALL TABLES IN SCHEMA public TO " + MOVER,
        "GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO " + MOVER);
  }

  @Override
  String tables() {
    return TABLES;
  }
}
