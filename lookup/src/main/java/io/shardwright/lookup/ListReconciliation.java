package io.shardwright.lookup;

import io.shardwright.lookup.Reconciliation.Options;
import io.shardwright.lookup.Reconciliation.Report;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.BucketMap;
import io.shardwright.routing.ShardId;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;

/**
 * Fills an index that is not unique, and compares rows with entries both ways, while rows are
 * written. Every change must be told when it begins.
 *
 * <p>A difference counts only when no change of the row waits: the row is read, then its changes
 * are looked for, then its entry is read, then the row again. An entry is put right only while it
 * has the version that it was seen with: each later change of the row has a greater one and wins,
 * whenever it is delivered. May be broken off anywhere and run again; one thread.
 */
public final class ListReconciliation {
  private static final int PAGE = 500;

  /** Entries in one statement. */
  private static final int STATEMENT_ENTRIES = 200;

  /** Looks at a difference while changes of its row are on their way. */
  private static final int LOOKS = 40;

  /** After so many a row that changes all the time may be right as it is told. */
  private static final int LOOKS_AT_HOT_ROWS = 3;

  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(25);

  /** Rounds of 500 changes before the comparison begins, on each shard. */
  private static final int ROUNDS_MAX = 10_000;

  private static final long NANOS_PER_SECOND = 1_000_000_000;

  private final Feed feed;
  private final IndexShards shards;
  private final ListIndex index;
  private final ListRows rows;
  private final ListEntries entries;
  private final Options options;
  private final Report report = Report.ofList();
  private final long start = System.nanoTime();

  private ListReconciliation(Feed feed, ListIndex index, Options options) {
    this.feed = feed;
    this.shards = feed.shards();
    this.index = index;
    this.rows = new ListRows(index);
    this.entries = new ListEntries(index);
    this.options = options;
  }

  /**
   * Gives each row its entry, as it is when it is read; a change that is told meanwhile wins.
   *
   * @throws SQLException of a shard
   */
  public static Report copy(Feed feed, ListIndex index, Options options) throws SQLException {
    ListReconciliation work = new ListReconciliation(feed, index, options);
    BucketMap map = work.shards.map(index.name().group());
    for (int bucket = options.from(); bucket < map.buckets(); bucket++) {
      work.eachPage(new BucketId(bucket), work::copy);
      options.progress().at(bucket + 1, map.buckets(), work.report);
    }
    return work.report;
  }

  /**
   * Compares, both ways.
   *
   * @throws SQLException of a shard
   */
  public static Report compare(Feed feed, ListIndex index, Options options) throws SQLException {
    ListReconciliation work = new ListReconciliation(feed, index, options);
    work.compare();
    return work.report;
  }

  /** What is done with some rows of a shard. */
  private interface PageWork {
    void run(List<ListRows.Row> page) throws SQLException;
  }

  private void eachPage(BucketId bucket, PageWork work) throws SQLException {
    Optional<RowId> after = Optional.empty();
    List<ListRows.Row> page;
    do {
      Optional<RowId> from = after;
      page = ofRow(bucket, connection -> rows.page(connection, bucket, from, PAGE));
      if (!page.isEmpty()) {
        after = Optional.of(page.get(page.size() - 1).id());
        work.run(page);
        report.countRows(page.size());
        pace();
      }
    } while (page.size() == PAGE);
  }

  /** Reads where the rows of a bucket are. */
  private <T> T ofRow(BucketId bucket, OwnedWork.Work<T> work) throws SQLException {
    return OwnedWork.read(shards, index.name().group(), bucket, Lane.LISTS, work);
  }

  /** Again as a whole when a bucket of entries moves meanwhile. */
  private void copy(List<ListRows.Row> page) throws SQLException {
    OwnedWork work = new OwnedWork(shards);
    boolean copied = false;
    while (!copied) {
      BucketMap map = shards.map(index.name().placement());
      try {
        report.countEntries(copy(page, map));
        copied = true;
      } catch (SQLException e) {
        work.await(map, e);
      }
    }
  }

