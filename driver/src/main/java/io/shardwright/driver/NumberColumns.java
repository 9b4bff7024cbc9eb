package io.shardwright.driver;

import io.shardwright.config.Configuration;
import io.shardwright.config.Configuration.CodecColumn;
import io.shardwright.schema.KeyNumbers;
import io.shardwright.schema.ShardSchema;
import io.shardwright.sql.Schema.LookupIndex;
import io.shardwright.sql.Schema.NumberColumn;
import java.util.List;

/** The columns of a table whose texts carry its route key. */
final class NumberColumns {
  private NumberColumns() {}

  /**
   * Those that route: a column whose collation takes two texts for one would find rows by a text
   * that means nothing, and a key that is no number may have several texts. {@code shardwright
   * apply} tells of others.
   *
   * @param indexes of the table
   */
  static List<NumberColumn> of(
      Configuration.Group group,
      Configuration.Table table,
      ShardSchema.Table found,
      List<LookupIndex> indexes) {
    return group.ids().stream()
        .filter(CodecColumn.class::isInstance)
        .map(CodecColumn.class::cast)
        .filter(id -> KeyNumbers.route(id, table, found))
        .map(id -> column(group, id, indexes))
        .toList();
  }

  private static NumberColumn column(
      Configuration.Group group, CodecColumn id, List<LookupIndex> indexes) {
    return new NumberColumn(
        id.column(),
        id.codec(),
        group.key(),
        indexes.stream().filter(i -> i.columns().equals(List.of(id.column()))).findFirst());
  }
}
