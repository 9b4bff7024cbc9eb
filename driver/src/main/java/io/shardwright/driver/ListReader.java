package io.shardwright.driver;

import io.shardwright.lookup.Lane;
import io.shardwright.lookup.ListIndex;
import io.shardwright.lookup.Lookups;
import io.shardwright.lookup.RowId;
import io.shardwright.lookup.WaitingRows;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.ShardId;
import io.shardwright.sql.ListIndex.Row;
import io.shardwright.sql.Merge;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/** What one execution of a statement asks of list indexes. Not thread-safe. */
final class ListReader {
  /** More changes of the values are not asked for one by one: the statement is a scan then. */
  private static final int WAITING_MAX = 1_000;

  private final ShardwrightConnection connection;
  private final Execution execution;
  private final List<Lookups.Asked> asked = new ArrayList<>();
  private int statements;

  ListReader(Execution execution) {
    this.connection = execution.connection();
    this.execution = execution;
  }

  /**
   * Rows with one of the values whose last changes the index does not have: on all shards, since
   * changes wait where their rows are.
   */
  List<Row> waiting(ListIndex index, List<List<Object>> asked) throws SQLException {
    // Others no row has, and the database may not take them for the column's type.
    List<List<Object>> values =
        asked.stream().filter(value -> !index.buckets(value).isEmpty()).toList();
    if (values.isEmpty()) {
      return List.of();
    }
    Cluster cluster = connection.cluster();
    // While buckets move, changes may wait on a shard that owns none any more.
    List<ShardId> shards =
        execution.known().isQuiet()
            ? execution.known().apply(index.name().group()).shards()
            : List.copyOf(cluster.pools().keySet());
    WaitingRows reader = new WaitingRows(index);
    Set<RowId> rows = Collections.synchronizedSet(new LinkedHashSet<>());
    Parallel.Failure failure =
        Parallel.run(
            cluster.executor(),
            new Parallel.Parts() {
              @Override
              public int size() {
                return shards.size();
              }

              @Override
              public void run(int part) throws SQLException {
                rows.addAll(waiting(reader, shards.get(part), values));
              }

              @Override
              public void cancel(int part) {
                // It is short.
              }
            });
    statements += shards.size();
    if (failure != null) {
      throw failure.reason() instanceof SQLException sql ? sql : new SQLException(failure.reason());
    }
    return rows.stream().map(row -> new Row(row.bucket(), row.primaryKey())).toList();
  }

  /**
   * A transaction's own shards tell what it changed itself. Its snapshot, if it has one, may be
   * older than what others committed since, which an UPDATE of MariaDB sees all the same.
   */
  private Set<RowId> waiting(WaitingRows reader, ShardId shard, List<List<Object>> values)
      throws SQLException {
    Set<RowId> rows = new LinkedHashSet<>();
    Lease own = connection.leaseOn(shard);
    if (own != null) {
      rows.addAll(reader.read(own.connection(), values, WAITING_MAX + 1));
    }
    if (own == null || !connection.isReadCommitted()) {
      try (Connection lane = connection.cluster().indexes().open(shard, Lane.ENTRIES)) {
        rows.addAll(reader.read(lane, values, WAITING_MAX + 1));
      }
    }
    return rows;
  }

  /**
   * The rows that entries name.
   *
   * @param values how many the statement asks for
   */
  List<Row> rows(ListIndex index, int values, Merge.Part keys) throws SQLException {
    WaitingRows reader = new WaitingRows(index);
    List<Row> rows = new ArrayList<>();
    statements +=
        execution.readAlone(
            keys,
            answer -> {
              while (answer.next()) {
                RowId row = reader.row(answer);
                rows.add(new Row(row.bucket(), row.primaryKey()));
              }
            });
    SortedSet<BucketId> buckets = new TreeSet<>();
    rows.forEach(row -> buckets.add(row.bucket()));
    asked.add(new Lookups.Asked(index.name(), keys.route().shards(), values, buckets));
    return rows;
  }

  /** That the questions took. */
  int statements() {
    return statements;
  }

  /** The questions for keys. */
  List<Lookups.Asked> asked() {
    return asked;
  }
}
