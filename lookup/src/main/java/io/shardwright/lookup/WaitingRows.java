package io.shardwright.lookup;

import io.shardwright.catalog.Database;
import io.shardwright.config.DatabaseProduct;
import io.shardwright.lookup.ListIndex.ListColumn;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.KeyType;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The rows of one shard whose last changes a list index does not have: those wait in the outbox, or
 * were put aside because the index did not take them. Stateless.
 */
public final class WaitingRows {
  /** Values in one statement. */
  private static final int CHUNK = 100;

  private final ListIndex index;

  public WaitingRows(ListIndex index) {
    this.index = index;
  }

  /**
   * Reads them.
   *
   * @param values of the index's first columns that a row has, or had before a change
   * @param max rows at most
   */
  public Set<RowId> read(Connection connection, List<List<Object>> values, int max)
      throws SQLException {
    Set<RowId> rows = new LinkedHashSet<>();
    for (int from = 0; from < values.size() && rows.size() < max; from += CHUNK) {
      List<List<Object>> chunk = values.subList(from, Math.min(values.size(), from + CHUNK));
      try (PreparedStatement select = connection.prepareStatement(sql(chunk.size(), max))) {
        bind(select, chunk);
        try (ResultSet row = select.executeQuery()) {
          while (row.next()) {
            rows.add(row(row));
          }
        }
      }
    }
    return rows;
  }

  /**
   * A row as a statement gives it.
   *
   * @param row of which the first column is the bucket, and the next are the primary key
   */
  public RowId row(ResultSet row) throws SQLException {
    List<Object> primaryKey = new ArrayList<>(index.primaryKey().size());
    for (int i = 0; i < index.primaryKey().size(); i++) {
      ListColumn column = index.primaryKey().get(i);
      primaryKey.add(
          Columns.read(
              index.product(),
              row,
              i + 2,
              column.typeName(),
              column.keyType().orElse(KeyType.TEXT)));
    }
    return new RowId(new BucketId(row.getInt(1)), primaryKey);
  }

  private String sql(int values, int max) {
    return from(index.name().outboxTable(), values)
        + " UNION "
        + from(index.name().deadTable(), values)
        + " LIMIT "
        + max;
  }

  private String from(String table, int values) {
    String key =
        IntStream.rangeClosed(1, index.primaryKey().size())
            .mapToObj(i -> ", p" + i)
            .collect(Collectors.joining());
    String had =
        IntStream.range(0, 2 * values)
            .mapToObj(i -> equal(i % 2 == 0 ? "old" : "v"))
            .collect(Collectors.joining(" OR "));
    return "SELECT bucket_id"
        + key
        + " FROM "
        + Database.of(index.product()).quote(table)
        + " WHERE "
        + had;
  }

  private String equal(String prefix) {
    return IntStream.rangeClosed(1, index.shardBy().size())
        .mapToObj(i -> prefix + i + " = " + value(index.shardBy().get(i - 1)))
        .collect(Collectors.joining(" AND ", "(", ")"));
  }

  /** PostgreSQL compares no text with a number; MariaDB makes of a value what the column is. */
  private String value(ListColumn column) {
    return index.product() == DatabaseProduct.MARIADB
        ? "?"
        : "CAST(? AS " + column.typeName() + ")";
  }

  private static void bind(PreparedStatement select, List<List<Object>> values)
      throws SQLException {
    int at = 1;
    for (int table = 0; table < 2; table++) {
      for (List<Object> value : values) {
        for (int side = 0; side < 2; side++) {
          for (Object column : value) {
            select.setObject(at++, column);
          }
        }
      }
    }
  }
}
