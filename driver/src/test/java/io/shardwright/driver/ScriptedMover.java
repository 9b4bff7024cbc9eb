package io.shardwright.driver;

import io.shardwright.catalog.Catalog;
import io.shardwright.config.DatabaseProduct;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.BucketMap;
import io.shardwright.routing.ShardId;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;

/**
 * Moves one bucket of group samples from one shard to another, step by step as
 * docs/decisions/moves.md says, by plain SQL: a test may stop it anywhere.
 */
final class ScriptedMover {
  private static final String ROW = " WHERE grp = 'samples' AND bucket = ";

  /** The steps after which a test looks. */
  enum Step {
    ANNOUNCED,
    COPIED,
    CAPTURED,
    CLOSED,
    PUBLISHED,
    AWAY,
    OPEN,
    CLEANED,
    DONE
  }

  private final TestingShards shards;
  private final int bucket;
  private final int source;
  private final int target;

  ScriptedMover(TestingShards shards, int bucket, int source, int target) {
    this.shards = shards;
    this.bucket = bucket;
    this.source = source;
    this.target = target;
  }

  /** In the place of what apply made: here an application name is the mover, not a role. */
  static void fence(TestingShards shards, int count) throws SQLException {
    boolean postgres = shards.database().product() == DatabaseProduct.POSTGRESQL;
    try (Catalog catalog = Catalog.open(shards.configuration())) {
      BucketMap map = catalog.load().maps().get("samples");
      for (int shard = 0; shard < count; shard++) {
        shards.onShard(
            shard,
            postgres
                ? "DROP FUNCTION shardwright_fence_samples CASCADE;"
                    + " DROP FUNCTION shardwright_enter; DROP TABLE shardwright_bucket"
                : "DROP TRIGGER `~shardwright_insert_samples`;"
                    + " DROP TRIGGER `~shardwright_update_samples`;"
                    + " DROP TRIGGER `~shardwright_delete_samples`;"
                    + " DROP TABLE shardwright_bucket");
        shards.onShard(
            shard,
            "CREATE TABLE shardwright_bucket (grp varchar(63), bucket int, state varchar(10),"
                + " epoch bigint, captured boolean, foreign_rows boolean, token bigint,"
                + " PRIMARY KEY (grp, bucket))");
        for (int bucket = 0; bucket < map.buckets(); bucket++) {
          boolean here = map.shardOf(new BucketId(bucket)).name().equals("s" + shard);
          shards.onShard(
              shard,
              "INSERT INTO shardwright_bucket VALUES ('samples', "
                  + bucket
                  + (here ? ", 'open'" : ", 'away'")
                  + ", 1, false, false, 0)");
        }
        if (postgres) {
          fencePostgres(shards, shard);
        } else {
          fenceMariaDb(shards, shard);
        }
      }
    }
  }

  private static void fencePostgres(TestingShards shards, int shard) {
    shards.onShard(
        shard,
        """
        CREATE FUNCTION shardwright_enter(text, integer) RETURNS boolean LANGUAGE plpgsql AS $$
        DECLARE s text;
        BEGIN
          PERFORM pg_advisory_xact_lock_shared(7, $2);
          IF current_setting('transaction_isolation') = 'read committed' THEN
            SELECT state INTO s FROM shardwright_bucket WHERE grp = $1 AND bucket = $2;
          ELSE
            SELECT state INTO s FROM shardwright_bucket WHERE grp = $1 AND bucket = $2 FOR SHARE;
          END IF;
          IF s <> 'open' THEN
            RAISE EXCEPTION USING ERRCODE = 'SW001', MESSAGE = 'SW001: bucket is ' || s;
          END IF;
          RETURN true;
        END $$;
        CREATE FUNCTION fence() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          PERFORM shardwright_enter('samples', coalesce(NEW.bucket_id, OLD.bucket_id));
          RETURN coalesce(NEW, OLD);
        END $$;
        CREATE TRIGGER fence BEFORE INSERT OR UPDATE OR DELETE ON samples FOR EACH ROW
          WHEN (current_setting('application_name') <> 'mover') EXECUTE FUNCTION fence();
        """);
  }

  private static void fenceMariaDb(TestingShards shards, int shard) throws SQLException {
    for (String event : List.of("INSERT", "UPDATE", "DELETE")) {
      try (Connection connection = shards.shard(shard);
          Statement statement = connection.createStatement()) {
        statement.execute(
            """
            CREATE TRIGGER fence_%s BEFORE %s ON samples FOR EACH ROW
            BEGIN
              DECLARE s varchar(10);
              IF @mover IS NULL THEN
                SELECT state INTO s FROM shardwright_bucket
                  WHERE grp = 'samples' AND bucket = %s.bucket_id LOCK IN SHARE MODE;
                IF s <> 'open' THEN
                  SIGNAL SQLSTATE 'SW001' SET MESSAGE_TEXT = 'SW001: the bucket is not open';
                END IF;
              END IF;
            END\
            """
                .formatted(event, event, event.equals("INSERT") ? "NEW" : "OLD"));
      }
    }
  }

