package io.shardwright.lookup;

import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.BucketMap;
import io.shardwright.routing.ShardId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;

/**
 * Compares the rows of a table with the entries of an index, both ways, while both are written, and
 * repairs: an entry for each row that lacks one, no entry whose row is not there. It fills a new
 * index as well. Nothing is blocked beyond single values for moments. May be broken off anywhere
 * and run again; one thread.
 */
public final class Reconciliation {
  private static final int PAGE = 500;
  private static final int EXAMPLES = 10;
  private static final long NANOS_PER_SECOND = 1_000_000_000;

  private final Entries entries;
  private final Sweeper sweeper;
  private final Judge judge;
  private final UniqueIndex index;
  private final RowScan scan;
  private final Options options;
  private final Report report = Report.ofUnique();
  private final long start = System.nanoTime();

  /**
   * How it goes about.
   *
   * @param repair false: differences are counted only
   * @param rowsPerSecond 0: as fast as it goes
   * @param from the rows of earlier buckets are passed over: they were done before
   */
  public record Options(boolean repair, long rowsPerSecond, int from, Progress progress) {
    /** From the start. */
    public Options(boolean repair, long rowsPerSecond, Progress progress) {
      this(repair, rowsPerSecond, 0, progress);
    }
  }

  /** Hears of progress, after each bucket. */
  public interface Progress {
    /**
     * @param bucketsDone of the group's buckets, first those of rows, then those of entries
     * @param buckets of both together
     */
    void at(int bucketsDone, int buckets, Report soFar);
  }

  /** What was found. Counts grow while it runs. */
  public static final class Report {
    private long rows;
    private long candidates;
    private long missing;
    private long extra;
    private long conflicts;
    private long busy;
    private final List<String> examples = new ArrayList<>();
    private final boolean extraIsHarmless;

    private Report(boolean extraIsHarmless) {
      this.extraIsHarmless = extraIsHarmless;
    }

    /** Of an index whose entries are verified by each statement. */
    static Report ofUnique() {
      return new Report(true);
    }

    /** Of an index whose entries are answers. */
    static Report ofList() {
      return new Report(false);
    }

    void countRows(int more) {
      rows += more;
    }

    void countEntries(int more) {
      candidates += more;
    }

    void countMissing() {
      missing++;
    }

    void countExtra() {
      extra++;
    }

    void countBusy() {
      busy++;
    }

    /** Whether entries without rows change no answer. */
    public boolean extraIsHarmless() {
      return extraIsHarmless;
    }

    /** Rows with indexed values. */
    public long rows() {
      return rows;
    }

    /** Entries that were looked at. */
    public long candidates() {
      return candidates;
    }

    /** Rows that had no entry, or one with other values. */
    public long missing() {
      return missing;
    }

    /** Entries whose row was not there. */
    public long extra() {
      return extra;
    }

    /** Rows whose value another row has: the table breaks what the index shall guard. */
    public long conflicts() {
      return conflicts;
    }

    /** Values that could not be judged, since their writers did not end in time. */
    public long busy() {
      return busy;
    }

    /** A few of the conflicts. */
    public List<String> examples() {
      return List.copyOf(examples);
    }

    /** Each row has an entry, and its value for itself if the index is unique. */
    public boolean isSound(boolean repaired) {
      boolean same = missing == 0 && (extra == 0 || extraIsHarmless);
      return conflicts == 0 && busy == 0 && (repaired || same);
    }
  }

  private Reconciliation(Entries entries, Sweeper sweeper, UniqueIndex index, Options options) {
    this.entries = entries;
    this.sweeper = sweeper;
    this.judge = new Judge(entries);
    this.index = index;
    this.scan = new RowScan(index);
    this.options = options;
  }

  /**
   * Every writer must maintain the index when this begins.
   *
   * @throws SQLException of a shard
   */
  public static Report run(Entries entries, Sweeper sweeper, UniqueIndex index, Options options)
      throws SQLException {
    Reconciliation reconciliation = new Reconciliation(entries, sweeper, index, options);
    reconciliation.run();
    return reconciliation.report;
  }

  private void run() throws SQLException {
    int ofRows = entries.shards().map(index.name().group()).buckets();
    int ofEntries = entries.shards().map(index.name().placement()).buckets();
    for (int bucket = options.from(); bucket < ofRows; bucket++) {
      checkRows(new BucketId(bucket));
      options.progress().at(bucket + 1, ofRows + ofEntries, report);
    }
    for (int bucket = 0; bucket < ofEntries; bucket++) {
      checkEntries(new BucketId(bucket));
      options.progress().at(ofRows + bucket + 1, ofRows + ofEntries, report);
    }
  }

  // Rows without entries

