package io.shardwright.driver;

import io.shardwright.errors.ErrorCode;
import io.shardwright.sql.Merge;
import io.shardwright.sql.Merge.Piece;
import io.shardwright.sql.Route.Argument;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * The last step of a statement that only the database can do over all rows: the shards' rows become
 * one array per column, and the first of the shards runs the statement's outer part over them.
 * Values travel in the database's own text form. Bounded by {@link #MAX_ROWS}.
 */
final class LastStep {
  /** Rows of all shards together; some hundred bytes each. */
  static final int MAX_ROWS = 100_000;

  private final Merge.Staged merge;
  private final List<ShardColumns.Column> columns;
  private final List<List<String>> values = new ArrayList<>();

  private LastStep(Merge.Staged merge, List<ShardColumns.Column> columns) throws SQLException {
    this.merge = merge;
    this.columns = columns;
    for (ShardColumns.Column column : columns) {
      values.add(new ArrayList<>());
      String type = column.type();
      if (type.startsWith("_") || type.equals("record")) {
        throw SqlErrors.of(
            ErrorCode.MERGE_UNSUPPORTED,
            "values of type "
                + type
                + " from several shards cannot be put into an array; cast them"
                + " to text, or add the route key");
      }
    }
  }

  /**
   * Gathers the rows of all calls, closes all but the first and prepares the last statement on it.
   */
  static ShardCall prepare(
      Merge.Staged merge, ShardCall[] calls, StatementSettings settings, Parameters parameters)
      throws SQLException {
    LastStep step = new LastStep(merge, calls[0].columns().columns());
    int rows = 0;
    for (ShardCall call : calls) {
      while (call.next()) {
        if (++rows > MAX_ROWS) {
          throw SqlErrors.of(
              ErrorCode.MERGE_TOO_LARGE,
              "the statement needs more than "
                  + MAX_ROWS
                  + " rows of the shards in one place for its last"
                  + " step (HAVING, DISTINCT, window functions, text order); narrow it by WHERE");
        }
        for (int i = 0; i < step.values.size(); i++) {
          step.values.get(i).add(step.value(call.rows(), i));
        }
      }
    }
    ShardCall first = calls[0];
    first.prepareNext(settings, step.text());
    first.rowsGathered(rows);
    step.bind(first.prepared(), first.lease().connection(), parameters);
    return first;
  }

  /**
   * In the database's text form; bytes have none in the physical driver when they came in binary.
   */
  private String value(ResultSet row, int column) throws SQLException {
    if (!columns.get(column).type().equals("bytea")) {
      return row.getString(column + 1);
    }
    byte[] bytes = row.getBytes(column + 1);
    return bytes == null ? null : "\\x" + HexFormat.of().formatHex(bytes);
  }

  private String text() throws SQLException {
    StringBuilder text = new StringBuilder();
    for (Piece piece : merge.text()) {
      if (piece instanceof Piece.Text fixed) {
        text.append(fixed.text());
      } else if (piece instanceof Piece.TypeOf type) {
        text.append(columns.get(type.column() - 1).declared());
      } else {
        text.append(divisor(columns.get(((Piece.DivisorOf) piece).column() - 1).type()));
      }
    }
    return text.toString();
  }

  /**
   * PostgreSQL divides a sum of integers or numerics as numerics, of floats and intervals as
   * floats.
   */
  private static String divisor(String type) throws SQLException {
    return switch (type) {
      case "float4" ->
          throw SqlErrors.of(
              ErrorCode.MERGE_UNSUPPORTED,
              "an average of real values from several shards would be rounded on each; cast them to"
                  + " double precision");
      case "int2", "int4", "int8", "numeric" -> "numeric";
      default -> "float8";
    };
  }

  private void bind(PreparedStatement prepared, Connection connection, Parameters parameters)
      throws SQLException {
    for (int i = 0; i < merge.arguments().size(); i++) {
      Argument argument = merge.arguments().get(i);
      if (argument instanceof Argument.Collected collected) {
        int column = collected.column() - 1;
        prepared.setArray(
            i + 1,
            connection.createArrayOf(columns.get(column).type(), values.get(column).toArray()));
      } else {
        parameters.bind(prepared, i + 1, ((Argument.Parameter) argument).index());
      }
    }
  }
}
