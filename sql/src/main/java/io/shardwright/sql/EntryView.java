package io.shardwright.sql;

import io.shardwright.routing.KeyType;
import io.shardwright.sql.Schema.Column;
import io.shardwright.sql.Schema.Table;
import io.shardwright.sql.Schema.ValueOrder;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/** The view of a list index's entries as a sharded table. */
final class EntryView {
  private EntryView() {}

  static Table of(ListIndex index, Table table) {
    Column rowBucket =
        new Column(
            ListIndex.ROW_BUCKET,
            ValueOrder.NATURAL,
            OptionalInt.empty(),
            Optional.empty(),
            Optional.of(KeyType.INTEGER));
    List<Column> columns =
        Stream.concat(
                Stream.of(rowBucket),
                table.columns().stream()
                    .filter(
                        column ->
                            column.name().equals(KeyCondition.BUCKET_COLUMN)
                                || index.holds(column.name())))
            .toList();
    return new Table(index.view(), Optional.of(index.entries()), columns);
  }
}
