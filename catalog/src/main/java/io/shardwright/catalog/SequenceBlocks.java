package io.shardwright.catalog;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.ids.SegmentIds;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.OptionalLong;

/**
 * Blocks of one row of shardwright_sequence, by compare-and-set: the value moves on before a block
 * is used. An answer that is lost loses a block, never gives it twice. Thread-safe.
 */
final class SequenceBlocks implements SegmentIds.BlockSource {
  private static final long FIRST = 1;

  /** Each round is lost to a process that got its block. */
  private static final int ROUNDS_MAX = 1_000;

  private final CatalogSession session;
  private final String name;
  private final int size;

  SequenceBlocks(CatalogSession session, String name, int size) {
    this.session = session;
    this.name = name;
    this.size = size;
  }

  @Override
  public SegmentIds.Block take() {
    return session.call(this::take);
  }

  private SegmentIds.Block take(Connection connection) throws SQLException {
    for (int round = 0; round < ROUNDS_MAX; round++) {
      OptionalLong first = read(connection);
      if (first.isPresent() && first.getAsLong() > Long.MAX_VALUE - size) {
        throw new ShardwrightException(
            ErrorCode.ID_CAPACITY_EXHAUSTED,
            "sequence '" + name + "' is at " + first.getAsLong() + ", near the end of 64 bits");
      }
      long from = first.orElse(FIRST);
      if (first.isPresent() ? moveOn(connection, from) : insert(connection)) {
        return new SegmentIds.Block(from, from + size - 1);
      }
    }
    throw new ShardwrightException(
        ErrorCode.CATALOG_CONFLICT,
        "sequence '" + name + "' is asked for by too many at once; take larger blocks");
  }

  private OptionalLong read(Connection connection) throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement("SELECT next_value FROM shardwright_sequence WHERE name = ?")) {
      select.setString(1, name);
      try (ResultSet row = select.executeQuery()) {
        return row.next() ? OptionalLong.of(row.getLong(1)) : OptionalLong.empty();
      }
    }
  }

  private boolean moveOn(Connection connection, long from) throws SQLException {
    try (PreparedStatement update =
        connection.prepareStatement(
            "UPDATE shardwright_sequence SET next_value = ? WHERE name = ? AND next_value = ?")) {
      update.setLong(1, from + size);
      update.setString(2, name);
      update.setLong(3, from);
      return update.executeUpdate() == 1;
    } catch (SQLException e) {
      return SqlFailure.lost(e);
    }
  }

  private boolean insert(Connection connection) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO shardwright_sequence (name, next_value) VALUES (?, ?)")) {
      insert.setString(1, name);
      insert.setLong(2, FIRST + size);
      return insert.executeUpdate() == 1;
    } catch (SQLException e) {
      return SqlFailure.lost(e);
    }
  }
}
