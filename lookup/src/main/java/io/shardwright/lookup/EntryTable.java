package io.shardwright.lookup;

import io.shardwright.catalog.SqlFailure;
import io.shardwright.lookup.Candidate.Hold;
import io.shardwright.lookup.UniqueIndex.IndexColumn;
import io.shardwright.routing.BucketId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** The tables of one index on one shard, through a connection. Stateless but for texts. */
final class EntryTable {
  private static final Hold[] HOLDS = Hold.values();

  private final UniqueIndex index;
  private final EntrySql sql;
  private final String readOne;
  private final String insertFirst;
  private final String takeChanges;

  EntryTable(UniqueIndex index) {
    this.index = index;
    this.sql = new EntrySql(index);
    this.readOne = sql.read(1);
    this.insertFirst = sql.insertFirst(false);
    this.takeChanges = sql.takeChanges();
  }

  UniqueIndex index() {
    return index;
  }

  List<Candidate> read(Connection connection, List<Value> values) throws SQLException {
    return candidates(connection, values.size() == 1 ? readOne : sql.read(values.size()), values);
  }

  /**
   * Locks all candidates of a value, in the connection's transaction.
   *
   * @return in slot order; empty when the value has none
   */
  List<Candidate> lock(Connection connection, Value value) throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(sql.lock())) {
      bind(select, 1, value);
      try (ResultSet row = select.executeQuery()) {
        if (!row.next()) {
          return List.of();
        }
      }
    }
    // By a statement of its own: one that waited for the lock sees what was there before.
    List<Candidate> candidates = read(connection, List.of(value));
    candidates.sort(Comparator.comparingInt(Candidate::slot));
    return candidates;
  }

  private List<Candidate> candidates(Connection connection, String text, List<Value> values)
      throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(text)) {
      int at = 1;
      for (Value value : values) {
        at = bind(select, at, value);
      }
      return candidates(select);
    }
  }

  List<Candidate> readBucket(Connection connection, BucketId bucket) throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(sql.readBucket())) {
      select.setInt(1, bucket.value());
      return candidates(select);
    }
  }

  private List<Candidate> candidates(PreparedStatement select) throws SQLException {
    List<Candidate> candidates = new ArrayList<>();
    try (ResultSet row = select.executeQuery()) {
      while (row.next()) {
        candidates.add(candidate(row));
      }
    }
    return candidates;
  }

  private Candidate candidate(ResultSet row) throws SQLException {
    int width = index.columns().size();
    int pk = index.primaryKey().size();
    Value value = new Value(index, new BucketId(row.getInt(1)), read(row, 2, index.columns()));
    int slot = row.getInt(width + 2);
    int bucket = row.getInt(width + 3);
    RowId id =
        bucket == EntrySql.NO_ROW
            ? RowId.NONE
            : new RowId(new BucketId(bucket), read(row, width + 4, index.primaryKey()));
    Hold hold = HOLDS[row.getInt(width + pk + 5)];
    return new Candidate(value, slot, id, row.getLong(width + pk + 4), hold, Duration.ZERO);
  }

  /** False when the value has a candidate, or somebody is about to give it one. */
  boolean insertFirst(Connection connection, Candidate candidate) throws SQLException {
    String text = candidate.isReservation() ? sql.insertFirst(true) : insertFirst;
    try (PreparedStatement insert = connection.prepareStatement(text)) {
      bind(insert, candidate);
      return insert.executeUpdate() == 1;
    } catch (SQLException e) {
      if (SqlFailure.isLockTimeout(e) || SqlFailure.isDuplicateKey(e)) {
        return false;
      }
      throw e;
    }
  }

  void insert(Connection connection, Candidate candidate) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement(sql.insert(candidate.isReservation()))) {
      bind(insert, candidate);
      insert.executeUpdate();
    }
  }

  /** Of a locked candidate. */
  void renew(Connection connection, Candidate candidate, long token) throws SQLException {
    try (PreparedStatement update = connection.prepareStatement(sql.renew())) {
      update.setLong(1, token);
      update.setInt(bind(update, 2, candidate.value()), candidate.slot());
      update.executeUpdate();
    }
  }

  /** Of a locked candidate. */
  void move(Connection connection, Candidate candidate, int slot) throws SQLException {
    try (PreparedStatement update = connection.prepareStatement(sql.move())) {
      update.setInt(1, slot);
      update.setInt(bind(update, 2, candidate.value()), candidate.slot());
      update.executeUpdate();
    }
  }

  /** Of a locked candidate. False when somebody had renewed or removed it. */
  boolean remove(Connection connection, Candidate candidate) throws SQLException {
    try (PreparedStatement delete = connection.prepareStatement(sql.remove())) {
      int at = bind(delete, 1, candidate.value());
      delete.setInt(at, candidate.slot());
      delete.setLong(at + 1, candidate.token());
      return delete.executeUpdate() == 1;
    }
  }

  /** In the connection's transaction, on the row's shard: waits for the writers of the value. */
  void claim(Connection connection, Value value) throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement(sql.claim())) {
      bind(insert, 1, value.columns());
      insert.executeUpdate();
    }
  }

  /** On the row's shard. */
  boolean rowHasValue(Connection connection, Candidate candidate) throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(sql.rowHasValue())) {
      select.setInt(1, candidate.row().bucket().value());
      int at = bind(select, 2, candidate.row().primaryKey());
      bind(select, at, candidate.value().columns());
      try (ResultSet row = select.executeQuery()) {
        return row.next();
      }
    }
  }

  private List<Object> read(ResultSet row, int first, List<IndexColumn> columns)
      throws SQLException {
    return Columns.read(index.product(), row, first, columns);
  }

  /** What a transaction tells of its changes, see {@link #changes}. */
  String takeChanges() {
    return takeChanges;
  }

  /** From the rows that {@link #takeChanges()} gives; in the order in which they were made. */
  List<Change> changes(ResultSet row) throws SQLException {
    int width = index.columns().size();
    int pk = index.primaryKey().size();
    TreeMap<Long, Change> byNumber = new TreeMap<>();
    while (row.next()) {
      RowId id = new RowId(new BucketId(row.getInt(2)), read(row, 3, index.primaryKey()));
      byNumber.put(
          row.getLong(1),
          new Change(
              id,
              value(read(row, 3 + pk, index.columns())),
              value(read(row, 3 + pk + width, index.columns()))));
    }
    return List.copyOf(byNumber.values());
  }

  /** Values with a NULL are not indexed. */
  Optional<Value> value(List<Object> columns) {
    return columns.contains(null) ? Optional.empty() : Value.of(index, columns);
  }

  private void bind(PreparedStatement statement, Candidate candidate) throws SQLException {
    int at = bind(statement, 1, candidate.value());
    statement.setInt(at, candidate.slot());
    at++;
    if (candidate.isReservation()) {
      statement.setInt(at, EntrySql.NO_ROW);
      at = bind(statement, at + 1, Collections.nCopies(index.primaryKey().size(), null));
      statement.setLong(at, candidate.token());
      statement.setLong(at + 1, TimeUnit.MILLISECONDS.toMicros(candidate.until().toMillis()));
    } else {
      statement.setInt(at, candidate.row().bucket().value());
      at = bind(statement, at + 1, candidate.row().primaryKey());
      statement.setLong(at, candidate.token());
    }
  }

  private static int bind(PreparedStatement statement, int first, Value value) throws SQLException {
    statement.setInt(first, value.bucket().value());
    return bind(statement, first + 1, value.columns());
  }

  private static int bind(PreparedStatement statement, int first, List<Object> values)
      throws SQLException {
    int at = first;
    for (Object value : values) {
      statement.setObject(at, value);
      at++;
    }
    return at;
  }
}
