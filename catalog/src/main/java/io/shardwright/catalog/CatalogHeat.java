package io.shardwright.catalog;

import io.shardwright.config.Configuration.Endpoint;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;

/**
 * The traffic of buckets on record in the catalog: sums over all processes, by slots of {@link
 * #SLOT} of the catalog's clock, of which the last {@link #KEPT} are kept. Thread-safe; a
 * connection is opened for each call, since calls are rare.
 *
 * <p>Methods throw {@link ShardwrightException}: SW411 when the catalog is down, SW412 when it
 * refuses the login.
 */
public final class CatalogHeat {
  public static final Duration SLOT = Duration.ofMinutes(15);

  /** With 4,096 buckets that are all in use these are 393,216 rows of a group. */
  public static final Duration KEPT = Duration.ofHours(24);

  /** Of one statement; 7 values each. */
  private static final int STATEMENT_ROWS = 500;

  /** One is the usual; more are left by a time in which nobody recorded. */
  private static final int REMOVED_SLOTS_MAX = 4;

  private static final int NOTHING_REMOVED_YET = -1;

  /** So that processes that record at the same time do not wait for each other in a circle. */
  private static final Comparator<BucketHeat> ORDER =
      Comparator.comparing(BucketHeat::group).thenComparingInt(BucketHeat::bucket);

  private final Endpoint endpoint;
  private final CatalogSession.ConnectionSource source;

  /** In which this process has looked for old slots last. */
  private volatile long cleanedIn = NOTHING_REMOVED_YET;

  /** What came of counts that were to be recorded. */
  public enum Outcome {
    RECORDED,
    /** The catalog is of an older format: apply has to be run. Nothing was recorded. */
    NOT_APPLIED
  }

  /**
   * What is on record of the last time.
   *
   * @param measured how long; zero when nothing was recorded
   * @param buckets those with traffic, by group and bucket
   */
  public record Recorded(Duration measured, List<BucketHeat> buckets) {
    public Recorded {
      buckets = List.copyOf(buckets);
    }
  }

  private record Clock(long now, boolean hasHeat) {
    long slot() {
      return slot(now);
    }

    static long slot(long millis) {
      return millis - Math.floorMod(millis, SLOT.toMillis());
    }
  }

  public CatalogHeat(Endpoint catalog) {
    this(catalog, () -> DatabaseLogin.SHORT.open(catalog));
  }

  CatalogHeat(Endpoint catalog, CatalogSession.ConnectionSource source) {
    this.endpoint = catalog;
    this.source = source;
  }

  /**
   * Adds counts to those of the slot of now: all or none, in one transaction.
   *
   * @throws ShardwrightException SW404 when the connection broke at the commit: they may be
   *     recorded or not
   */
  public Outcome add(List<BucketHeat> counts) {
    return counts.isEmpty() ? Outcome.RECORDED : call(c -> add(c, counts));
  }

  private Outcome add(Connection c, List<BucketHeat> counts) throws SQLException {
    Clock clock = clock(c);
    if (!clock.hasHeat()) {
      return Outcome.NOT_APPLIED;
    }
    List<BucketHeat> ordered = new ArrayList<>(counts);
    ordered.sort(ORDER);
    c.setAutoCommit(false);
    for (int from = 0; from < ordered.size(); from += STATEMENT_ROWS) {
      int to = Math.min(ordered.size(), from + STATEMENT_ROWS);
      add(c, clock.slot(), ordered.subList(from, to));
    }
    commit(c);
    if (cleanedIn != clock.slot()) {
      removeOld(c, clock);
    }
    return Outcome.RECORDED;
  }

  private static void add(Connection c, long slot, List<BucketHeat> counts) throws SQLException {
    String sql =
        "INSERT INTO shardwright_heat"
            + " (slot, grp, bucket, read_count, write_count, row_count, nanos) VALUES "
            + String.join(", ", Collections.nCopies(counts.size(), "(?, ?, ?, ?, ?, ?, ?)"))
            + Database.of(Database.product(c))
                .adding(
                    "shardwright_heat",
                    "slot, grp, bucket",
                    List.of("read_count", "write_count", "row_count", "nanos"));
    try (PreparedStatement insert = c.prepareStatement(sql)) {
      int at = 0;
      for (BucketHeat count : counts) {
        insert.setLong(++at, slot);
        insert.setString(++at, count.group());
        insert.setInt(++at, count.bucket());
        insert.setLong(++at, count.reads());
        insert.setLong(++at, count.writes());
        insert.setLong(++at, count.rows());
        insert.setLong(++at, count.nanos());
      }
      insert.executeUpdate();
    }
  }

