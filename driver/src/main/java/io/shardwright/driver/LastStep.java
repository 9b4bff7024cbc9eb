package io.shardwright.driver;

import io.shardwright.errors.ErrorCode;
import io.shardwright.sql.Merge;
import io.shardwright.sql.Merge.Piece;
import io.shardwright.sql.Route.Argument;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
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
  private final String[] types;
  private final String[] exactTypes;
  private final List<List<String>> columns = new ArrayList<>();

  private LastStep(Merge.Staged merge, ResultSetMetaData metaData) throws SQLException {
    this.merge = merge;
    this.types = new String[metaData.getColumnCount()];
    this.exactTypes = new String[types.length];
    for (int i = 0; i < types.length; i++) {
      types[i] = metaData.getColumnTypeName(i + 1);
      exactTypes[i] = exactType(metaData, i + 1);
      columns.add(new ArrayList<>());
      if (types[i].startsWith("_") || types[i].equals("record")) {
        throw SqlErrors.of(
            ErrorCode.MERGE_UNSUPPORTED,
            "values of type "
                + types[i]
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
    LastStep step = new LastStep(merge, calls[0].rows().getMetaData());
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
        for (int i = 0; i < step.types.length; i++) {
          step.columns.get(i).add(call.rows().getString(i + 1));
        }
      }
    }
    ShardCall first = calls[0];
    first.prepareNext(settings, step.text());
    step.bind(first.prepared(), first.lease().connection(), parameters);
    return first;
  }

  private String text() {
    StringBuilder text = new StringBuilder();
    for (Piece piece : merge.text()) {
      if (piece instanceof Piece.Text fixed) {
        text.append(fixed.text());
      } else if (piece instanceof Piece.TypeOf type) {
        text.append(exactTypes[type.column() - 1]);
      } else {
        text.append(divisor(types[((Piece.DivisorOf) piece).column() - 1]));
      }
    }
    return text.toString();
  }

  /**
   * PostgreSQL divides a sum of integers or numerics as numerics, of floats and intervals as
   * floats.
   */
  private static String divisor(String type) {
    return switch (type) {
      case "int2", "int4", "int8", "numeric" -> "numeric";
      default -> "float8";
    };
  }

  /** With the length or scale that the column was declared with. */
  private static String exactType(ResultSetMetaData metaData, int column) throws SQLException {
    String type = metaData.getColumnTypeName(column);
    int precision = metaData.getPrecision(column);
    return switch (type) {
      case "numeric" ->
          precision == 0 ? type : "numeric(" + precision + "," + metaData.getScale(column) + ")";
      case "varchar" -> precision == Integer.MAX_VALUE ? type : "varchar(" + precision + ")";
      case "bpchar" -> precision == Integer.MAX_VALUE ? type : "character(" + precision + ")";
      default -> type;
    };
  }

  private void bind(PreparedStatement prepared, Connection connection, Parameters parameters)
      throws SQLException {
    for (int i = 0; i < merge.arguments().size(); i++) {
      Argument argument = merge.arguments().get(i);
      if (argument instanceof Argument.Collected collected) {
        int column = collected.column() - 1;
        prepared.setArray(
            i + 1, connection.createArrayOf(types[column], columns.get(column).toArray()));
      } else {
        parameters.bind(prepared, i + 1, ((Argument.Parameter) argument).index());
      }
    }
  }
}
