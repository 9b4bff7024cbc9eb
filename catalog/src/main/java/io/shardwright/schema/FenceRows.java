package io.shardwright.schema;

import io.shardwright.routing.BucketId;
import io.shardwright.routing.BucketMap;
import io.shardwright.routing.ShardId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.BitSet;
import java.util.StringJoiner;

/** The rows of shardwright_bucket: made once by the current map, changed by moves only. */
final class FenceRows {
  /** Of one INSERT. */
  private static final int ROWS_MAX = 1000;

  private FenceRows() {}

  /**
   * Makes the rows that are missing: open where the shard owns the bucket, else away.
   *
   * @return whether it made any
   */
  static boolean install(
      ShardDatabase database, Connection connection, ShardId shard, BucketMap map)
      throws SQLException {
    if (existing(connection, map).cardinality() >= map.buckets()) {
      return false;
    }
    return database
        .database()
        .locked(
            connection,
            c -> {
              BitSet existing = existing(c, map);
              insert(database, c, shard, map, existing);
              return existing.cardinality() < map.buckets();
            });
  }

  private static void insert(
      ShardDatabase database, Connection connection, ShardId shard, BucketMap map, BitSet existing)
      throws SQLException {
    try (Statement statement = connection.createStatement()) {
      StringJoiner rows = rows();
      int count = 0;
      for (int bucket = 0; bucket < map.buckets(); bucket++) {
        if (!existing.get(bucket)) {
          boolean owned = map.shardOf(new BucketId(bucket)).equals(shard);
          rows.add(
              "('%s', %d, '%s', %d, FALSE, FALSE, 0, %s)"
                  .formatted(
                      map.group(),
                      bucket,
                      (owned ? Fence.State.OPEN : Fence.State.AWAY).stored(),
                      map.version(),
                      database.incarnation()));
          count++;
        }
        if (count == ROWS_MAX || (count > 0 && bucket == map.buckets() - 1)) {
          statement.execute(rows.toString());
          rows = rows();
          count = 0;
        }
      }
    }
  }

  private static StringJoiner rows() {
    return new StringJoiner(
        ",\n",
        "INSERT INTO "
            + Fence.BUCKET_TABLE
            + " (grp, bucket, state, epoch, captured, foreign_rows, token, incarnation) VALUES\n",
        "");
  }

  private static BitSet existing(Connection connection, BucketMap map) throws SQLException {
    BitSet buckets = new BitSet(map.buckets());
    try (PreparedStatement select =
        connection.prepareStatement(
            "SELECT bucket FROM " + Fence.BUCKET_TABLE + " WHERE grp = ? AND bucket < ?")) {
      select.setString(1, map.group());
      select.setInt(2, map.buckets());
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          buckets.set(row.getInt(1));
        }
      }
    }
    return buckets;
  }
}
