package io.shardwright.driver;

import io.shardwright.errors.ErrorCode;
import io.shardwright.sql.Merge;
import io.shardwright.sql.Merge.Piece;
import io.shardwright.sql.Plan;
import io.shardwright.sql.Route.Argument;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * The last step of a statement that only the database can do over all rows: the shards' rows go
 * into it as values, and the first of the shards runs the statement's outer part over them. Bounded
 * by {@link CollectedRows#MAX_ROWS}.
 */
final class LastStep {
  private final Merge.Staged merge;
  private final PhysicalDatabase database;
  private final CollectedRows rows;

  private LastStep(Merge.Staged merge, PhysicalDatabase database, CollectedRows rows) {
    this.merge = merge;
    this.database = database;
    this.rows = rows;
  }

  /**
   * Gathers the rows of all calls, closes all but the first and prepares the last statement on it.
   */
  static ShardCall prepare(
      Merge.Staged merge, ShardCall[] calls, StatementSettings settings, Parameters parameters)
      throws SQLException {
    CollectedRows rows = calls[0].database().collect(calls[0].columns().columns());
    for (ShardColumns.Column column : calls[0].columns().columns()) {
      if (column.isArray()) {
        throw SqlErrors.of(
            ErrorCode.MERGE_UNSUPPORTED,
            "values of type "
                + column.type()
                + " from several shards cannot be put into an array; cast them to text, or add the"
                + " route key");
      }
    }
    for (ShardCall call : calls) {
      while (call.next()) {
        CollectedRows.requireFew(rows.rows() + 1);
        rows.add(call.rows());
      }
    }
    LastStep step = new LastStep(merge, calls[0].database(), rows);
    ShardCall first = calls[0];
    first.prepareNext(settings, step.text());
    first.rowsGathered(rows.rows());
    step.bind(first.prepared(), first.lease().connection(), parameters);
    return first;
  }

  /** Sends a last step that has been prepared. */
  static ResultSet answer(
      ShardwrightConnection connection, ShardwrightStatement statement, Plan plan, ShardCall last)
      throws SQLException {
    last.limitRows(statement.rowsWanted());
    statement.running(last);
    try {
      last.executeQuery();
    } catch (SQLException e) {
      throw connection.failed(last, plan, e);
    }
    statement.answerWarnings(last.warnings());
    return new ShardResultSet(statement, last);
  }

  private String text() throws SQLException {
    StringBuilder text = new StringBuilder();
    for (Piece piece : merge.text()) {
      if (piece instanceof Piece.Text fixed) {
        text.append(fixed.text());
      } else if (piece instanceof Piece.TypeOf type) {
        text.append(database.castType(rows.column(type.column())));
      } else if (piece instanceof Piece.Rows from) {
        text.append(rows.fromItem(from.alias(), from.collations()));
      } else {
        text.append(divisor(rows.column(((Piece.DivisorOf) piece).column()).type()));
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
    int place = 1;
    for (Argument argument : merge.arguments()) {
      if (argument instanceof Argument.Collected collected) {
        ((CollectedArrays) rows).bind(prepared, connection, place++, collected.column());
      } else if (argument instanceof Argument.CollectedRows) {
        place = rows.bind(prepared, connection, place);
      } else {
        parameters.bind(prepared, place++, ((Argument.Parameter) argument).index());
      }
    }
  }
}
