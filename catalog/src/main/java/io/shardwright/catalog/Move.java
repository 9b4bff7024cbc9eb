package io.shardwright.catalog;

import io.shardwright.routing.BucketSet;
import io.shardwright.routing.ShardId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;

/**
 * Buckets of one group on their way from one shard to another, as the catalog has it on record.
 *
 * @param id grows
 * @param group or the placement of a lookup index ({@link IndexName#placement})
 * @param wish of the operator; the worker acts on it
 * @param epoch grows each time that a worker takes the move; the token of its changes on shards
 * @param worker who has it now; empty: nobody
 * @param intent of a batch whose cutover has begun
 * @param counters of the work done
 * @param note for people: what it waits for, or why it failed
 * @param changedAt when a worker or the operator last changed anything; a lease is no change
 * @param pauses one for each batch that changed its owner: so long nobody could write it
 */
public record Move(
    long id,
    String group,
    ShardId source,
    ShardId target,
    BucketSet buckets,
    Options options,
    MoveState state,
    Wish wish,
    long epoch,
    Optional<String> worker,
    Optional<Intent> intent,
    Counters counters,
    String note,
    Instant createdAt,
    Instant changedAt,
    List<Duration> pauses) {

  public Move {
    pauses = List.copyOf(pauses);
  }

  /** The same as it were if the operator wanted something else. */
  public Move wishing(Wish other) {
    return new Move(
        id, group, source, target, buckets, options, state, other, epoch, worker, intent, counters,
        note, createdAt, changedAt, pauses);
  }

  /** What an operator wants of a move. */
  public enum Wish {
    RUN,
    PAUSE,
    CANCEL,
    ROLL_BACK,
    CLEAN_UP;

    String stored() {
      return name().toLowerCase(Locale.ROOT);
    }

    static Wish ofStored(String stored) {
      return valueOf(stored.toUpperCase(Locale.ROOT));
    }
  }

  /**
   * How it is done.
   *
   * @param rowsPerSecond that are copied at most; 0: no limit
   * @param rollback whether changes are noted on the target, so that it can be rolled back
   * @param window after which the source's rows are deleted; empty: by word only
   */
  public record Options(int rowsPerSecond, boolean rollback, Optional<Duration> window) {
    public static final Options DEFAULT = new Options(0, true, Optional.empty());
  }

  /**
   * A batch of buckets that changes its owner: on record before a shard is touched.
   *
   * @param id the publisher of the map version that makes it so
   */
  public record Intent(UUID id, BucketSet buckets) {}

  /**
   * @param total rows to copy, as estimated when it began
   * @param applied rows that were brought up to date
   * @param pending changes that the last look found: how far the target is behind
   * @param attempts to close batches, failed ones included
   */
  public record Counters(long total, long copied, long applied, long pending, long attempts) {
    public static final Counters NONE = new Counters(0, 0, 0, 0, 0);

    public Counters estimated(long rows) {
      return new Counters(rows, copied, applied, pending, attempts);
    }

    /**
     * @param changes that were found and applied: as many may have come meanwhile
     */
    public Counters worked(long rows, long changes) {
      return new Counters(total, copied + rows, applied + changes, changes, attempts);
    }

    /** When all is copied anew. */
    public Counters again() {
      return new Counters(0, 0, applied, 0, attempts);
    }

    /** When a batch was tried, whose changes are all applied if it was switched. */
    public Counters attempted() {
      return new Counters(total, copied, applied, pending, attempts + 1);
    }

    /** When no bucket is left whose changes have to be applied. */
    public Counters settled() {
      return new Counters(total, copied, applied, 0, attempts);
    }
  }

  @Override
  public String toString() {
    return "move "
        + id
        + " of buckets "
        + buckets
        + " of "
        + group
        + ", "
        + source
        + " to "
        + target;
  }
}
