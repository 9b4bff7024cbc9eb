package io.shardwright.schema;

import io.shardwright.config.Configuration;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.ids.BucketText;
import io.shardwright.routing.BucketFunction;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.BucketMap;
import io.shardwright.routing.GeneIdLayout;
import io.shardwright.routing.KeyType;
import io.shardwright.routing.ShardId;
import io.shardwright.schema.PlacementReport.Kind;
import io.shardwright.schema.PlacementReport.Violation;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/** One table on one shard, in the caller's transaction. */
record PlacementScan(Connection connection, Target target, PlacementTally tally) {
  /** Groups held in this process at a time. */
  private static final int FETCH_ROWS = 2000;

  /** What is scanned and what it should be. */
  record Target(
      ShardDatabase database,
      ShardId shard,
      Configuration.Table table,
      BucketFunction function,
      BucketMap map) {}

  /** Bucket against key, and shard against map. */
  void keys() throws SQLException {
    keys(name());
  }

  /** As {@link #keys()}, of some rows. */
  void sample(int rowsMax) throws SQLException {
    keys("(SELECT " + columns() + " FROM " + name() + " LIMIT " + rowsMax + ") sample");
  }

  private void keys(String from) throws SQLException {
    String columns = columns();
    long rows = 0;
    try (Statement statement = connection.createStatement()) {
      statement.setFetchSize(FETCH_ROWS);
      try (ResultSet row =
          statement.executeQuery(
              "SELECT count(*), " + columns + " FROM " + from + " GROUP BY " + columns)) {
        while (row.next()) {
          rows += row.getLong(1);
          checkKey(row.getLong(1), bucket(row, 2), expected(row));
        }
      }
    }
    tally.checked(target.shard, target.table.name(), rows);
  }

  /** Id against bucket. The shard picks the wrong rows. */
  void genes(Configuration.GeneIdColumn ids) throws SQLException {
    GeneIdLayout layout = ids.layout();
    String column = ids.column();
    GeneCheck check = new GeneCheck(target.database, target.table.name(), column, layout);
    String id = target.database.quote(column);
    String gene =
        "CASE WHEN "
            + id
            + " >= 0 THEN ("
            + id
            + " >> "
            + layout.geneShift()
            + ") & "
            + (layout.buckets() - 1)
            + " END";
    try (Statement statement = connection.createStatement()) {
      statement.setFetchSize(FETCH_ROWS);
      try (ResultSet row =
          statement.executeQuery(
              "SELECT count(*), "
                  + ShardSchema.BUCKET_COLUMN
                  + ", "
                  + gene
                  + " FROM "
                  + name()
                  + " WHERE "
                  + id
                  + " IS NOT NULL AND "
                  + check.expression()
                  + " IS NOT TRUE"
                  + " GROUP BY 2, 3 ORDER BY 2, 3")) {
        while (row.next()) {
          add(Kind.WRONG_GENE, row.getLong(1), bucket(row, 2), bucket(row, 3));
        }
      }
    }
  }

  /**
   * Texts that carry the key or the bucket against the bucket, row by row.
   *
   * @param adopted whether texts of other formats are right
   */
  void numbers(String column, BucketText texts, boolean adopted) throws SQLException {
    String text = target.database.quote(column);
    try (Statement statement = connection.createStatement()) {
      statement.setFetchSize(FETCH_ROWS);
      try (ResultSet row =
          statement.executeQuery(
              "SELECT "
                  + ShardSchema.BUCKET_COLUMN
                  + ", "
                  + text
                  + " FROM "
                  + name()
                  + " WHERE "
                  + text
                  + " IS NOT NULL")) {
        while (row.next()) {
          OptionalInt expected =
              texts
                  .bucket(row.getString(2))
                  .map(bucket -> OptionalInt.of(bucket.value()))
                  .orElse(OptionalInt.empty());
          OptionalInt bucket = bucket(row, 1);
          if (!expected.equals(bucket) && !(expected.isEmpty() && adopted)) {
            add(Kind.WRONG_NUMBER, 1, bucket, expected);
          }
        }
      }
    }
  }

  private void checkKey(long rows, OptionalInt bucket, Optional<BucketId> expected) {
    if (expected.isEmpty()) {
      add(Kind.NO_BUCKET, rows, bucket, OptionalInt.empty());
    } else if (bucket.isEmpty() || bucket.getAsInt() != expected.get().value()) {
      add(Kind.WRONG_BUCKET, rows, bucket, OptionalInt.of(expected.get().value()));
    }
    if (owner(bucket).filter(owner -> !owner.equals(target.shard)).isPresent()) {
      add(Kind.WRONG_SHARD, rows, bucket, OptionalInt.empty());
    }
  }

  private void add(Kind kind, long rows, OptionalInt bucket, OptionalInt expected) {
    tally.violated(
        new Violation(
            kind, target.shard, target.table.name(), bucket, expected, owner(bucket), rows));
  }

  private Optional<ShardId> owner(OptionalInt bucket) {
    return bucket.isEmpty()
        ? Optional.empty()
        : Optional.of(target.map.shardOf(new BucketId(bucket.getAsInt())));
  }

  /** Empty for NULL and for numbers that are no bucket. */
  private OptionalInt bucket(ResultSet row, int column) throws SQLException {
    long bucket = row.getLong(column);
    return row.wasNull() || bucket < 0 || bucket >= target.map.buckets()
        ? OptionalInt.empty()
        : OptionalInt.of((int) bucket);
  }

  private Optional<BucketId> expected(ResultSet row) throws SQLException {
    List<Object> key = new ArrayList<>();
    for (KeyType type : target.function.types()) {
      key.add(value(row, key.size() + 3, type));
    }
    try {
      return target.function.bucket(key);
    } catch (ShardwrightException e) {
      // A stored value that no key may have, such as an infinite timestamp.
      return Optional.empty();
    }
  }

  private static Object value(ResultSet row, int column, KeyType type) throws SQLException {
    return switch (type) {
      case TEXT, FOLDED_TEXT -> row.getString(column);
      case BYTES -> row.getBytes(column);
      case DATE -> row.getObject(column, LocalDate.class);
      case TIMESTAMP -> row.getObject(column, LocalDateTime.class);
      case TIMESTAMP_WITH_ZONE -> row.getObject(column, OffsetDateTime.class);
      case INTEGER, UUID -> row.getObject(column);
    };
  }

  private String columns() {
    String key =
        target.table.key().stream().map(target.database::quote).collect(Collectors.joining(", "));
    return ShardSchema.BUCKET_COLUMN + ", " + key;
  }

  private String name() {
    return target.database.quote(target.table.name());
  }
}
