package io.shardwright.driver;

import io.shardwright.sql.Merge.SortKey;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * k-way merge of sorted result sets.
 *
 * <p>Problem: rows of n shards, each sorted by the same keys, as one sorted sequence without
 * holding them. Idea: a priority queue of the shards, ordered by the keys of the row each is on.
 * Invariants: a shard in the queue is on a row that was not given out; the shard given out last is
 * outside and moves on only when the next row is wanted, so that its row can be read. Ties are
 * broken by shard, so the result is the same each time. O(log n) comparisons a row, n rows of keys
 * in memory.
 */
final class OrderedMerge implements RowOrder {
  private final List<ShardCall> shards;
  private final int[] columns;
  private final ValueReader[] readers;
  private final PriorityQueue<Head> queue;
  private Head given;
  private boolean started;

  /** A shard and the sort keys of the row it is on. */
  private static final class Head {
    private final ShardCall call;
    private final int shard;
    private Object[] values;

    Head(ShardCall call, int shard) {
      this.call = call;
      this.shard = shard;
    }
  }

  OrderedMerge(List<ShardCall> shards, List<SortKey> keys) throws SQLException {
    this.shards = shards;

    this.columns = new int[keys.size()];
    this.readers = new ValueReader[keys.size()];
    PhysicalDatabase database = shards.get(0).database();
    ResultSetMetaData shardColumns = shards.get(0).rows().getMetaData();
    for (int i = 0; i < readers.length; i++) {
      int column = keys.get(i).column();
      // Negative ones count from the end, where the hidden columns are.
      columns[i] = column > 0 ? column : shardColumns.getColumnCount() + 1 + column;
      readers[i] = database.reader(shardColumns, columns[i]).exact();
    }
    Comparator<Object[]> byKeys = comparator(keys);
    this.queue =
        new PriorityQueue<>(
            shards.size(),
            (a, b) -> {
              int order = byKeys.compare(a.values, b.values);
              return order != 0 ? order : Integer.compare(a.shard, b.shard);
            });
  }

  /** Of rows of key values, in the order of {@code keys}; null is SQL NULL. */
  static Comparator<Object[]> comparator(List<SortKey> keys) {
    return (a, b) -> {
      for (int i = 0; i < keys.size(); i++) {
        int order = compare(keys.get(i), a[i], b[i]);
        if (order != 0) {
          return order;
        }
      }
      return 0;
    };
  }

  private static int compare(SortKey key, Object a, Object b) {
    if (a == null || b == null) {
      if (a == b) {
        return 0;
      }
      return (a == null) == key.nullsFirst() ? -1 : 1;
    }
    int order = ValueReader.ORDER.compare(a, b);
    return key.descending() ? -order : order;
  }

  @Override
  public ResultSet next() throws SQLException {
    if (!started) {
      started = true;
      for (int shard = 0; shard < shards.size(); shard++) {
        advance(new Head(shards.get(shard), shard));
      }
    } else if (given != null) {
      advance(given);
    }
    given = queue.poll();
    return given == null ? null : given.call.rows();
  }

  @Override
  public ResultSet any() {
    return shards.get(0).rows();
  }

  private void advance(Head head) throws SQLException {
    if (!head.call.next()) {
      return;
    }
    Object[] values = new Object[readers.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = readers[i].read(head.call.rows(), columns[i]);
    }
    head.values = values;
    queue.add(head);
  }
}
