package io.shardwright.driver;

import io.shardwright.sql.Merge.SortKey;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;

/**
 * k-way merge of sorted result sets.
 *
 * <p>Problem: rows of n shards, each sorted by the same keys, as one sorted sequence without
 * holding them. Idea: a binary heap of the shards, ordered by the keys of the row each is on.
 * Invariants: each shard in the heap is on a row; the first one's is the row given out last, which
 * can be read until the next one is wanted, and only then does its shard move on and sink (half the
 * comparisons of a queue that it would leave and enter again). Ties are broken by shard, so the
 * result is the same each time. O(log n) comparisons a row, n rows of keys in memory.
 */
final class OrderedMerge implements RowOrder {
  private final List<ShardCall> shards;
  private final int[] columns;
  private final ValueReader[] readers;
  private final Head[] heap;
  private final Comparator<Head> order;
  private int size;
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
    this.heap = new Head[shards.size()];
    this.order =
        (a, b) -> {
          int byValues = byKeys.compare(a.values, b.values);
          return byValues != 0 ? byValues : Integer.compare(a.shard, b.shard);
        };
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
        Head head = new Head(shards.get(shard), shard);
        if (advance(head)) {
          heap[size++] = head;
        }
      }
      for (int place = size / 2 - 1; place >= 0; place--) {
        sink(place);
      }
    } else if (size > 0) {
      if (!advance(heap[0])) {
        size--;
        heap[0] = heap[size];
        heap[size] = null;
      }
      sink(0);
    }
    return size == 0 ? null : heap[0].call.rows();
  }

  /** Below those that come before it. */
  private void sink(int from) {
    Head head = heap[from];
    int place = from;
    while (2 * place + 1 < size) {
      int child = 2 * place + 1;
      if (child + 1 < size && order.compare(heap[child + 1], heap[child]) < 0) {
        child++;
      }
      if (order.compare(head, heap[child]) <= 0) {
        break;
      }
      heap[place] = heap[child];
      place = child;
    }
    heap[place] = head;
  }

  @Override
  public ResultSet any() {
    return shards.get(0).rows();
  }

  /**
   * To the shard's next row.
   *
   * @return false when there is none
   */
  private boolean advance(Head head) throws SQLException {
    if (!head.call.next()) {
      return false;
    }
    Object[] values = new Object[readers.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = readers[i].read(head.call.rows(), columns[i]);
    }
    head.values = values;
    return true;
  }
}
