package io.shardwright.driver;

import io.shardwright.errors.ErrorCode;
import io.shardwright.sql.Merge;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Partial groups of all shards, combined in memory: groups with equal values (as the database sees
 * them: 1.0 = 1.00, NULL = NULL, -0 = 0) become one. Bounded by {@link #MAX_GROUPS}.
 */
final class Aggregation {
  /** Groups of one statement; some hundred bytes each. */
  static final int MAX_GROUPS = 100_000;

  private final Merge.Aggregate merge;
  private final PhysicalDatabase database;
  private final ResultSetMetaData shardColumns;
  private final ValueReader[] groupReaders;
  private final Map<List<Object>, Accumulator[]> groups = new LinkedHashMap<>();
  private final List<Cell[]> rows;

  /**
   * Reads all rows.
   *
   * @param maxRows of the result, 0: all
   * @throws SQLException SW407 beyond the bound, SW208 for types that cannot be combined
   */
  Aggregation(Merge.Aggregate merge, List<ShardCall> shards, long maxRows) throws SQLException {
    this.merge = merge;
    this.database = shards.get(0).database();
    this.shardColumns = shards.get(0).rows().getMetaData();
    this.groupReaders = new ValueReader[merge.groupColumns().size()];
    for (int i = 0; i < groupReaders.length; i++) {
      groupReaders[i] = database.reader(shardColumns, merge.groupColumns().get(i)).exact();
    }
    for (Merge.SortKey key : merge.order()) {
      int column = source(merge.outputs().get(key.column() - 1));
      database.reader(shardColumns, column).exact();
    }
    if (merge.groupColumns().isEmpty()) {
      groups.put(List.of(), accumulators());
    }
    for (ShardCall shard : shards) {
      while (shard.next()) {
        add(shard.rows());
      }
    }
    this.rows = window(ordered(), maxRows);
  }

  /** In order, after OFFSET and LIMIT; one cell per output, hidden ones last. */
  List<Cell[]> rows() {
    return rows;
  }

  /** Groups that OFFSET and LIMIT left out. */
  int groupsCut() {
    return groups.size() - rows.size();
  }

  int visibleColumns() {
    return merge.visibleOutputs();
  }

  /** Names and types of the visible columns, as the shards gave them. */
  ResultColumns columns() throws SQLException {
    int[] sources = new int[merge.visibleOutputs()];
    for (int i = 0; i < sources.length; i++) {
      sources[i] = source(merge.outputs().get(i));
    }
    return ResultColumns.computed(shardColumns, sources);
  }

  private static int source(Merge.Output output) {
    if (output instanceof Merge.Output.Group group) {
      return group.column();
    }
    if (output instanceof Merge.Output.Count count) {
      return count.column();
    }
    if (output instanceof Merge.Output.Sum sum) {
      return sum.column();
    }
    if (output instanceof Merge.Output.Min min) {
      return min.column();
    }
    return output instanceof Merge.Output.Max max
        ? max.column()
        : ((Merge.Output.Average) output).column();
  }

  private Accumulator[] accumulators() throws SQLException {
    Accumulator[] accumulators = new Accumulator[merge.outputs().size()];
    for (int i = 0; i < accumulators.length; i++) {
      accumulators[i] = Accumulator.of(merge.outputs().get(i), shardColumns, database);
    }
    return accumulators;
  }

  private void add(ResultSet row) throws SQLException {
    Object[] key = new Object[groupReaders.length];
    for (int i = 0; i < key.length; i++) {
      key[i] = equalForm(groupReaders[i].read(row, merge.groupColumns().get(i)));
    }
    List<Object> group = Arrays.asList(key);
    Accumulator[] accumulators = groups.get(group);
    if (accumulators == null) {
      if (groups.size() == MAX_GROUPS) {
        throw SqlErrors.of(
            ErrorCode.MERGE_TOO_LARGE,
            "GROUP BY over several shards has more than "
                + MAX_GROUPS
                + " groups, which are combined in memory; narrow it by WHERE or group by less");
      }
      accumulators = accumulators();
      groups.put(group, accumulators);
    }
    for (Accumulator accumulator : accumulators) {
      accumulator.add(row);
    }
  }

  /** A form whose equals() is the database's equality. */
  private static Object equalForm(Object value) {
    if (value instanceof BigDecimal decimal) {
      return decimal.stripTrailingZeros();
    }
    if (value instanceof Double number) {
      return number + 0.0;
    }
    return value instanceof byte[] bytes ? ByteBuffer.wrap(bytes) : value;
  }

  private List<Cell[]> ordered() throws SQLException {
    List<Cell[]> all = new ArrayList<>(groups.size());
    for (Accumulator[] accumulators : groups.values()) {
      Cell[] cells = new Cell[accumulators.length];
      for (int i = 0; i < cells.length; i++) {
        cells[i] = accumulators[i].result();
      }
      all.add(cells);
    }
    if (!merge.order().isEmpty()) {
      Comparator<Object[]> byKeys = OrderedMerge.comparator(merge.order());
      all.sort((a, b) -> byKeys.compare(sortValues(a), sortValues(b)));
    }
    return all;
  }

  private Object[] sortValues(Cell[] cells) {
    Object[] values = new Object[merge.order().size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = cells[merge.order().get(i).column() - 1].value();
    }
    return values;
  }

  private List<Cell[]> window(List<Cell[]> all, long maxRows) {
    int from = (int) Math.min(merge.window().offset(), all.size());
    long limit = merge.window().limit().orElse(Long.MAX_VALUE);
    long wanted = maxRows == 0 ? limit : Math.min(limit, maxRows);
    int to = from + (int) Math.min(wanted, all.size() - from);
    return all.subList(from, to);
  }
}