  private int copy(List<ListRows.Row> page, BucketMap map) throws SQLException {
    int written = 0;
    Map<ShardId, List<ListEntry>> byShard = new TreeMap<>();
    for (ListRows.Row row : page) {
      entry(row)
          .ifPresent(
              entry ->
                  byShard
                      .computeIfAbsent(map.shardOf(entry.place().bucket()), s -> new ArrayList<>())
                      .add(entry));
    }
    for (Map.Entry<ShardId, List<ListEntry>> shard : byShard.entrySet()) {
      List<ListEntry> all = shard.getValue();
      try (Connection connection = shards.open(shard.getKey(), Lane.LISTS)) {
        for (int from = 0; from < all.size(); from += STATEMENT_ENTRIES) {
          entries.write(
              connection, all.subList(from, Math.min(all.size(), from + STATEMENT_ENTRIES)));
        }
      }
      written += all.size();
    }
    return written;
  }

  /** As it is copied; empty: it has none. */
  private Optional<ListEntry> entry(ListRows.Row row) {
    return index
        .place(row.id(), row.values())
        .map(place -> new ListEntry(place, row.values(), 0, true));
  }

  private void compare() throws SQLException {
    BucketMap map = shards.map(index.name().group());
    for (ShardId shard : map.shards()) {
      for (int i = 0; i < ROUNDS_MAX && feed.round(index, shard) == Feed.BATCH; i++) {
        pace();
      }
    }
    int ofRows = map.buckets();
    int ofEntries = shards.map(index.name().placement()).buckets();
    for (int bucket = 0; bucket < ofRows; bucket++) {
      eachPage(new BucketId(bucket), this::compareRows);
      options.progress().at(bucket + 1, ofRows + ofEntries, report);
    }
    for (int bucket = 0; bucket < ofEntries; bucket++) {
      compareEntries(new BucketId(bucket));
      options.progress().at(ofRows + bucket + 1, ofRows + ofEntries, report);
    }
  }

  private void compareRows(List<ListRows.Row> page) throws SQLException {
    Map<ListEntry.Place, ListRows.Row> places = new HashMap<>();
    for (ListRows.Row row : page) {
      entry(row).ifPresent(entry -> places.put(entry.place(), row));
    }
    for (ListEntry entry : read(places.keySet())) {
      ListRows.Row row = places.get(entry.place());
      if (entry.live() && Value.equal(entry.values(), row.values())) {
        places.remove(entry.place());
      }
    }
    for (ListEntry.Place place : places.keySet()) {
      judge(place, true);
    }
  }

  private void compareEntries(BucketId bucket) throws SQLException {
    BucketMap map = shards.map(index.name().group());
    Optional<ListEntry> after = Optional.empty();
    List<ListEntry> page;
    do {
      Optional<ListEntry> from = after;
      page =
          OwnedWork.read(
              shards,
              index.name().placement(),
              bucket,
              Lane.LISTS,
              connection -> entries.page(connection, bucket, from, PAGE));
      if (!page.isEmpty()) {
        after = Optional.of(page.get(page.size() - 1));
        report.countEntries(page.size());
        Map<ShardId, Set<ListEntry>> byShard = new TreeMap<>();
        for (ListEntry entry : page) {
          byShard
              .computeIfAbsent(
                  map.shardOf(entry.place().row().bucket()), s -> new LinkedHashSet<>())
              .add(entry);
        }
        for (Map.Entry<ShardId, Set<ListEntry>> of : byShard.entrySet()) {
          compareEntries(of.getKey(), of.getValue());
        }
        pace();
      }
    } while (page.size() == PAGE);
  }

  private void compareEntries(ShardId shard, Set<ListEntry> page) throws SQLException {
    List<RowId> ids = page.stream().map(entry -> entry.place().row()).toList();
    Map<RowId, ListRows.Row> present = new HashMap<>();
    try (Connection connection = shards.open(shard, Lane.LISTS)) {
      rows.read(connection, ids).forEach(row -> present.put(row.id(), row));
    }
    for (ListEntry entry : page) {
      ListRows.Row row = present.get(entry.place().row());
      boolean here =
          row != null
              && index.place(row.id(), row.values()).filter(entry.place()::equals).isPresent();
      // Other values were found, and told of, with the rows.
      if (!here) {
        judge(entry.place(), false);
      }
    }
  }

