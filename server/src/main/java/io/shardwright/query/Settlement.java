package io.shardwright.query;

import io.shardwright.routing.ShardId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * One number of a settlement: rows of a query as they were once no transaction could add rows from
 * before its cut-off any more. It never changes.
 *
 * @param id of the query and of what its caller may see
 * @param number from 1; a re-run has the next
 * @param cutOff end of the range, exclusive
 * @param madeAt when its rows had been read, by the clock of the gateway
 * @param columns of each row, in the order in which they are kept
 * @param sums of the columns that are whole numbers or decimals, as plain text
 * @param sha256 of the file of its rows, in hex
 * @param mapVersion of the bucket map that the rows were read by
 * @param difference against the number before; empty: it is the first
 */
public record Settlement(
    String id,
    long number,
    String table,
    String column,
    Instant from,
    Instant cutOff,
    Instant madeAt,
    List<String> columns,
    long rows,
    Map<String, String> sums,
    String sha256,
    OptionalLong mapVersion,
    Map<ShardId, Part> shards,
    Optional<Difference> difference) {
  public Settlement {
    columns = List.copyOf(columns);
    sums = Collections.unmodifiableMap(new LinkedHashMap<>(sums));
    shards = Collections.unmodifiableMap(new TreeMap<>(shards));
  }

  /**
   * What is known of one shard.
   *
   * @param position in its log, of a snapshot in which no transaction from before the cut-off was
   *     left; the rows were read at this position or behind it. Empty: it keeps no log
   * @param passedAt its clock when it had passed the cut-off
   * @param skew of its clock against that of the gateway; negative: behind
   * @param uncertainty of {@code skew}
   * @param content empty when buckets moved meanwhile, so that it is not known which shard a row
   *     was read from
   */
  public record Part(
      Optional<String> position,
      Instant passedAt,
      Duration skew,
      Duration uncertainty,
      Optional<Content> content) {}

  /**
   * @param sums as of the whole
   * @param sha256 of its lines in the file, in their order
   */
  public record Content(long rows, Map<String, String> sums, String sha256) {
    public Content {
      sums = Collections.unmodifiableMap(new LinkedHashMap<>(sums));
    }
  }

  /**
   * @param against the number that it is compared with
   * @param added rows that are new, late arrivals among them
   * @param removed rows that are gone
   * @param changed rows that have other values
   * @param sha256 of the file that lists them
   */
  public record Difference(long against, long added, long removed, long changed, String sha256) {
    /** Of all kinds. */
    public long size() {
      return added + removed + changed;
    }
  }

  /** What became of a row from one number to the next. */
  public enum Change {
    ADDED,
    REMOVED,
    CHANGED;

    /** As answers have it. */
    public String word() {
      return name().toLowerCase(java.util.Locale.ROOT);
    }
  }

  /**
   * One row of a difference.
   *
   * @param before its values; null: it was not there
   * @param after its values; null: it is not there any more
   */
  public record Changed(Change change, List<Object> before, List<Object> after) {
    public Changed {
      before = copy(before);
      after = copy(after);
    }

    private static List<Object> copy(List<Object> values) {
      return values == null ? null : Collections.unmodifiableList(new ArrayList<>(values));
    }
  }

  /**
   * What an answer tells of the number that it is read from.
   *
   * @param sums of the columns that were asked for and are shown
   * @param columns of the rows of {@code changes}: those asked for, then those that identify rows
   * @param changesFrom which of the difference's rows the first of {@code changes} is, from 0
   * @param changes some of the difference, in an order that stays; empty on later pages
   * @param proven whether the caller is told SHA-256 of the file: of columns that are hidden or
   *     masked it would tell what they hold
   */
  public record View(
      Settlement settlement,
      List<String> sums,
      List<String> columns,
      long changesFrom,
      List<Changed> changes,
      boolean proven) {
    public View {
      sums = List.copyOf(sums);
      columns = List.copyOf(columns);
      changes = List.copyOf(changes);
    }
  }
}
