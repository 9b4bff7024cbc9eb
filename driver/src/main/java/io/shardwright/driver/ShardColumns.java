package io.shardwright.driver;

import io.shardwright.errors.ErrorCode;
import io.shardwright.routing.ShardId;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * The columns that one shard answered with. Rows of several shards become one result only when all
 * of them agree: a merged row is read by position, so a column that is missing or elsewhere on one
 * shard would give wrong values.
 */
final class ShardColumns {
  private final ShardId shard;
  private final List<Column> columns = new ArrayList<>();

  /** What has to agree. */
  enum Agreement {
    LABELS_AND_TYPES,
    /** Declared length and scale too: where values are cast to the first shard's. */
    DECLARED_TYPES
  }

  /**
   * A column.
   *
   * @param type as the database names it
   * @param declared the same with the length or scale that it was declared with
   */
  record Column(String label, String type, String declared) {
    static Column of(PhysicalDatabase database, ResultSetMetaData columns, int number)
        throws SQLException {
      String type = database.type(columns, number);
      return new Column(
          columns.getColumnLabel(number), type, database.declared(columns, number, type));
    }

    /** The declared type, as a cast writes it. */
    String castType() {
      return isArray() ? type.substring(1) + "[]" : declared;
    }

    boolean isArray() {
      return type.startsWith("_");
    }

    private boolean agrees(Column other, Agreement agreement) {
      return label.equals(other.label)
          && (agreement == Agreement.DECLARED_TYPES
              ? declared.equals(other.declared)
              : type.equals(other.type));
    }

    @Override
    public String toString() {
      return label + " (" + declared + ")";
    }
  }

  private ShardColumns(ShardId shard) {
    this.shard = shard;
  }

  /**
   * Of a call that has answered rows. The physical driver asks the shard once per connection and
   * column.
   */
  static ShardColumns of(ShardCall call) throws SQLException {
    ResultSetMetaData metaData = call.rows().getMetaData();
    PhysicalDatabase database = call.database();
    ShardColumns result = new ShardColumns(call.shard());
    for (int i = 1; i <= metaData.getColumnCount(); i++) {
      result.columns.add(Column.of(database, metaData, i));
    }
    return result;
  }

  List<Column> columns() {
    return columns;
  }

  /**
   * Of calls whose columns have been read.
   *
   * @throws SQLException SW505 naming two shards and the first column that differs
   */
  static void requireEqual(List<ShardCall> calls, Agreement agreement) throws SQLException {
    ShardColumns first = calls.get(0).columns();
    for (ShardCall call : calls) {
      ShardColumns other = call.columns();
      int common = Math.min(first.columns.size(), other.columns.size());
      for (int i = 0; i < common; i++) {
        if (!first.columns.get(i).agrees(other.columns.get(i), agreement)) {
          throw drift(first, other, i);
        }
      }
      if (first.columns.size() != other.columns.size()) {
        throw drift(first, other, common);
      }
    }
  }

  private static SQLException drift(ShardColumns first, ShardColumns other, int column) {
    return SqlErrors.of(
        ErrorCode.SCHEMA_DRIFT,
        "column "
            + (column + 1)
            + " of the result is "
            + first.describe(column)
            + " on shard "
            + first.shard
            + " and "
            + other.describe(column)
            + " on shard "
            + other.shard
            + ", so their rows cannot be one result; finish a pending schema change with"
            + " resumeDdl(), or make the tables equal: shardwright apply -c FILE lists what"
            + " differs");
  }

  private String describe(int column) {
    return column < columns.size() ? columns.get(column).toString() : "missing";
  }
}
