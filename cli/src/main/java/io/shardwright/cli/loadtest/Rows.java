package io.shardwright.cli.loadtest;

import io.shardwright.cli.loadtest.Orders.Item;
import io.shardwright.cli.loadtest.Orders.Table;
import io.shardwright.config.DatabaseProduct;
import io.shardwright.driver.ShardwrightDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;

/** Writes rows through the driver. Stateless. */
final class Rows {
  private final DatabaseProduct product;

  Rows(DatabaseProduct product) {
    this.product = product;
  }

  /**
   * The connection's transaction is the caller's.
   *
   * @param items of one table
   */
  void insert(Connection connection, Table table, List<Item> items) throws SQLException {
    boolean lines = table == Table.LINES;
    String sql =
        "INSERT INTO "
            + table.word()
            + " ("
            + table.id()
            + ", buyer_id, "
            + table.number()
            + ", "
            + table.money()
            + ", created_at"
            + (lines ? ", order_id) VALUES (?, ?, ?, ?, ?, ?)" : ") VALUES (?, ?, ?, ?, ?)");
    try (PreparedStatement insert = connection.prepareStatement(sql)) {
      for (Item item : items) {
        insert.setLong(1, item.id());
        insert.setLong(2, item.buyerId());
        insert.setInt(3, item.number());
        insert.setLong(4, item.money());
        insert.setObject(5, moment(item));
        if (lines) {
          insert.setLong(6, item.orderId());
        }
        insert.addBatch();
      }
      insert.executeBatch();
    }
  }

  private Object moment(Item item) {
    return product == DatabaseProduct.POSTGRESQL
        ? item.createdAt().atOffset(ZoneOffset.UTC)
        : LocalDateTime.ofInstant(item.createdAt(), ZoneOffset.UTC);
  }

  /** Each batch of so many rows in a transaction for each shard. */
  void load(ShardwrightDataSource source, Table table, List<Item> items, int batch)
      throws SQLException {
    try (Connection connection = source.getConnection()) {
      for (int i = 0; i < items.size(); i += batch) {
        insert(connection, table, items.subList(i, Math.min(items.size(), i + batch)));
      }
    }
  }
}
