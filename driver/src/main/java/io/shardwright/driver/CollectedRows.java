package io.shardwright.driver;

import io.shardwright.errors.ErrorCode;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/**
 * Rows of several shards in this process, on their way into a last statement, with values in the
 * database's own text form. Not thread-safe.
 */
abstract sealed class CollectedRows permits CollectedArrays, CollectedJson {
  /** Rows of one statement together; some hundred bytes each. */
  static final int MAX_ROWS = 100_000;

  private final List<ShardColumns.Column> columns;
  private int rows;

  CollectedRows(List<ShardColumns.Column> columns) {
    this.columns = columns;
  }

  final List<ShardColumns.Column> columns() {
    return columns;
  }

  final ShardColumns.Column column(int number) {
    return columns.get(number - 1);
  }

  final int size() {
    return columns.size();
  }

  final int rows() {
    return rows;
  }

  final void add(ResultSet row) throws SQLException {
    rows++;
    addValues(row);
  }

  abstract void addValues(ResultSet row) throws SQLException;

  /**
   * The rows as an item of FROM.
   *
   * @param alias of the item; its columns are {@code alias_1}, {@code alias_2} and so on
   * @param collations of the columns, empty for those that have none or the database's
   */
  abstract String fromItem(String alias, List<Optional<String>> collations);

  /** The rows as a query whose columns are named and typed as they came. */
  abstract String query(List<Optional<String>> collations);

  /**
   * Fills every {@code ?} of {@link #fromItem} or {@link #query}.
   *
   * @param place of the first
   * @return that of the next
   * @throws SQLException SW407 when the rows are too large for the database
   */
  abstract int bind(PreparedStatement prepared, Connection connection, int place)
      throws SQLException;

  static void requireFew(int rows) throws SQLException {
    if (rows > MAX_ROWS) {
      throw SqlErrors.of(
          ErrorCode.MERGE_TOO_LARGE,
          "the statement needs more than "
              + MAX_ROWS
              + " rows of the shards in one place for its last step (HAVING, DISTINCT, window"
              + " functions, text order, set operations, joins that no key ties); narrow it by"
              + " WHERE");
    }
  }
}
