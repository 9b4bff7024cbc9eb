package io.shardwright.driver;

import io.shardwright.config.Configuration;
import io.shardwright.ids.BucketText;
import io.shardwright.routing.BucketFunction;
import io.shardwright.schema.KeyNumbers;
import io.shardwright.schema.ShardSchema;
import io.shardwright.sql.Schema.LookupIndex;
import io.shardwright.sql.Schema.NumberColumn;
import java.util.List;

/** The columns of a table whose texts carry its route key or bucket. */
final class NumberColumns {
  private NumberColumns() {}

  /**
   * Those that route: a column whose collation takes two texts for one would find rows by a text
   * that means nothing, and a key that is no number may have several texts. {@code shardwright
   * apply} tells of others.
   *
   * @param function of the table
   * @param indexes of the table
   */
  static List<NumberColumn> of(
      Configuration.Group group,
      Configuration.Table table,
      ShardSchema.Table found,
      BucketFunction function,
      List<LookupIndex> indexes) {
    return group.ids().stream()
        .filter(Configuration.NumberColumn.class::isInstance)
        .map(Configuration.NumberColumn.class::cast)
        .filter(id -> KeyNumbers.route(id, table, found))
        .map(id -> column(id, id.texts(group.key(), function), indexes))
        .toList();
  }

  private static NumberColumn column(
      Configuration.NumberColumn id, BucketText texts, List<LookupIndex> indexes) {
    return new NumberColumn(
        id.column(),
        texts,
        indexes.stream().filter(i -> i.columns().equals(List.of(id.column()))).findFirst());
  }
}
