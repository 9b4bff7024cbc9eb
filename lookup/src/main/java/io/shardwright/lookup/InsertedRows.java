package io.shardwright.lookup;

import io.shardwright.catalog.Database;
import io.shardwright.lookup.UniqueIndex.IndexColumn;
import io.shardwright.routing.BucketId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;

/** What an INSERT of plain rows tells of them by RETURNING, for the indexes of its table. */
final class InsertedRows {
  private final List<EntryTable> tables;

  InsertedRows(List<EntryTable> tables) {
    this.tables = tables;
  }

  /** Bucket and primary key, then the columns of each index. */
  String clause() {
    UniqueIndex first = tables.get(0).index();
    Database database = Database.of(first.product());
    StringJoiner columns = new StringJoiner(", ", " RETURNING bucket_id, ", "");
    first.primaryKey().forEach(column -> columns.add(database.quote(column.name())));
    for (EntryTable table : tables) {
      table.index().columns().forEach(column -> columns.add(database.quote(column.name())));
    }
    return columns.toString();
  }

  /** By index, in its order, then by row. */
  List<List<Change>> read(ResultSet row) throws SQLException {
    List<List<Change>> changes = new ArrayList<>();
    tables.forEach(table -> changes.add(new ArrayList<>()));
    UniqueIndex first = tables.get(0).index();
    while (row.next()) {
      RowId id =
          new RowId(
              new BucketId(row.getInt(1)),
              Columns.read(first.product(), row, 2, first.primaryKey()));
      int at = 2 + first.primaryKey().size();
      for (int i = 0; i < tables.size(); i++) {
        List<IndexColumn> columns = tables.get(i).index().columns();
        List<Object> values = Columns.read(first.product(), row, at, columns);
        at += columns.size();
        changes.get(i).add(new Change(id, Optional.empty(), tables.get(i).value(values)));
      }
    }
    return changes;
  }
}
