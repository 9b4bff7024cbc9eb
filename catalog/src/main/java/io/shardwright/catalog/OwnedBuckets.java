package io.shardwright.catalog;

import io.shardwright.config.DatabaseProduct;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.BucketMap;
import io.shardwright.routing.BucketSet;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What a shard's own rows say of its buckets, as readers ask it (docs/decisions/moves.md).
 * Stateless.
 */
public final class OwnedBuckets {
  private static final String SELECT = "SELECT bucket, state, epoch FROM shardwright_bucket";

  private OwnedBuckets() {}

  /** A bucket as a shard sees it. */
  public record Row(BucketId bucket, String state, long epoch) {
    @Override
    public String toString() {
      return "bucket " + bucket + " is " + state + " there since version " + epoch;
    }
  }

  /** False on a shard that no move can have touched. */
  public static boolean exist(Connection connection) throws SQLException {
    String sql =
        Database.product(connection) == DatabaseProduct.POSTGRESQL
            ? "SELECT to_regclass('shardwright_bucket') IS NOT NULL"
            : "SELECT count(*) > 0 FROM information_schema.tables"
                + " WHERE table_schema = database() AND table_name = 'shardwright_bucket'";
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getBoolean(1);
    }
  }

  /**
   * One of the buckets whose rows on this shard need not be its owner's; empty: they all are.
   *
   * @param map by which the shard owns all of them
   * @param states in which they are
   */
  public static Optional<Row> notCurrent(
      Connection connection, BucketMap map, BucketSet buckets, States states) throws SQLException {
    List<BucketSet.Range> ranges = buckets.ranges();
    String sql =
        SELECT
            + " WHERE grp = ? AND (("
            + condition(ranges)
            + " AND NOT ("
            + states.condition
            + "))"
            + (states == States.OPEN ? " OR bucket >= ?" : "")
            + ") LIMIT 1";
    try (PreparedStatement select = connection.prepareStatement(sql)) {
      int at = bind(select, map.group(), ranges);
      for (int i = 0; i < states.versions; i++) {
        select.setLong(at + i, map.version());
      }
      if (states == States.OPEN) {
        select.setInt(at + states.versions, map.buckets());
      }
      try (ResultSet rows = select.executeQuery()) {
        return rows.next() ? Optional.of(row(rows)) : Optional.empty();
      }
    }
  }

  /** In which states the rows of a bucket are its owner's, by a map that names the shard. */
  public enum States {
    /**
     * Also where the map was published and nobody has written since. By an older map than that of
     * its loss the bucket may be on its way back, while another shard is written.
     */
    OWNED_OR_NEXT(
        "(state IN ('open', 'closed') AND epoch <= ?) OR (state = 'incoming' AND epoch < ?)", 2),
    /** Where the snapshot may be older than the map. */
    OWNED("state IN ('open', 'closed') AND epoch <= ?", 1),
    /**
     * Where nobody waits for this process. A bucket that its map lacks tells that a directory has
     * grown, so that rows of a key may be in another bucket than it believes.
     */
    OPEN("(state = 'open' AND epoch <= ?) OR (state = 'incoming' AND epoch < ?)", 2);

    private final String condition;
    private final int versions;

    States(String condition, int versions) {
      this.condition = condition;
      this.versions = versions;
    }
  }

  /**
   * Takes the writer's lock of the buckets until the end of the transaction, so that none of them
   * changes its owner before.
   *
   * @return one that is not open here
   * @throws SQLException SW001 of the shard for the same on PostgreSQL
   */
  public static Optional<Row> enter(Connection connection, String group, BucketSet buckets)
      throws SQLException {
    List<BucketSet.Range> ranges = buckets.ranges();
    String where = " WHERE grp = ? AND " + condition(ranges);
    boolean postgres = Database.product(connection) == DatabaseProduct.POSTGRESQL;
    String sql =
        postgres
            ? "SELECT shardwright_enter(grp, bucket) FROM shardwright_bucket" + where
            : SELECT + where + " LOCK IN SHARE MODE";
    try (PreparedStatement select = connection.prepareStatement(sql)) {
      bind(select, group, ranges);
      try (ResultSet rows = select.executeQuery()) {
        Optional<Row> refused = Optional.empty();
        while (!postgres && rows.next()) {
          Row row = row(rows);
          refused = row.state().equals("open") ? refused : Optional.of(row);
        }
        return refused;
      }
    }
  }

  private static String condition(List<BucketSet.Range> ranges) {
    return ranges.stream()
        .map(range -> range.first() == range.last() ? "bucket = ?" : "bucket BETWEEN ? AND ?")
        .collect(Collectors.joining(" OR ", "(", ")"));
  }

  /** Returns the place of the next parameter. */
  private static int bind(PreparedStatement select, String group, List<BucketSet.Range> ranges)
      throws SQLException {
    int at = 1;
    select.setString(at++, group);
    for (BucketSet.Range range : ranges) {
      select.setInt(at++, range.first());
      if (range.first() < range.last()) {
        select.setInt(at++, range.last());
      }
    }
    return at;
  }

  private static Row row(ResultSet rows) throws SQLException {
    return new Row(new BucketId(rows.getInt(1)), rows.getString(2), rows.getLong(3));
  }
}