  /**
   * Looks again at a row and its place in the index, until no change of the row is on its way. A
   * row that always has one is right when its place was written meanwhile: its changes arrive, and
   * the next one tells all of the row again.
   */
  private void judge(ListEntry.Place place, boolean missing) throws SQLException {
    long first = version(place);
    for (int look = 0; look < LOOKS; look++) {
      Optional<ListRows.Row> before = row(place.row());
      ShardId shard = shards.map(index.name().group()).shardOf(place.row().bucket());
      boolean waits;
      try (Connection connection = shards.open(shard, Lane.LISTS)) {
        waits = new Outbox(index).hasChanges(connection, place.row());
      }
      if (waits) {
        feed.round(index, shard);
        if (look >= LOOKS_AT_HOT_ROWS && version(place) > first) {
          return;
        }
        LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
        continue;
      }
      Optional<ListEntry> found = read(Set.of(place)).stream().findFirst();
      Optional<ListRows.Row> row = row(place.row());
      if (!row.equals(before)) {
        continue;
      }
      if (isRight(place, found, row) || counted(place, found, row, missing)) {
        return;
      }
    }
    report.countBusy();
  }

  /** Of the change that wrote a place last; 0: none did. */
  private long version(ListEntry.Place place) throws SQLException {
    return read(Set.of(place)).stream().mapToLong(ListEntry::version).findFirst().orElse(0);
  }

  private boolean isRight(
      ListEntry.Place place, Optional<ListEntry> found, Optional<ListRows.Row> row) {
    boolean live = found.isPresent() && found.get().live();
    return expected(place, row)
        .map(entry -> live && Value.equal(found.get().values(), entry.values()))
        .orElse(!live);
  }

  /** What should be at a place; empty: nothing. */
  private Optional<ListEntry> expected(ListEntry.Place place, Optional<ListRows.Row> row) {
    return row.flatMap(this::entry).filter(entry -> entry.place().equals(place));
  }

  /** False when a change was delivered meanwhile: then it has to be looked at again. */
  private boolean counted(
      ListEntry.Place place, Optional<ListEntry> found, Optional<ListRows.Row> row, boolean missing)
      throws SQLException {
    if (options.repair()) {
      long version = found.map(ListEntry::version).orElse(0L);
      ListEntry right =
          expected(place, row)
              .map(entry -> new ListEntry(place, entry.values(), version, true))
              .orElseGet(() -> entries.tombstone(place, version));
      boolean written =
          OwnedWork.write(
              shards,
              index.name().placement(),
              place.bucket(),
              Lane.LISTS,
              connection -> write(connection, found, right));
      if (!written) {
        return false;
      }
    }
    if (missing) {
      report.countMissing();
    } else {
      report.countExtra();
    }
    return true;
  }

  private boolean write(Connection connection, Optional<ListEntry> found, ListEntry right)
      throws SQLException {
    if (found.isEmpty()) {
      entries.write(connection, List.of(right));
      return true;
    }
    return entries.correct(connection, right);
  }

  private Optional<ListRows.Row> row(RowId id) throws SQLException {
    return ofRow(id.bucket(), connection -> rows.read(connection, Set.of(id)).stream().findFirst());
  }

  private List<ListEntry> read(Set<ListEntry.Place> places) throws SQLException {
    OwnedWork work = new OwnedWork(shards);
    while (true) {
      BucketMap map = shards.map(index.name().placement());
      Optional<List<ListEntry>> read = read(work, map, places);
      if (read.isPresent()) {
        return read.get();
      }
    }
  }

  /** Empty when a bucket of entries has moved. */
  private Optional<List<ListEntry>> read(OwnedWork work, BucketMap map, Set<ListEntry.Place> places)
      throws SQLException {
    Map<ShardId, List<ListEntry.Place>> byShard = new TreeMap<>();
    for (ListEntry.Place place : places) {
      byShard.computeIfAbsent(map.shardOf(place.bucket()), s -> new ArrayList<>()).add(place);
    }
    List<ListEntry> read = new ArrayList<>();
    for (Map.Entry<ShardId, List<ListEntry.Place>> shard : byShard.entrySet()) {
      List<ListEntry.Place> asked = shard.getValue();
      Optional<List<ListEntry>> here =
          work.read(
              map,
              shard.getKey(),
              asked.stream().map(ListEntry.Place::bucket).toList(),
              Lane.LISTS,
              connection -> entries.read(connection, asked));
      if (here.isEmpty()) {
        return here;
      }
      read.addAll(here.get());
    }
    return Optional.of(read);
  }

  private void pace() {
    if (options.rowsPerSecond() > 0) {
      long done = report.rows() + report.candidates();
      long due = start + done * NANOS_PER_SECOND / options.rowsPerSecond();
      LockSupport.parkNanos(Math.max(0, due - System.nanoTime()));
    }
  }
}
