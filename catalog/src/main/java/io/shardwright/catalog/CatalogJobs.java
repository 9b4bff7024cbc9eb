package io.shardwright.catalog;

import io.shardwright.config.Configuration.Endpoint;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;

/**
 * Work that one process at a time does for all, on record in the catalog: who does it, how far it
 * is, when it was done. A process that dies leaves work that another takes over when its lease has
 * run out, by the catalog's clock; the epoch tells the two apart. Thread-safe.
 *
 * <p>Methods throw {@link io.shardwright.errors.ShardwrightException}: SW411 when the catalog is
 * down, SW412 when it refuses the login.
 */
public final class CatalogJobs implements AutoCloseable {
  private final CatalogSession session;

  /**
   * Work that this process does.
   *
   * @param epoch grows each time that somebody takes the work
   * @param progress of who had it before and did not end it; empty: from the start
   */
  public record Held(String name, long epoch, String progress) {}

  /**
   * What is on record.
   *
   * @param isHeld whether a process does it now
   * @param sinceDone by the catalog's clock; empty: never
   * @param result of the last time
   */
  public record Job(boolean isHeld, String progress, Optional<Duration> sinceDone, String result) {}

  private record Row(long epoch, Job job) {}

  public CatalogJobs(Endpoint catalog) {
    this.session = new CatalogSession(catalog, () -> DatabaseLogin.SHORT.open(catalog));
  }

  /**
   * Takes the work unless another process has it, or it was done within {@code every}.
   *
   * @param name 1 to 200 characters
   * @param lease how long nobody else takes it; {@link #keep} renews it
   */
  public Optional<Held> take(String name, Duration lease, Duration every) {
    return session.call(
        c -> {
          Optional<Row> found = find(c, name);
          if (found.isEmpty()) {
            insert(c, name);
            found = find(c, name);
          }
          Row row = found.orElseThrow();
          boolean due = row.job.sinceDone().filter(since -> since.compareTo(every) < 0).isEmpty();
          return due && !row.job.isHeld() && take(c, name, row.epoch, lease)
              ? Optional.of(new Held(name, row.epoch + 1, row.job.progress()))
              : Optional.empty();
        });
  }

  /** Compares the epoch: of several who take it exactly one wins. */
  private static boolean take(Connection c, String name, long epoch, Duration lease)
      throws SQLException {
    return change(
        c, name, epoch, "epoch = epoch + 1, held_until = " + now(c) + " + ?", lease.toMillis());
  }

  /** False when the row has another epoch: then it is another process's. */
  private static boolean change(Connection c, String name, long epoch, String set, Object... values)
      throws SQLException {
    try (PreparedStatement update =
        c.prepareStatement("UPDATE shardwright_job SET " + set + " WHERE name = ? AND epoch = ?")) {
      int at = 1;
      for (Object value : values) {
        update.setObject(at++, value);
      }
      update.setString(at, name);
      update.setLong(at + 1, epoch);
      return update.executeUpdate() == 1;
    }
  }

  private boolean change(Held held, String set, Object... values) {
    return session.call(c -> change(c, held.name, held.epoch, set.formatted(now(c)), values));
  }

  private static void insert(Connection c, String name) throws SQLException {
    try (PreparedStatement insert =
        c.prepareStatement(
            "INSERT INTO shardwright_job (name, epoch, held_until, done_at, progress, result)"
                + " VALUES (?, 0, 0, 0, '', '')")) {
      insert.setString(1, name);
      insert.executeUpdate();
    } catch (SQLException e) {
      boolean unused = SqlFailure.lost(e);
    }
  }

  /**
   * Renews the lease and records how far the work is.
   *
   * @param progress up to 2,000 characters
   * @return false when another process has the work by now: stop
   */
  public boolean keep(Held held, Duration lease, String progress) {
    return change(held, "held_until = %s + ?, progress = ?", lease.toMillis(), progress);
  }

  /**
   * Records that it is done, unless another process has it by now.
   *
   * @param result for people, up to 2,000 characters
   */
  public void done(Held held, String result) {
    boolean unused =
        change(held, "held_until = 0, progress = '', result = ?, done_at = %s", result);
  }

  /** Lets others go on from the recorded progress at once. */
  public void release(Held held) {
    boolean unused = change(held, "held_until = 0");
  }

  /** Empty when nobody has ever taken it. */
  public Optional<Job> find(String name) {
    return session.call(c -> find(c, name).map(Row::job));
  }

  private static Optional<Row> find(Connection c, String name) throws SQLException {
    String now = now(c);
    try (PreparedStatement select =
        c.prepareStatement(
            "SELECT epoch, held_until - "
                + now
                + ", progress, done_at, "
                + now
                + " - done_at, result FROM shardwright_job WHERE name = ?")) {
      select.setString(1, name);
      try (ResultSet row = select.executeQuery()) {
        if (!row.next()) {
          return Optional.empty();
        }
        Optional<Duration> sinceDone =
            row.getLong(4) == 0 ? Optional.empty() : Optional.of(Duration.ofMillis(row.getLong(5)));
        Job job = new Job(row.getLong(2) > 0, row.getString(3), sinceDone, row.getString(6));
        return Optional.of(new Row(row.getLong(1), job));
      }
    }
  }

  private static String now(Connection c) throws SQLException {
    return Database.of(Database.product(c)).nowMillis();
  }

  @Override
  public void close() {
    session.close();
  }
}
