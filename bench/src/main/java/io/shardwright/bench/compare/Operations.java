package io.shardwright.bench.compare;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.util.concurrent.atomic.AtomicLong;

/** Operations on the rows of one buyer; the same code for every side. */
final class Operations {
  /** Kind of the event of an order of a skewed buyer. */
  static final String SKEWED = "skewed";

  private static final int READS_OF_A_MIX = 10;
  private static final AtomicLong NEW_COLUMNS = new AtomicLong();

  private Operations() {}

  static void point(Opponent opponent, Turn turn) throws SQLException {
    int row = turn.row();
    long buyer = turn.buyerOfRow(row);
    try (Connection connection = opponent.connection(buyer)) {
      point(connection, buyer, row);
    }
    turn.countRows(1, 1);
  }

  private static void point(Connection connection, long buyer, long order) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(Statements.POINT)) {
      statement.setLong(1, buyer);
      statement.setLong(2, order);
      try (ResultSet rows = statement.executeQuery()) {
        readOne(rows);
      }
    }
  }

  private static void readOne(ResultSet rows) throws SQLException {
    if (!rows.next() || rows.getLong(1) < 0 || rows.getString(2).isEmpty()) {
      throw new SQLException("the order is not there");
    }
    BigDecimal total = rows.getBigDecimal(3);
    if (total.signum() < 0) {
      throw new SQLException("a negative total: " + total);
    }
  }

  static void literal(Opponent opponent, Turn turn) throws SQLException {
    text(opponent, turn, "total");
  }

  static void newText(Opponent opponent, Turn turn) throws SQLException {
    text(opponent, turn, "total_" + NEW_COLUMNS.incrementAndGet());
  }

  private static void text(Opponent opponent, Turn turn, String column) throws SQLException {
    int row = turn.row();
    long buyer = turn.buyerOfRow(row);
    try (Connection connection = opponent.connection(buyer);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(Statements.point(buyer, row, column))) {
      readOne(rows);
    }
    turn.countRows(1, 1);
  }

  static void insert(Opponent opponent, Turn turn) throws SQLException {
    long buyer = turn.buyer();
    try (Connection connection = opponent.connection(buyer)) {
      insertOrder(opponent, connection, buyer, turn.newId());
    }
    turn.countRows(1, 1);
  }

  private static void insertOrder(Opponent opponent, Connection connection, long buyer, long order)
      throws SQLException {
    insert(
        opponent,
        connection,
        "orders",
        OrderTables.ORDER_COLUMNS,
        buyer,
        order,
        "NEW",
        BigDecimal.TEN,
        past(order));
  }

  /** Before all rows that were loaded, so that the newest ones stay the same. */
  private static Timestamp past(long order) {
    return Timestamp.from(Workloads.FIRST_ORDER.minusSeconds(1 + order % 10_000_000));
  }

  private static void insert(
      Opponent opponent,
      Connection connection,
      String table,
      String columns,
      long buyer,
      Object... values)
      throws SQLException {
    String sql = Statements.insert(table, columns, opponent.namesBuckets());
    try (PreparedStatement insert = connection.prepareStatement(sql)) {
      int index = 1;
      if (opponent.namesBuckets()) {
        insert.setInt(index++, OrderTables.bucket(buyer));
      }
      insert.setLong(index++, buyer);
      for (Object value : values) {
        if (value instanceof Long number) {
          insert.setLong(index++, number);
        } else {
          insert.setObject(index++, value);
        }
      }
      if (insert.executeUpdate() != 1) {
        throw new SQLException("no row was inserted");
      }
    }
  }

  static void createOrder(Opponent opponent, Turn turn) throws SQLException {
    createOrder(opponent, turn, turn.buyer(), "created");
  }

  static void createSkewedOrder(Opponent opponent, Turn turn) throws SQLException {
    long buyer = Skew.ofOnlineRetail().buyer(turn.random());
    createOrder(opponent, turn, buyer, SKEWED);
  }

  private static void createOrder(Opponent opponent, Turn turn, long buyer, String kind)
      throws SQLException {
    long order = turn.newId();
    try (Connection connection = opponent.connection(buyer)) {
      connection.setAutoCommit(false);
      insertOrder(opponent, connection, buyer, order);
      String items = "buyer_id, order_id, line_no, sku, quantity, price";
      for (int line = 1; line <= 2; line++) {
        insert(
            opponent,
            connection,
            "order_items",
            items,
            buyer,
            order,
            line,
            "SKU-" + line,
            3,
            BigDecimal.ONE);
      }
      insert(
          opponent,
          connection,
          "payments",
          "buyer_id, payment_id, order_id, amount, method",
          buyer,
          order,
          order,
          BigDecimal.TEN,
          "card");
      insert(
          opponent,
          connection,
          "order_events",
          "buyer_id, order_id, event_no, kind, at",
          buyer,
          order,
          1,
          kind,
          past(order));
      connection.commit();
      connection.setAutoCommit(true);
    }
    turn.countRows(5, 5);
  }

  /** In the proportions of sysbench's oltp_read_write, for the rows of one buyer. */
  static void mix(Opponent opponent, Turn turn) throws SQLException {
    int first = turn.row();
    long buyer = turn.buyerOfRow(first);
    long order = turn.newId();
    int rowsOfBuyer = turn.scale().rows() / turn.scale().buyers();
    try (Connection connection = opponent.connection(buyer)) {
      connection.setAutoCommit(false);
      for (int i = 0; i < READS_OF_A_MIX; i++) {
        long row = buyer - 1 + (long) turn.random().nextInt(rowsOfBuyer) * turn.scale().buyers();
        point(connection, buyer, row);
      }
      insertOrder(opponent, connection, buyer, order);
      for (String status : new String[] {"PAID", "SENT"}) {
        try (PreparedStatement update = connection.prepareStatement(Statements.UPDATE)) {
          update.setString(1, status);
          update.setLong(2, buyer);
          update.setLong(3, order);
          changeOne(update);
        }
      }
      try (PreparedStatement delete = connection.prepareStatement(Statements.DELETE)) {
        delete.setLong(1, buyer);
        delete.setLong(2, order);
        changeOne(delete);
      }
      connection.commit();
      connection.setAutoCommit(true);
    }
    turn.countRows(READS_OF_A_MIX, READS_OF_A_MIX);
  }

  private static void changeOne(PreparedStatement change) throws SQLException {
    if (change.executeUpdate() != 1) {
      throw new SQLException("no row was changed");
    }
  }
}
