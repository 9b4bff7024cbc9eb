package io.shardwright.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;

class MariaDbFenceTest extends FenceContract {
  static final String TABLES =
      """
      CREATE TABLE orders (
        bucket_id int NOT NULL, order_id bigint NOT NULL, buyer bigint NOT NULL, amount int,
        PRIMARY KEY (bucket_id, order_id), KEY orders_key (bucket_id, buyer)
      );
      CREATE TABLE notes (
        bucket_id int NOT NULL, n bigint NOT NULL AUTO_INCREMENT, buyer bigint NOT NULL,
        note text,
        PRIMARY KEY (bucket_id, n), KEY notes_key (bucket_id, buyer), KEY notes_n (n)
      )\
      """;

  @Override
  OrderShards newShards() throws SQLException {
    return OrderShards.mariaDb(2).withCatalog().everywhere(TABLES);
  }

  @Override
  String groups() {
    return super.groups().replace("orders_pkey", "PRIMARY").replace("notes_pkey", "PRIMARY");
  }

  @Override
  void createMover() throws SQLException {
    shards.on(0, "CREATE USER IF NOT EXISTS fence_mover@'%' IDENTIFIED BY 'mover-password'");
    for (String url : shards.shards()) {
      String database = url.replaceAll(".*/", "");
      shards.on(
          0, "GRANT SELECT, INSERT, UPDATE, DELETE ON `" + database + "`.* TO fence_mover@'%'");
    }
  }

  @Override
  boolean begin(Connection mover, int bucket, String set) throws SQLException {
    mover.setAutoCommit(false);
    try (Statement statement = mover.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT 1 FROM shardwright_bucket WHERE grp = 'shop' AND bucket = "
                    + bucket
                    + " FOR UPDATE SKIP LOCKED")) {
      if (!row.next()) {
        mover.rollback();
        return false;
      }
    }
    run(
        mover,
        "UPDATE shardwright_bucket SET %s WHERE grp = 'shop' AND bucket = %d"
            .formatted(set, bucket));
    return true;
  }

  @Override
  void commit(Connection mover, int bucket) throws SQLException {
    mover.commit();
    mover.setAutoCommit(true);
  }

  @Override
  String waiting() {
    // The server fills innodb_trx anew only when nobody has read it for a tenth of a second.
    return "SELECT count(*) FROM (SELECT SLEEP(0.15)) pause JOIN information_schema.innodb_trx"
        + " WHERE trx_state = 'LOCK WAIT'";
  }

  @Override
  List<String> tooOld(int isolation) {
    return List.of(Fence.STALE);
  }

  @Override
  String weaken() throws SQLException {
    run(session(), "DROP TRIGGER `~shardwright_update_orders`");
    return "missing";
  }

  @Override
  String upsert(int bucket, long id) {
    return insert(bucket, id) + " ON DUPLICATE KEY UPDATE amount = 12";
  }

  @Override
  void prepare(Connection connection, String name) throws SQLException {
    run(
        connection,
        "XA START '" + name + "'",
        insert(OPEN, 1),
        "XA END '" + name + "'",
        "XA PREPARE '" + name + "'");
  }

  @Override
  void commitPrepared(String name) throws SQLException {
    run(opened.get(opened.size() - 2), "XA COMMIT '" + name + "'");
  }

  /** Any trigger before an INSERT breaks the first and the second on 11.4. */
  @Test
  void insert_ofRowsOfAQuery_isCheckedRowByRow() throws SQLException {
    Connection writer = session();
    run(
        writer,
        insert(OPEN, 1),
        insert(OTHER, 1),
        "CREATE TABLE more (bucket_id int NOT NULL, order_id bigint NOT NULL, buyer bigint NOT NULL)",
        "INSERT INTO more VALUES (5, 2, 1), (6, 2, 1), (7, 2, 1)");
    for (String form :
        List.of("INSERT INTO", "REPLACE INTO", "INSERT IGNORE INTO", "REPLACE INTO")) {
      run(
          writer,
          form
              + " orders (bucket_id, order_id, buyer) SELECT bucket_id, order_id, buyer FROM more");
    }
    run(
        writer,
        "INSERT INTO orders (bucket_id, order_id, buyer) SELECT bucket_id, order_id, buyer FROM"
            + " more ON DUPLICATE KEY UPDATE amount = 7");
    assertThat(query("SELECT bucket_id, order_id, amount FROM orders WHERE order_id = 2"))
        .containsExactly("5|2|7", "6|2|7", "7|2|7");

    change(OTHER, "state = 'closed'");
    for (String form : List.of("INSERT INTO", "REPLACE INTO", "INSERT IGNORE INTO")) {
      assertStale(
          writer,
          form + " orders (bucket_id, order_id, buyer) SELECT bucket_id, 3, buyer FROM more",
          "bucket 6");
    }
    assertStale(writer, "REPLACE INTO orders VALUES (6, 1, 1, 9)", "bucket 6");
    assertThat(query("SELECT count(*), max(order_id) FROM orders")).containsExactly("5|2");
  }
}
