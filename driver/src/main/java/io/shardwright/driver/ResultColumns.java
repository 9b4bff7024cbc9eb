package io.shardwright.driver;

import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;

/** Names and types of a result's columns, copied, so that they outlive the physical statement. */
final class ResultColumns implements ResultSetMetaData {
  static final ResultColumns NONE = new ResultColumns(List.of());

  private static final int LONG_DIGITS = 19;

  private final List<Column> columns;

  private record Column(
      int nullable,
      boolean autoIncrement,
      boolean caseSensitive,
      boolean currency,
      boolean signed,
      boolean searchable,
      int displaySize,
      String label,
      String name,
      String schema,
      String table,
      String catalog,
      int precision,
      int scale,
      int type,
      String typeName,
      String className) {
    static Column read(ResultSetMetaData from, int column) throws SQLException {
      return new Column(
          from.isNullable(column),
          from.isAutoIncrement(column),
          from.isCaseSensitive(column),
          from.isCurrency(column),
          from.isSigned(column),
          from.isSearchable(column),
          from.getColumnDisplaySize(column),
          from.getColumnLabel(column),
          from.getColumnName(column),
          from.getSchemaName(column),
          from.getTableName(column),
          from.getCatalogName(column),
          from.getPrecision(column),
          from.getScale(column),
          from.getColumnType(column),
          from.getColumnTypeName(column),
          from.getColumnClassName(column));
    }

    /** Of a value that belongs to no table. */
    static Column computed(ResultSetMetaData from, int column) throws SQLException {
      return new Column(
          ResultSetMetaData.columnNullableUnknown,
          false,
          from.isCaseSensitive(column),
          from.isCurrency(column),
          from.isSigned(column),
          from.isSearchable(column),
          from.getColumnDisplaySize(column),
          from.getColumnLabel(column),
          from.getColumnName(column),
          "",
          "",
          from.getCatalogName(column),
          from.getPrecision(column),
          from.getScale(column),
          from.getColumnType(column),
          from.getColumnTypeName(column),
          from.getColumnClassName(column));
    }
  }

  /** One column of numbers that belong to no result of a shard. */
  static ResultColumns ofLongs(String label) {
    return new ResultColumns(
        List.of(
            new Column(
                columnNoNulls,
                false,
                false,
                false,
                true,
                true,
                LONG_DIGITS + 1,
                label,
                label,
                "",
                "",
                "",
                LONG_DIGITS,
                0,
                Types.BIGINT,
                "BIGINT",
                Long.class.getName())));
  }

  private ResultColumns(List<Column> columns) {
    this.columns = columns;
  }

  static ResultColumns of(ResultSetMetaData from) throws SQLException {
    return firstOf(from, from.getColumnCount());
  }

  static ResultColumns firstOf(ResultSetMetaData from, int count) throws SQLException {
    List<Column> columns = new ArrayList<>(count);
    for (int column = 1; column <= count; column++) {
      columns.add(Column.read(from, column));
    }
    return new ResultColumns(columns);
  }

  /**
   * @param sources for each column the one that names and types it
   */
  static ResultColumns computed(ResultSetMetaData from, int[] sources) throws SQLException {
    List<Column> columns = new ArrayList<>(sources.length);
    for (int source : sources) {
      columns.add(Column.computed(from, source));
    }
    return new ResultColumns(columns);
  }

  private Column column(int number) throws SQLException {
    if (number < 1 || number > columns.size()) {
      throw LogicalResultSet.noColumn(number, columns.size());
    }
    return columns.get(number - 1);
  }

  @Override
  public int getColumnCount() {
    return columns.size();
  }

  @Override
  public boolean isReadOnly(int column) {
    return true;
  }

  @Override
  public boolean isWritable(int column) {
    return false;
  }

  @Override
  public boolean isDefinitelyWritable(int column) {
    return false;
  }

  @Override
  public int isNullable(int column) throws SQLException {
    return column(column).nullable();
  }

  @Override
  public boolean isAutoIncrement(int column) throws SQLException {
    return column(column).autoIncrement();
  }

  @Override
  public boolean isCaseSensitive(int column) throws SQLException {
    return column(column).caseSensitive();
  }

  @Override
  public boolean isCurrency(int column) throws SQLException {
    return column(column).currency();
  }

  @Override
  public boolean isSigned(int column) throws SQLException {
    return column(column).signed();
  }

  @Override
  public boolean isSearchable(int column) throws SQLException {
    return column(column).searchable();
  }

  @Override
  public int getColumnDisplaySize(int column) throws SQLException {
    return column(column).displaySize();
  }

  @Override
  public String getColumnLabel(int column) throws SQLException {
    return column(column).label();
  }

  @Override
  public String getColumnName(int column) throws SQLException {
    return column(column).name();
  }

  @Override
  public String getSchemaName(int column) throws SQLException {
    return column(column).schema();
  }

  @Override
  public String getTableName(int column) throws SQLException {
    return column(column).table();
  }

  @Override
  public String getCatalogName(int column) throws SQLException {
    return column(column).catalog();
  }

  @Override
  public int getPrecision(int column) throws SQLException {
    return column(column).precision();
  }

  @Override
  public int getScale(int column) throws SQLException {
    return column(column).scale();
  }

  @Override
  public int getColumnType(int column) throws SQLException {
    return column(column).type();
  }

  @Override
  public String getColumnTypeName(int column) throws SQLException {
    return column(column).typeName();
  }

  @Override
  public String getColumnClassName(int column) throws SQLException {
    return column(column).className();
  }

  @Override
  public boolean isWrapperFor(Class<?> type) {
    return type.isInstance(this);
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    if (type.isInstance(this)) {
      return type.cast(this);
    }
    throw SqlErrors.unsupported(
        "unwrapping metadata to " + type.getName(), "use java.sql.ResultSetMetaData");
  }
}
