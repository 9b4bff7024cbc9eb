package io.shardwright.catalog;

import io.shardwright.catalog.Move.Counters;
import io.shardwright.catalog.Move.Intent;
import io.shardwright.catalog.Move.Options;
import io.shardwright.catalog.Move.Wish;
import io.shardwright.routing.BucketSet;
import io.shardwright.routing.ShardId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

/** The rows of moves. */
final class MoveRows {
  /** Of fewer rows the fixed costs of a move would be taken for those of rows. */
  private static final long ROWS_OF_A_RATE = 10_000;

  private static final String ENDED = "('done', 'cancelled', 'rolled_back')";

  private MoveRows() {}

  private static String select(Connection c) throws SQLException {
    return "SELECT id, grp, source, target, buckets, rows_per_second, rollback, window_millis,"
        + " state, wish, epoch, worker, held_until > "
        + now(c)
        + ", intent, intent_buckets, rows_total, rows_copied, rows_applied, pending, attempts,"
        + " note, created_at, changed_at, pauses FROM shardwright_move";
  }

  /** In order of creation. */
  static List<Move> all(Connection c) throws SQLException {
    return list(c, select(c) + " ORDER BY id");
  }

  static List<Move> unended(Connection c) throws SQLException {
    return list(c, select(c) + " WHERE state NOT IN " + ENDED + " ORDER BY id");
  }

  /** One of a group or lookup index that has not ended, as it is now, whatever was read before. */
  static Optional<Move> lockedUnended(Connection c, String group) throws SQLException {
    String sql = select(c) + " WHERE grp = ? AND state NOT IN " + ENDED + " ORDER BY id FOR UPDATE";
    try (PreparedStatement select = c.prepareStatement(sql)) {
      select.setString(1, group);
      try (ResultSet row = select.executeQuery()) {
        return row.next() ? Optional.of(move(row)) : Optional.empty();
      }
    }
  }

  /**
   * In the caller's transaction, which keeps others from changing it.
   *
   * @throws SQLException none but the server's
   */
  static Optional<Move> locked(Connection c, long id) throws SQLException {
    try (PreparedStatement select = c.prepareStatement(select(c) + " WHERE id = ? FOR UPDATE")) {
      select.setLong(1, id);
      try (ResultSet row = select.executeQuery()) {
        return row.next() ? Optional.of(move(row)) : Optional.empty();
      }
    }
  }

  static Optional<Move> find(Connection c, long id) throws SQLException {
    return list(c, select(c) + " WHERE id = " + id).stream().findFirst();
  }

  private static List<Move> list(Connection c, String sql) throws SQLException {
    List<Move> moves = new ArrayList<>();
    try (PreparedStatement select = c.prepareStatement(sql);
        ResultSet row = select.executeQuery()) {
      while (row.next()) {
        moves.add(move(row));
      }
    }
    return moves;
  }

  private static Move move(ResultSet row) throws SQLException {
    long window = row.getLong(8);
    Optional<String> intent = Optional.of(row.getString(14)).filter(id -> !id.isEmpty());
    BucketSet batch = BucketSet.parse(row.getString(15));
    return new Move(
        row.getLong(1),
        row.getString(2),
        new ShardId(row.getString(3)),
        new ShardId(row.getString(4)),
        BucketSet.parse(row.getString(5)),
        new Options(
            row.getInt(6),
            row.getInt(7) == 1,
            window < 0 ? Optional.empty() : Optional.of(Duration.ofMillis(window))),
        MoveState.ofStored(row.getString(9)),
        Wish.ofStored(row.getString(10)),
        row.getLong(11),
        row.getBoolean(13) ? Optional.of(row.getString(12)) : Optional.empty(),
        intent.map(id -> new Intent(UUID.fromString(id), batch)),
        new Counters(
            row.getLong(16), row.getLong(17), row.getLong(18), row.getLong(19), row.getLong(20)),
        row.getString(21),
        Instant.ofEpochMilli(row.getLong(22)),
        Instant.ofEpochMilli(row.getLong(23)),
        pauses(row.getString(24)));
  }

  private static List<Duration> pauses(String micros) {
    return micros.isEmpty()
        ? List.of()
        : Arrays.stream(micros.split(","))
            .map(pause -> Duration.ofNanos(Long.parseLong(pause) * 1_000))
            .toList();
  }

  /** Of all moves that ever were; 0: of none. */
  static long newestEpoch(Connection c) throws SQLException {
    try (PreparedStatement select =
            c.prepareStatement("SELECT COALESCE(MAX(epoch), 0) FROM shardwright_move");
        ResultSet row = select.executeQuery()) {
      row.next();
      return row.getLong(1);
    }
  }

  /** Those that drivers have to know of. */
  static List<Move> announced(Connection c) throws SQLException {
    return unended(c).stream().filter(move -> move.state().isAnnounced()).toList();
  }