  private void commit(Connection c) throws SQLException {
    try {
      c.commit();
    } catch (SQLException e) {
      if (!SqlFailure.isBroken(e)) {
        throw e;
      }
      throw new ShardwrightException(
          ErrorCode.OUTCOME_UNKNOWN,
          "the connection to the catalog at "
              + endpoint
              + " broke while the traffic of buckets was committed: it is recorded or lost",
          e);
    }
  }

  /** Of no importance for what was recorded: the next slot's first recording tries again. */
  private void removeOld(Connection c, Clock clock) {
    try {
      for (int removed = 0; removed < REMOVED_SLOTS_MAX; removed++) {
        OptionalLong oldest = oldest(c, Long.MIN_VALUE);
        if (oldest.isEmpty() || oldest.getAsLong() >= Clock.slot(clock.now - KEPT.toMillis())) {
          break;
        }
        try (PreparedStatement delete =
            c.prepareStatement("DELETE FROM shardwright_heat WHERE slot = ?")) {
          delete.setLong(1, oldest.getAsLong());
          delete.executeUpdate();
        }
        c.commit();
      }
      cleanedIn = clock.slot();
    } catch (SQLException e) {
      cleanedIn = NOTHING_REMOVED_YET;
    }
  }

  /** Of the slots from one on. */
  private static OptionalLong oldest(Connection c, long from) throws SQLException {
    try (PreparedStatement select =
        c.prepareStatement("SELECT MIN(slot) FROM shardwright_heat WHERE slot >= ?")) {
      select.setLong(1, from);
      try (ResultSet row = select.executeQuery()) {
        row.next();
        long oldest = row.getLong(1);
        return row.wasNull() ? OptionalLong.empty() : OptionalLong.of(oldest);
      }
    }
  }

  /**
   * The sums of the last time, from the beginning of the slot in which it began.
   *
   * @param time up to {@link #KEPT}
   * @throws ShardwrightException SW104 when the catalog is of an older format
   */
  public Recorded since(Duration time) {
    return call(c -> since(c, time));
  }

  private Recorded since(Connection c, Duration time) throws SQLException {
    Clock clock = clock(c);
    if (!clock.hasHeat()) {
      throw new ShardwrightException(
          ErrorCode.NOT_APPLIED,
          "the catalog at "
              + endpoint
              + " has no record of the traffic of buckets; run shardwright apply -c FILE");
    }
    OptionalLong oldest = oldest(c, Clock.slot(clock.now - time.toMillis()));
    if (oldest.isEmpty()) {
      return new Recorded(Duration.ZERO, List.of());
    }
    List<BucketHeat> buckets = new ArrayList<>();
    try (PreparedStatement select =
        c.prepareStatement(
            "SELECT grp, bucket, SUM(read_count), SUM(write_count), SUM(row_count), SUM(nanos)"
                + " FROM shardwright_heat WHERE slot >= ? GROUP BY grp, bucket")) {
      select.setLong(1, oldest.getAsLong());
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          buckets.add(
              new BucketHeat(
                  row.getString(1),
                  row.getInt(2),
                  row.getLong(3),
                  row.getLong(4),
                  row.getLong(5),
                  row.getLong(6)));
        }
      }
    }
    buckets.sort(ORDER);
    return new Recorded(Duration.ofMillis(clock.now - oldest.getAsLong()), buckets);
  }

  private static Clock clock(Connection c) throws SQLException {
    String now = Database.of(Database.product(c)).nowMillis();
    try (Statement statement = c.createStatement();
        ResultSet row =
            statement.executeQuery("SELECT " + now + ", format FROM shardwright_meta")) {
      return row.next()
          ? new Clock(row.getLong(1), row.getInt(2) >= CatalogInstaller.FORMAT_OF_HEAT)
          : new Clock(0, false);
    }
  }

  private <T> T call(Database.Work<T> work) {
    // Its first connection is its only one: nothing is repeated.
    try (CatalogSession session = new CatalogSession(endpoint, source)) {
      return session.call(work);
    }
  }
}
