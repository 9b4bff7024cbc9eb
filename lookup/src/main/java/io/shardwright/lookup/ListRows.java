package io.shardwright.lookup;

import io.shardwright.lookup.TextTable.Field;
import io.shardwright.routing.BucketId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** The rows of a table with an index that is not unique, as texts. Stateless. */
final class ListRows {
  private final TextTable table;

  /**
   * A row.
   *
   * @param values indexed, then covering ones
   */
  record Row(RowId id, List<Object> values) {}

  ListRows(ListIndex index) {
    List<Field> key = new ArrayList<>();
    key.add(Field.integer("bucket_id"));
    index.primaryKey().forEach(column -> key.add(Field.of(column, column.name())));
    this.table =
        new TextTable(
            index.product(),
            index.table(),
            key,
            index.held().stream().map(column -> Field.of(column, column.name())).toList());
  }

  /** The rows of a bucket behind one, in the order of the primary key. */
  List<Row> page(Connection connection, BucketId bucket, Optional<RowId> after, int limit)
      throws SQLException {
    return table.page(connection, bucket.value(), after.map(ListRows::key), "", limit).stream()
        .map(ListRows::row)
        .toList();
  }

  /** Those that are there. */
  List<Row> read(Connection connection, Collection<RowId> ids) throws SQLException {
    return table.rows(connection, ids.stream().map(ListRows::key).toList()).stream()
        .map(ListRows::row)
        .toList();
  }

  private static List<Object> key(RowId id) {
    List<Object> key = new ArrayList<>();
    key.add(id.bucket().value());
    key.addAll(id.primaryKey());
    return key;
  }

  private static Row row(TextTable.Row row) {
    List<Object> key = row.key();
    return new Row(
        new RowId(new BucketId(Integer.parseInt((String) key.get(0))), key.subList(1, key.size())),
        row.values());
  }
}
