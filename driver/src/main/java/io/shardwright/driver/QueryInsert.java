package io.shardwright.driver;

import io.shardwright.errors.ErrorCode;
import io.shardwright.sql.Merge;
import io.shardwright.sql.Route.Argument;
import io.shardwright.sql.Route.ShardStatementText;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;

/** The rows that the query of an INSERT ... SELECT gave, as an INSERT of values. */
final class QueryInsert {
  /** Values of one statement; PostgreSQL's protocol counts them with 16 bits. */
  static final int MAX_VALUES = 65_000;

  private final Merge.Inserting inserting;
  private final PhysicalDatabase database;
  private final boolean localTimes;
  private final List<InsertedColumn> columns = new ArrayList<>();
  private final List<Object> values = new ArrayList<>();

  /**
   * How values of a column get into the INSERT, so that it stores what the database would store
   * from the column itself.
   *
   * @param text of a value in VALUES, with one {@code ?}
   * @param setter STRING, BYTES or BIG_DECIMAL
   */
  record InsertedColumn(String text, Setter setter) {
    private Object read(ResultSet row, int number) throws SQLException {
      return switch (setter) {
        case BYTES -> row.getBytes(number);
        case BIG_DECIMAL -> row.getBigDecimal(number);
        default -> row.getString(number);
      };
    }
  }

  /**
   * @param localTimes true when a TIMESTAMP is read in a zone whose clock goes back
   */
  QueryInsert(Merge.Inserting inserting, PhysicalDatabase database, boolean localTimes) {
    this.inserting = inserting;
    this.database = database;
    this.localTimes = localTimes;
  }

  /** Reads all rows of the query. */
  void add(ResultSet rows) throws SQLException {
    ResultSetMetaData metaData = rows.getMetaData();
    for (int number = 1; number <= metaData.getColumnCount(); number++) {
      columns.add(column(ShardColumns.Column.of(database, metaData, number), number));
    }
    while (rows.next()) {
      if (values.size() + columns.size() > MAX_VALUES) {
        throw SqlErrors.of(
            ErrorCode.MERGE_TOO_LARGE,
            "the query of the INSERT gives more than "
                + MAX_VALUES / columns.size()
                + " rows of "
                + columns.size()
                + " columns, at most "
                + MAX_VALUES
                + " values are inserted at once; nothing was inserted; insert them in parts");
      }
      for (int number = 1; number <= columns.size(); number++) {
        values.add(columns.get(number - 1).read(rows, number));
      }
    }
  }

  private InsertedColumn column(ShardColumns.Column from, int number) throws SQLException {
    if (localTimes && from.type().equals("TIMESTAMP")) {
      throw SqlErrors.of(
          ErrorCode.MERGE_UNSUPPORTED,
          "column "
              + number
              + " of the query is a TIMESTAMP, and in the session's time zone two moments look"
              + " alike when the clock goes back; nothing was inserted; give the shards' urls a"
              + " time_zone that is an offset");
    }
    if (!inserting.routing().contains(number - 1)) {
      return database.inserted(from);
    }
    return database
        .insertedKey(from)
        .orElseThrow(
            () ->
                SqlErrors.of(
                    ErrorCode.MERGE_UNSUPPORTED,
                    "column "
                        + number
                        + " of the query decides where the rows go and has the type "
                        + from.declared()
                        + "; nothing was inserted; cast it to an integer or text"));
  }

  boolean isEmpty() {
    return values.isEmpty();
  }

  String text() {
    List<String> texts = columns.stream().map(InsertedColumn::text).toList();
    String row = "(" + String.join(", ", texts) + ")";
    return inserting.before()
        + "VALUES "
        + (row + ", ").repeat(values.size() / columns.size() - 1)
        + row
        + " "
        + inserting.after();
  }

  Parameters parameters(Parameters callers) throws SQLException {
    Parameters all = new Parameters(values.size() + inserting.parameters().size());
    int place = 1;
    for (Object value : values) {
      Setter setter = columns.get((place - 1) % columns.size()).setter();
      if (value == null) {
        all.set(place++, Setter.NULL, null, Types.VARCHAR);
      } else {
        all.set(place++, setter, value, null);
      }
    }
    for (int index : inserting.parameters()) {
      all.set(place++, callers, index);
    }
    return all;
  }

  /** The same without rows, for the columns of RETURNING. */
  ShardStatementText nothing() {
    StringBuilder before = new StringBuilder(inserting.before());
    List<String> nulls = new ArrayList<>();
    inserting
        .columns()
        .ifPresent(
            place -> {
              before.insert(place, "bucket_id, ");
              nulls.add("NULL");
            });
    columns.forEach(column -> nulls.add(column.text().replace("?", "NULL")));
    List<Argument> arguments =
        inserting.parameters().stream().<Argument>map(Argument.Parameter::new).toList();
    return new ShardStatementText(
        before + "SELECT " + String.join(", ", nulls) + " WHERE false " + inserting.after(),
        arguments);
  }
}
