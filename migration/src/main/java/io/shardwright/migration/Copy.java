package io.shardwright.migration;

import io.shardwright.routing.BucketSet;
import io.shardwright.routing.BucketSet.Range;
import io.shardwright.schema.ShardSchema;
import io.shardwright.schema.ShardSchema.Column;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Copies rows in chunks, each in a snapshot of its own. In that snapshot the notes come first: so
 * after each chunk the target is what the source shows, as far as rows are copied, and no row of a
 * chunk meets an older one.
 *
 * <p>How far it is, the target tells: the greatest key of the last table that has rows. Tables
 * before it are done; what was copied beyond the key has been deleted since.
 */
final class Copy {
  static final int CHUNK_ROWS = 20_000;

  private final Route route;
  private final CatchUp catchUp;
  private final BucketSet buckets;
  private final Progress progress;
  private final int chunkRows;

  /** Hears of each chunk; may wait, and stop the copy by an exception. */
  interface Progress {
    void copied(long rows, long applied) throws SQLException;
  }

  Copy(Route route, BucketSet buckets, Progress progress, int chunkRows) {
    this.route = route;
    this.catchUp = new CatchUp(route);
    this.buckets = buckets;
    this.progress = progress;
    this.chunkRows = chunkRows;
  }

  void run() throws SQLException {
    Frontier frontier = resumed();
    while (frontier.table() < route.tables().size()) {
      for (Range range : buckets.ranges()) {
        if (range.last() > frontier.bucket()) {
          frontier = copy(range, frontier);
        }
      }
      frontier = Frontier.startOf(frontier.table() + 1);
    }
  }

  private Frontier resumed() throws SQLException {
    for (int i = route.tables().size() - 1; i >= 0; i--) {
      Optional<Frontier> last = last(i);
      if (last.isPresent()) {
        return last.get();
      }
    }
    return Frontier.startOf(0);
  }

  private Optional<Frontier> last(int position) throws SQLException {
    MovedTable table = route.tables().get(position);
    List<Range> fromLast = new ArrayList<>(buckets.ranges());
    Collections.reverse(fromLast);
    String order =
        table.key().stream()
            .map(column -> route.target().quote(column.name()) + " DESC")
            .collect(Collectors.joining(", ", "ORDER BY ", " LIMIT 1"));
    for (Range range : fromLast) {
      Optional<List<String>> last =
          route
              .target()
              .firstKey(table, MoverConnection.among(ShardSchema.BUCKET_COLUMN, range), order);
      if (last.isPresent()) {
        return last.map(
            key -> Frontier.startOf(position).throughBucket(range.first() - 1).throughKey(key));
      }
    }
    return Optional.empty();
  }

  private Frontier copy(Range range, Frontier start) throws SQLException {
    Frontier frontier = start;
    while (frontier.bucket() < range.last()) {
      frontier = chunk(range, frontier);
    }
    return frontier;
  }

  private Frontier chunk(Range range, Frontier frontier) throws SQLException {
    long[] counts = new long[2];
    Frontier reached =
        route
            .source()
            .inSnapshot(
                () -> {
                  counts[1] = catchUp.apply(buckets, frontier);
                  MovedTable table = route.tables().get(frontier.table());
                  Optional<List<String>> last = lastOfChunk(table, range, frontier);
                  Frontier next =
                      last.map(frontier::throughKey)
                          .orElseGet(() -> frontier.throughBucket(range.last()));
                  counts[0] = copy(table, range, frontier, next);
                  return next;
                });
    progress.copied(counts[0], counts[1]);
    return reached;
  }

  /** Empty when all that is left fits into the chunk. */
  private Optional<List<String>> lastOfChunk(MovedTable table, Range range, Frontier frontier)
      throws SQLException {
    MoverConnection source = route.source();
    String order =
        table.key().stream()
            .map(column -> source.quote(column.name()))
            .collect(Collectors.joining(", ", "ORDER BY ", " LIMIT 1 OFFSET " + (chunkRows - 1)));
    return source.firstKey(
        table,
        MoverConnection.among(ShardSchema.BUCKET_COLUMN, range)
            + " AND "
            + frontier.rest(table, source.quote(table.name()), source),
        order);
  }

  private long copy(MovedTable table, Range range, Frontier from, Frontier to) throws SQLException {
    MoverConnection source = route.source();
    List<String> names = table.columns().stream().map(Column::name).toList();
    String select =
        "SELECT "
            + source.selectList("t", names, table.columns())
            + " FROM "
            + source.quote(table.name())
            + " t WHERE "
            + MoverConnection.among("t." + ShardSchema.BUCKET_COLUMN, range)
            + " AND "
            + from.rest(table, "t", source)
            + " AND "
            + to.copied(to.table(), table, "t", source);
    return route
        .target()
        .inTransaction(
            () -> {
              route.target().requireToken(route.group(), buckets, route.token());
              return route
                  .target()
                  .receive(source, select, source.quote(table.name()), names, table.columns());
            });
  }
}