  private void checkRows(BucketId bucket) throws SQLException {
    Optional<RowId> after = Optional.empty();
    List<RowScan.Row> page;
    do {
      Optional<RowId> from = after;
      page =
          OwnedWork.read(
              entries.shards(),
              index.name().group(),
              bucket,
              Lane.JUDGE,
              connection -> scan.page(connection, bucket, from, PAGE));
      if (!page.isEmpty()) {
        after = Optional.of(page.get(page.size() - 1).id());
        checkRows(page);
      }
    } while (page.size() == PAGE);
  }

  private void checkRows(List<RowScan.Row> page) throws SQLException {
    List<RowScan.Row> indexed = page.stream().filter(row -> row.value().isPresent()).toList();
    Set<RowId> known = new HashSet<>();
    List<Value> values = indexed.stream().map(row -> row.value().orElseThrow()).toList();
    // A candidate of the row with another value than it has now is judged with the entries.
    for (Candidate candidate : entries.read(index, values).candidates()) {
      known.add(candidate.row());
    }
    for (RowScan.Row row : indexed) {
      report.rows++;
      if (!known.contains(row.id())) {
        missing(new Candidate(row.value().orElseThrow(), 0, row.id(), IndexWork.newToken()));
      }
    }
    pace();
  }

  /** Once more, while the value's claim keeps writers away. */
  private void missing(Candidate candidate) throws SQLException {
    EntryTable table = entries.table(index);
    BucketMap map = entries.shards().map(index.name().group());
    ShardId shard = map.shardOf(candidate.row().bucket());
    try (Connection connection = entries.shards().open(shard, Lane.JUDGE)) {
      connection.setAutoCommit(false);
      try {
        table.claim(connection, candidate.value());
        boolean still =
            table.rowHasValue(connection, candidate)
                && entries.read(index, List.of(candidate.value())).candidates().stream()
                    .noneMatch(other -> other.row().equals(candidate.row()))
                && entries
                    .shards()
                    .confirms(connection, shard, map, List.of(candidate.row().bucket()));
        if (still) {
          report.missing++;
          if (options.repair()) {
            sweeper.begin().adopt(candidate, shard, connection);
          }
        }
      } catch (DuplicateValueException e) {
        report.conflicts++;
        if (report.examples.size() < EXAMPLES) {
          report.examples.add(candidate.value().toString());
        }
      } catch (ShardwrightException e) {
        report.busy++;
      } finally {
        connection.rollback();
        connection.setAutoCommit(true);
      }
    }
  }

  // Entries without rows

  private void checkEntries(BucketId bucket) throws SQLException {
    List<Candidate> all =
        OwnedWork.read(
            entries.shards(),
            index.name().placement(),
            bucket,
            Lane.ENTRIES,
            connection -> entries.table(index).readBucket(connection, bucket));
    Map<ShardId, List<Candidate>> byShard = new TreeMap<>();
    for (Candidate candidate : all) {
      byShard
          .computeIfAbsent(entries.shardOf(index, candidate.row()), s -> new ArrayList<>())
          .add(candidate);
    }
    for (Map.Entry<ShardId, List<Candidate>> of : byShard.entrySet()) {
      for (int from = 0; from < of.getValue().size(); from += PAGE) {
        checkEntries(
            of.getKey(), of.getValue().subList(from, Math.min(of.getValue().size(), from + PAGE)));
        pace();
      }
    }
  }

  private void checkEntries(ShardId shard, List<Candidate> candidates) throws SQLException {
    Set<RowScan.Row> present;
    try (Connection connection = entries.shards().open(shard, Lane.JUDGE)) {
      List<RowId> rows =
          candidates.stream().filter(c -> !c.isReservation()).map(Candidate::row).toList();
      present = scan.present(connection, rows);
    }
    for (Candidate candidate : candidates) {
      report.candidates++;
      if (!present.contains(new RowScan.Row(candidate.row(), Optional.of(candidate.value())))) {
        extra(candidate);
      }
    }
  }

  private void extra(Candidate candidate) throws SQLException {
    try {
      if (!judge.isAlive(candidate, false)) {
        boolean counts = options.repair() ? sweeper.remove(candidate) : isStill(candidate);
        report.extra += counts ? 1 : 0;
      }
    } catch (ShardwrightException e) {
      report.busy++;
    }
  }

  private boolean isStill(Candidate candidate) throws SQLException {
    return entries.read(index, List.of(candidate.value())).candidates().stream()
        .anyMatch(other -> other.token() == candidate.token());
  }

  private void pace() {
    if (options.rowsPerSecond() > 0) {
      long done = report.rows + report.candidates;
      long due = start + done * NANOS_PER_SECOND / options.rowsPerSecond();
      LockSupport.parkNanos(Math.max(0, due - System.nanoTime()));
    }
  }
}
