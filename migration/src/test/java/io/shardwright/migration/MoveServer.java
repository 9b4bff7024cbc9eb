package io.shardwright.migration;

import io.shardwright.testkit.EmbeddedMariaDbServer;
import io.shardwright.testkit.EmbeddedPostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.function.UnaryOperator;

/** The servers that shards are on, and what the products need in their own way. */
enum MoveServer {
  POSTGRESQL {
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
    Own startOwn() {
      EmbeddedPostgresServer server =
          EmbeddedPostgresServer.start(
              EmbeddedPostgresServer.Options.fast()
                  .with("synchronous_commit", "on")
                  .with("max_prepared_transactions", "4"));
      return new Own(
          server::createDatabase, server::stop, server::crash, server::restart, server::close);
    }

    /** Its rights are apply's to give. */
    @Override
    void createMover(Connection shard) throws SQLException {
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
    String tables() {
      return """
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
    }

    @Override
    String exact() {
      return "";
    }
  },
  MARIADB {
    @Override
    String exact() {
      return " COLLATE utf8mb4_nopad_bin";
    }

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
    Own startOwn() {
      EmbeddedMariaDbServer server =
          EmbeddedMariaDbServer.start(
              EmbeddedMariaDbServer.Options.fast()
                  .with("innodb_flush_log_at_trx_commit", "2")
                  .with("innodb_doublewrite", "1"));
      return new Own(
          server::createDatabase, server::stop, server::crash, server::restart, server::close);
    }

    @Override
    void createMover(Connection shard) throws SQLException {
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
      return """
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
    }
  };

  static final String MOVER = "shardwright_mover";
  static final String MOVER_PASSWORD = "mover-password";

  /**
   * A server that a test may stop and kill. It loses nothing that was committed, as long as the
   * machine lives.
   *
   * @param createDatabase by its prefix; the url
   * @param crash without a word to anybody
   * @param start again, with the same data at the same address
   */
  record Own(
      UnaryOperator<String> createDatabase,
      Runnable stop,
      Runnable crash,
      Runnable start,
      Runnable close) {}

  /** With the same user and password as the shared one. */
  abstract Own startOwn();

  /** The url of an empty one. */
  abstract String newDatabase();

  abstract String user();

  abstract String password();

  /** Creates the mover's login unless it is there. */
  abstract void createMover(Connection shard) throws SQLException;

  /** Orders and their items: statements of DDL, separated by semicolons. */
  abstract String tables();

  /** Behind the type of a text column that is a route key. */
  abstract String exact();
}