  void run(Step step) throws SQLException {
    switch (step) {
      case ANNOUNCED -> announce();
      case COPIED -> copy();
      case CAPTURED -> row(source, "captured = true");
      case CLOSED -> close();
      case PUBLISHED -> publish();
      case AWAY -> away();
      case OPEN -> row(target, "state = 'open', epoch = " + version());
      case CLEANED -> clean();
      case DONE -> end("done");
    }
  }

  /** Runs all steps up to this one. */
  void runTo(Step last) throws SQLException {
    for (Step step : Step.values()) {
      run(step);
      if (step == last) {
        return;
      }
    }
  }

  private void announce() throws SQLException {
    inCatalog(
        "INSERT INTO shardwright_move (id, grp, source, target, buckets, rows_per_second,"
            + " rollback, window_millis, state, wish, epoch, worker, held_until, intent,"
            + " intent_buckets, rows_total, rows_copied, rows_applied, pending, attempts, note,"
            + " created_at, changed_at) VALUES ((SELECT coalesce(max(m.id), 0) + 1 FROM"
            + " shardwright_move m), 'samples', 's"
            + source
            + "', 's"
            + target
            + "', '"
            + bucket
            + "', 0, 1, 0, 'copying', 'run', 1, 'test', 0, '', '', 0, 0, 0, 0, 0, '', 0, 0)");
    changed();
  }

  /** The target's rows are those of the source, whatever was there. */
  void copy() throws SQLException {
    row(target, "state = 'incoming', foreign_rows = true, token = token + 1");
    row(source, "token = token + 1");
    copyRows();
  }

  /** In place of the notes: what was written since is copied, too. */
  private void copyRows() throws SQLException {
    List<String> rows =
        shards.shardRows(source, "SELECT k, id, t FROM samples WHERE bucket_id = " + bucket);
    try (Connection to = asMover(target)) {
      TestingShards.update(to, "DELETE FROM samples WHERE bucket_id = " + bucket);
      for (String row : rows) {
        String[] columns = row.split("\\|", -1);
        TestingShards.update(
            to,
            "INSERT INTO samples (bucket_id, k, id, t) VALUES (?, ?, ?, ?)",
            bucket,
            Long.parseLong(columns[0]),
            Long.parseLong(columns[1]),
            columns[2]);
      }
    }
  }

  /** Waits for writers in flight, as the lock that they share makes the real one. */
  private void close() throws SQLException {
    try (Connection connection = asMover(source)) {
      connection.setAutoCommit(false);
      if (shards.database().product() == DatabaseProduct.POSTGRESQL) {
        TestingShards.rows(connection, "SELECT pg_advisory_xact_lock(7, " + bucket + ")");
      }
      TestingShards.update(
          connection, "UPDATE shardwright_bucket SET state = 'closed'" + ROW + bucket);
      connection.commit();
    }
    copyRows();
  }

  private void publish() {
    try (Catalog catalog = Catalog.open(shards.configuration("direct"))) {
      BucketMap now = catalog.load().maps().get("samples");
      catalog.publish(
          now.withMoved(Set.of(new BucketId(bucket)), new ShardId("s" + target)), "test");
    }
  }

  private long version() {
    try (Catalog catalog = Catalog.open(shards.configuration("direct"))) {
      return catalog.load().maps().get("samples").version();
    }
  }

  private void away() throws SQLException {
    row(source, "state = 'away', foreign_rows = true, epoch = " + version());
  }

  void clean() throws SQLException {
    try (Connection connection = asMover(source)) {
      TestingShards.update(connection, "DELETE FROM samples WHERE bucket_id = " + bucket);
    }
    row(source, "captured = false, foreign_rows = false");
    row(target, "foreign_rows = false");
  }

  /** After CLOSED: the source takes writes again. */
  void reopen() throws SQLException {
    row(source, "state = 'open'");
  }

  /** After reopening: the copy is deleted. */
  void cancel() throws SQLException {
    row(source, "captured = false");
    try (Connection connection = asMover(target)) {
      TestingShards.update(connection, "DELETE FROM samples WHERE bucket_id = " + bucket);
    }
    row(target, "state = 'away', foreign_rows = false");
    end("cancelled");
  }

  void end(String state) throws SQLException {
    inCatalog("UPDATE shardwright_move SET state = '" + state + "'");
    changed();
  }

  private void changed() throws SQLException {
    inCatalog("UPDATE shardwright_state SET version = version + 1");
  }

  private void inCatalog(String sql) throws SQLException {
    var endpoint = shards.configuration("direct").catalog().orElseThrow();
    try (Connection connection =
        DriverManager.getConnection(endpoint.url(), endpoint.user(), endpoint.password())) {
      TestingShards.update(connection, sql);
    }
  }

  private void row(int shard, String set) throws SQLException {
    try (Connection connection = asMover(shard)) {
      TestingShards.update(connection, "UPDATE shardwright_bucket SET " + set + ROW + bucket);
    }
  }

  private Connection asMover(int shard) throws SQLException {
    Connection connection = shards.shard(shard);
    boolean postgres = shards.database().product() == DatabaseProduct.POSTGRESQL;
    try (Statement statement = connection.createStatement()) {
      statement.execute(postgres ? "SET application_name = 'mover'" : "SET @mover = 1");
    }
    return connection;
  }
}
