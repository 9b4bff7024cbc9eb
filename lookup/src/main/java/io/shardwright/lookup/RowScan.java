package io.shardwright.lookup;

import io.shardwright.catalog.Database;
import io.shardwright.lookup.UniqueIndex.IndexColumn;
import io.shardwright.routing.BucketId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Rows of an indexed table, with what of them is indexed. */
final class RowScan {
  /** Rows that one statement asks for. */
  private static final int CHUNK = 100;

  private final UniqueIndex index;
  private final Database database;
  private final String select;

  /**
   * A row.
   *
   * @param value empty when a NULL is among its values
   */
  record Row(RowId id, Optional<Value> value) {}

  RowScan(UniqueIndex index) {
    this.index = index;
    this.database = Database.of(index.product());
    this.select =
        "SELECT bucket_id, "
            + Stream.concat(index.primaryKey().stream(), index.columns().stream())
                .map(this::quoted)
                .collect(Collectors.joining(", "))
            + " FROM "
            + database.quote(index.table());
  }

  private String quoted(IndexColumn column) {
    return database.quote(column.name());
  }

  /** The rows of a bucket behind one, in the order of the primary key. */
  List<Row> page(Connection connection, BucketId bucket, Optional<RowId> after, int limit)
      throws SQLException {
    List<String> keys = index.primaryKey().stream().map(this::quoted).toList();
    String text =
        select
            + " WHERE bucket_id = ?"
            + (after.isPresent()
                ? " AND (" + KeyOrder.behind(keys, Collections.nCopies(keys.size(), "?")) + ")"
                : "")
            + " ORDER BY bucket_id, "
            + String.join(", ", keys)
            + " LIMIT "
            + limit;
    try (PreparedStatement statement = connection.prepareStatement(text)) {
      statement.setInt(1, bucket.value());
      int at = 2;
      for (int i = 0; after.isPresent() && i < index.primaryKey().size(); i++) {
        for (Object value : after.get().primaryKey().subList(0, i + 1)) {
          statement.setObject(at, value);
          at++;
        }
      }
      return rows(statement);
    }
  }

  /** Those of the rows that are there, with the values that they have. */
  Set<Row> present(Connection connection, List<RowId> ids) throws SQLException {
    if (ids.isEmpty()) {
      return Set.of();
    }
    Set<Row> present = new HashSet<>();
    String one =
        "(bucket_id = ?"
            + index.primaryKey().stream()
                .map(column -> " AND " + quoted(column) + " = ?")
                .collect(Collectors.joining())
            + ")";
    for (int from = 0; from < ids.size(); from += CHUNK) {
      List<RowId> chunk = ids.subList(from, Math.min(ids.size(), from + CHUNK));
      String text = select + " WHERE " + one + (" OR " + one).repeat(chunk.size() - 1);
      try (PreparedStatement statement = connection.prepareStatement(text)) {
        int at = 1;
        for (RowId id : chunk) {
          statement.setInt(at, id.bucket().value());
          at++;
          for (Object value : id.primaryKey()) {
            statement.setObject(at, value);
            at++;
          }
        }
        present.addAll(rows(statement));
      }
    }
    return present;
  }

  private List<Row> rows(PreparedStatement statement) throws SQLException {
    List<Row> rows = new ArrayList<>();
    int pk = index.primaryKey().size();
    try (ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        RowId id =
            new RowId(
                new BucketId(row.getInt(1)),
                Columns.read(index.product(), row, 2, index.primaryKey()));
        List<Object> values = Columns.read(index.product(), row, 2 + pk, index.columns());
        rows.add(new Row(id, values.contains(null) ? Optional.empty() : Value.of(index, values)));
      }
    }
    return rows;
  }
}
