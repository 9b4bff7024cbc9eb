package io.shardwright.schema;

import io.shardwright.routing.ShardId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Whether every row is where its key says.
 *
 * @param checked per shard and table, in the order of the configuration
 * @param violations the first ones of each kind, per shard and table
 * @param violatingRows all of them, by kind
 * @param problems shards and tables that could not be checked, and fences that do not check writes
 */
public record PlacementReport(
    List<TableRows> checked,
    List<Violation> violations,
    Map<Kind, Long> violatingRows,
    List<Finding> problems) {
  public PlacementReport {
    checked = List.copyOf(checked);
    violations = List.copyOf(violations);
    violatingRows = Map.copyOf(violatingRows);
    problems = List.copyOf(problems);
  }

  public long rowsChecked() {
    return checked.stream().mapToLong(TableRows::rows).sum();
  }

  /** Everything was checked and all of it is right. */
  public boolean ok() {
    return violatingRows.isEmpty() && problems.isEmpty();
  }

  /** How many rows of a table a shard holds. */
  public record TableRows(ShardId shard, String table, long rows) {}

  /** What is wrong with rows, and how to repair them. */
  public enum Kind {
    /** bucket_id is not the hash of the key. */
    WRONG_BUCKET(
        "bucket_id is not the bucket of the route key: read the rows of this bucket_id by their key"
            + " columns, delete them here and insert them through jdbc:shardwright: without"
            + " bucket_id"),
    /** The bucket belongs to another shard. */
    WRONG_SHARD(
        "the shard does not own the bucket: compare the rows with those on the owner, insert the"
            + " missing ones through jdbc:shardwright:, then delete them here"),
    /** The id names another bucket than bucket_id. */
    WRONG_GENE(
        "the id was not issued for this bucket: give the row an id issued for its bucket, or correct"
            + " bucket_id if the key says so"),
    /** The text that should carry the key or the bucket carries that of another bucket, or none. */
    WRONG_NUMBER(
        "the text does not carry the row's key, so that no statement finds the row by it: make it"
            + " from the row's key"),
    /** No bucket can be computed: a key column is NULL or holds what no key may. */
    NO_BUCKET("the key has no bucket: correct the key columns and make them NOT NULL");

    private final String repair;

    Kind(String repair) {
      this.repair = repair;
    }

    public String repair() {
      return repair;
    }
  }

  /**
   * Rows of one table and bucket with one fault; key values are left out.
   *
   * @param bucket of bucket_id; empty when it is NULL or not a bucket
   * @param expectedBucket of the key or the gene; empty when there is none
   * @param owner the shard that should hold the rows by bucket_id and the map, if any
   */
  public record Violation(
      Kind kind,
      ShardId shard,
      String table,
      OptionalInt bucket,
      OptionalInt expectedBucket,
      Optional<ShardId> owner,
      long rows) {}
}
