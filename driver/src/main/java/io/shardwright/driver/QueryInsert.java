package io.shardwright.driver;

import io.shardwright.errors.ErrorCode;
import io.shardwright.sql.Merge;
import io.shardwright.sql.Route.Argument;
import io.shardwright.sql.Route.ShardStatementText;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The rows that the query of an INSERT ... SELECT gave, as an INSERT of values. */
final class QueryInsert {
  /** Values of one statement; the protocol counts them with 16 bits. */
  static final int MAX_VALUES = 65_000;

  private final Merge.Inserting inserting;
  private final CollectedArrays rows;

  QueryInsert(Merge.Inserting inserting, CollectedRows rows) throws SQLException {
    this.inserting = inserting;
    if (!(rows instanceof CollectedArrays arrays)) {
      throw SqlErrors.of(
          ErrorCode.MERGE_UNSUPPORTED,
          "INSERT ... SELECT over several shards is done on PostgreSQL only; nothing was inserted;"
              + " read the rows and insert them as a batch, or give both sides one route key");
    }
    this.rows = arrays;
    if ((long) rows.rows() * rows.size() > MAX_VALUES) {
      throw SqlErrors.of(
          ErrorCode.MERGE_TOO_LARGE,
          "the query of the INSERT gives "
              + rows.rows()
              + " rows of "
              + rows.size()
              + " columns, at most "
              + MAX_VALUES
              + " values are inserted at once; nothing was inserted; insert them in parts");
    }
  }

  boolean isEmpty() {
    return rows.rows() == 0;
  }

  String text() throws SQLException {
    StringBuilder row = new StringBuilder("(");
    for (int i = 0; i < rows.size(); i++) {
      row.append(i == 0 ? "?" : ", ?").append("::").append(type(i));
    }
    row.append(')');
    return inserting.before()
        + "VALUES "
        + (row + ", ").repeat(rows.rows() - 1)
        + row
        + " "
        + inserting.after();
  }

  private String type(int column) throws SQLException {
    ShardColumns.Column from = rows.column(column + 1);
    if (!inserting.routing().contains(column)) {
      return from.castType();
    }
    return switch (from.type()) {
      case "int2", "int4", "int8" -> "bigint";
      case "text", "varchar", "uuid" -> from.type();
      default ->
          throw SqlErrors.of(
              ErrorCode.MERGE_UNSUPPORTED,
              "column "
                  + (column + 1)
                  + " of the query decides where the rows go and has the type "
                  + from.type()
                  + "; nothing was inserted; cast it to bigint, text or uuid");
    };
  }

  Parameters parameters(Parameters callers) throws SQLException {
    int own = rows.rows() * rows.size();
    Parameters all = new Parameters(own + inserting.parameters().size());
    int place = 1;
    for (int row = 0; row < rows.rows(); row++) {
      for (int column = 1; column <= rows.size(); column++) {
        String value = rows.value(row, column);
        if (value == null) {
          all.set(place++, Setter.NULL, null, Types.VARCHAR);
        } else {
          all.set(place++, Setter.STRING, value, null);
        }
      }
    }
    for (int index : inserting.parameters()) {
      all.set(place++, callers, index);
    }
    return all;
  }

  /** The same without rows, for the columns of RETURNING. */
  ShardStatementText nothing() {
    String nulls =
        IntStream.rangeClosed(1, rows.size())
            .mapToObj(column -> "NULL::" + rows.column(column).castType())
            .collect(Collectors.joining(", "));
    List<Argument> arguments =
        inserting.parameters().stream().<Argument>map(Argument.Parameter::new).toList();
    return new ShardStatementText(
        inserting.before() + "SELECT " + nulls + " WHERE false " + inserting.after(), arguments);
  }
}
