package io.shardwright.query;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.ShardId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Which indexes serve a query: those whose columns begin with some that the query fixes (by eq or
 * in), followed by the time column, so that the range is read and no more, or by the first column
 * of the order, so that LIMIT ends the read; and those that begin with the whole route key or a
 * unique key, when all of it is fixed.
 *
 * @param fixed columns with eq or in
 * @param keys column lists that, when they are fixed, leave few rows
 */
record IndexCheck(
    String table,
    Set<String> fixed,
    String time,
    String order,
    List<List<String>> keys,
    List<String> id) {

  /**
   * @throws ShardwrightException SW804 when some shard has no such index
   */
  void check(TableIndexes indexes) {
    List<ShardId> lacking = indexes.lacking(table, this::serves);
    if (!lacking.isEmpty()) {
      List<String> columns = new ArrayList<>(fixed.stream().sorted().toList());
      columns.add(time);
      id.stream().filter(column -> !columns.contains(column)).forEach(columns::add);
      throw new ShardwrightException(
          ErrorCode.QUERY_NOT_INDEXED,
          "no index of table "
              + table
              + " serves the query on "
              + (lacking.size() == 1 ? "shard " : "shards ")
              + String.join(", ", lacking.stream().map(ShardId::name).toList())
              + ", so that each would read the whole table; nothing was sent; create one on every"
              + " shard, e.g. CREATE INDEX ON "
              + table
              + " ("
              + String.join(", ", columns)
              + ") by shardwright sql, or leave out conditions that no index has");
    }
  }

  boolean serves(List<String> columns) {
    int prefix = 0;
    while (prefix < columns.size() && fixed.contains(columns.get(prefix))) {
      prefix++;
    }
    String next = prefix < columns.size() ? columns.get(prefix) : "";
    Set<String> begin = new HashSet<>(columns.subList(0, prefix));
    begin.add(TableShape.BUCKET);
    return next.equals(time) || next.equals(order) || keys.stream().anyMatch(begin::containsAll);
  }
}
