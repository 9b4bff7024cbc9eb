package io.shardwright.bench.compare;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Orders with a number, which is unique over all shards, and an id that carries the bucket. The
 * rows are written by Shardwright, which keeps an index of the numbers; the others read the same
 * rows.
 */
final class Numbered {
  private static final String DDL =
      """
      CREATE TABLE numbered (
        {bucket} order_id bigint NOT NULL, buyer_id bigint NOT NULL, order_no text NOT NULL,
        PRIMARY KEY ({key} order_id));
      CREATE INDEX numbered_no ON numbered ({key} order_no);
      """;

  private static final String INDEXES_OF_SHARDS =
      """
      CREATE INDEX numbered_no_alone ON numbered (order_no);
      CREATE INDEX numbered_id_alone ON numbered (order_id);
      """;

  private static final String SELECT = "SELECT order_id, buyer_id, order_no FROM numbered";
  private static final String INSERT = "INSERT INTO numbered (buyer_id, order_no) VALUES (?, ?)";

  private static volatile List<Long> ids = List.of();

  private Numbered() {}

  static String ofShard() {
    return DDL.replace("{bucket}", "bucket_id int NOT NULL,").replace("{key}", "bucket_id,")
        + INDEXES_OF_SHARDS;
  }

  static String ofOneServer() {
    return DDL.replace("{bucket}", "").replace("{key}", "");
  }

  static String configuration(
      String catalogUrl, List<String> urls, String user, String password, int poolMax) {
    return "version: 1\ncatalog: {url: \"%s\", user: %s, password: \"%s\"}\nshards:\n"
            .formatted(catalogUrl, user, password)
        + OrderTables.shards(urls, user, password, poolMax)
        + """
        scatter: {reads: allow, writes: refuse}
        groups:
          numbered:
            key: [buyer_id]
            buckets: %d
            id: {column: order_id}
            tables: {numbered: {}}
            indexes:
              by_order_no: {columns: [order_no], unique: true}
        """
            .formatted(OrderTables.BUCKETS);
  }

  static String number(int row) {
    return "N-" + row;
  }

  static void write(Connection connection, int rows) throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
      for (int row = 0; row < rows; row++) {
        insert.setLong(1, row);
        insert.setString(2, number(row));
        insert.executeUpdate();
      }
    }
  }

  /** From the shards to the one server. */
  static void copy(Connection shards, Connection oneServer) throws SQLException {
    try (PreparedStatement select = shards.prepareStatement(SELECT);
        ResultSet rows = select.executeQuery();
        PreparedStatement insert =
            oneServer.prepareStatement(
                "INSERT INTO numbered (order_id, buyer_id, order_no) VALUES (?, ?, ?)")) {
      while (rows.next()) {
        insert.setLong(1, rows.getLong(1));
        insert.setLong(2, rows.getLong(2));
        insert.setString(3, rows.getString(3));
        insert.addBatch();
      }
      insert.executeBatch();
    }
  }

  /** Reads which ids there are. */
  static void learn(Opponent opponent) throws SQLException {
    List<Long> found = new ArrayList<>();
    opponent.read(Read.of(SELECT, Read.Merge.CONCATENATE, 0, row -> found.add(row.getLong(1))));
    ids = List.copyOf(found);
  }

  static void readByNumber(Opponent opponent, Turn turn) throws SQLException {
    String number = number(turn.random().nextInt(turn.scale().numbered()));
    Read read =
        Read.of(
            SELECT + " WHERE order_no = ?",
            Read.Merge.CONCATENATE,
            0,
            row -> row.getString(3),
            number);
    turn.countRows(opponent.read(read), 1);
  }

  static void readById(Opponent opponent, Turn turn) throws SQLException {
    long id = ids.get(turn.random().nextInt(ids.size()));
    Read read =
        Read.of(
            SELECT + " WHERE order_id = ?", Read.Merge.CONCATENATE, 0, row -> row.getString(3), id);
    try (Connection connection = opponent.connectionOfId(id)) {
      turn.countRows(Statements.read(connection, read), 1);
    }
  }
}