  /** In a transaction that has locked the state's version, so that ids follow each other. */
  static long insert(
      Connection c, String group, ShardId source, ShardId target, BucketSet buckets, Options how)
      throws SQLException {
    long id;
    try (PreparedStatement select =
            c.prepareStatement("SELECT COALESCE(MAX(id), 0) + 1 FROM shardwright_move");
        ResultSet row = select.executeQuery()) {
      row.next();
      id = row.getLong(1);
    }
    try (PreparedStatement insert =
        c.prepareStatement(
            "INSERT INTO shardwright_move (id, grp, source, target, buckets, rows_per_second,"
                + " rollback, window_millis, state, wish, epoch, worker, held_until, intent,"
                + " intent_buckets, rows_total, rows_copied, rows_applied, pending, attempts, note,"
                + " pauses, created_at, changed_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'planned',"
                + " 'run', 0, '', 0, '', '', 0, 0, 0, 0, 0, '', '', "
                + now(c)
                + ", "
                + now(c)
                + ")")) {
      insert.setLong(1, id);
      insert.setString(2, group);
      insert.setString(3, source.name());
      insert.setString(4, target.name());
      insert.setString(5, buckets.toString());
      insert.setInt(6, how.rowsPerSecond());
      insert.setInt(7, how.rollback() ? 1 : 0);
      insert.setLong(8, how.window().map(Duration::toMillis).orElse(-1L));
      insert.executeUpdate();
    }
    return id;
  }

  /**
   * Changes a move unless another worker has it by now.
   *
   * @param set assignments, with {@code ?} for {@code values}
   * @return false when its epoch is another one
   */
  static boolean change(Connection c, long id, long epoch, String set, Object... values)
      throws SQLException {
    return set(c, id, epoch, set + ", changed_at = " + now(c), values);
  }

  /** The same of who works on it and for how long, which is no change of the move. */
  static boolean set(Connection c, long id, long epoch, String set, Object... values)
      throws SQLException {
    try (PreparedStatement update =
        c.prepareStatement("UPDATE shardwright_move SET " + set + " WHERE id = ? AND epoch = ?")) {
      int at = 1;
      for (Object value : values) {
        update.setObject(at++, value);
      }
      update.setLong(at, id);
      update.setLong(at + 1, epoch);
      return update.executeUpdate() == 1;
    }
  }

  static String now(Connection c) throws SQLException {
    return Database.of(Database.product(c)).nowMillis();
  }

  static void took(Connection c, long move, CatalogMoves.Took took) throws SQLException {
    long micros = took.time().toNanos() / 1_000;
    if (addTo(c, move, took.stage(), took.rows(), micros) == 0) {
      try (PreparedStatement insert =
          c.prepareStatement(
              "INSERT INTO shardwright_move_stage"
                  + " (move_id, stage, times, row_count, total_micros, most_micros)"
                  + " VALUES (?, ?, 1, ?, ?, ?)")) {
        insert.setLong(1, move);
        insert.setString(2, took.stage().stored());
        insert.setLong(3, took.rows());
        insert.setLong(4, micros);
        insert.setLong(5, micros);
        insert.executeUpdate();
      }
    }
  }

  private static int addTo(
      Connection c, long move, CatalogMoves.Stage stage, long rows, long micros)
      throws SQLException {
    try (PreparedStatement update =
        c.prepareStatement(
            "UPDATE shardwright_move_stage SET times = times + 1, row_count = row_count + ?,"
                + " total_micros = total_micros + ?, most_micros = GREATEST(most_micros, ?)"
                + " WHERE move_id = ? AND stage = ?")) {
      update.setLong(1, rows);
      update.setLong(2, micros);
      update.setLong(3, micros);
      update.setLong(4, move);
      update.setString(5, stage.stored());
      return update.executeUpdate();
    }
  }

  static List<CatalogMoves.StageTimes> stages(Connection c, long move) throws SQLException {
    List<CatalogMoves.StageTimes> stages = new ArrayList<>();
    try (PreparedStatement select =
        c.prepareStatement(
            "SELECT stage, times, row_count, total_micros, most_micros FROM shardwright_move_stage"
                + " WHERE move_id = ?")) {
      select.setLong(1, move);
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          stages.add(
              new CatalogMoves.StageTimes(
                  CatalogMoves.Stage.valueOf(row.getString(1).toUpperCase(Locale.ROOT)),
                  row.getLong(2),
                  row.getLong(3),
                  Duration.of(row.getLong(4), ChronoUnit.MICROS),
                  Duration.of(row.getLong(5), ChronoUnit.MICROS)));
        }
      }
    }
    stages.sort(Comparator.comparing(CatalogMoves.StageTimes::stage));
    return stages;
  }

  static OptionalLong copiedPerSecond(Connection c) throws SQLException {
    try (PreparedStatement select =
            c.prepareStatement(
                "SELECT SUM(s.row_count), SUM(s.total_micros) FROM shardwright_move_stage s"
                    + " JOIN shardwright_move m ON m.id = s.move_id"
                    + " WHERE s.stage = 'copy' AND m.rows_per_second = 0");
        ResultSet row = select.executeQuery()) {
      row.next();
      long rows = row.getLong(1);
      long micros = row.getLong(2);
      return rows < ROWS_OF_A_RATE || micros == 0
          ? OptionalLong.empty()
          : OptionalLong.of(Math.max(1, Math.round(rows * 1e6 / micros)));
    }
  }
}
