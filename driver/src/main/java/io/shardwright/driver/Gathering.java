package io.shardwright.driver;

import io.shardwright.sql.Merge;
import io.shardwright.sql.Merge.Segment;
import io.shardwright.sql.Route.Argument;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The rows of a statement's parts, and the last statement that one shard runs over them. Bounded by
 * {@link CollectedRows#MAX_ROWS} for all parts together.
 */
final class Gathering {
  private final Merge.Gathered merge;
  private final PhysicalDatabase database;
  private final Parameters parameters;
  private final List<CollectedRows> parts = new ArrayList<>();
  private int rows;

  Gathering(Merge.Gathered merge, PhysicalDatabase database, Parameters parameters) {
    this.merge = merge;
    this.database = database;
    this.parameters = parameters;
  }

  /** Reads all rows of the next part. */
  void add(ResultSet answer) throws SQLException {
    ResultSetMetaData metaData = answer.getMetaData();
    List<ShardColumns.Column> columns = new ArrayList<>();
    for (int i = 1; i <= metaData.getColumnCount(); i++) {
      columns.add(ShardColumns.Column.of(database, metaData, i));
    }
    CollectedRows part = database.collect(columns);
    while (answer.next()) {
      CollectedRows.requireFew(++rows);
      part.add(answer);
    }
    parts.add(part);
  }

  /** Of all parts together. */
  int rows() {
    return rows;
  }

  /** Makes the last statement on a shard and binds it; nothing is sent yet. */
  void prepare(ShardCall last, StatementSettings settings) throws SQLException {
    StringBuilder text = new StringBuilder();
    for (Segment segment : merge.text()) {
      text.append(segment.text());
      if (segment.part().isPresent()) {
        appendRows(text, segment.part().getAsInt());
      }
    }
    last.prepareNext(settings, text.toString());
    bind(last);
  }

  private void appendRows(StringBuilder text, int number) {
    CollectedRows part = parts.get(number);
    List<String> named = merge.parts().get(number).collations();
    List<Optional<String>> collations = new ArrayList<>();
    for (int i = 0; i < part.columns().size(); i++) {
      collations.add(
          named.isEmpty() || named.get(i).isEmpty() ? Optional.empty() : Optional.of(named.get(i)));
    }
    text.append(part.query(collations));
  }

  private void bind(ShardCall last) throws SQLException {
    PreparedStatement prepared = last.prepared();
    int place = 1;
    for (Segment segment : merge.text()) {
      for (Argument argument : segment.arguments()) {
        parameters.bind(prepared, place++, ((Argument.Parameter) argument).index());
      }
      if (segment.part().isPresent()) {
        CollectedRows part = parts.get(segment.part().getAsInt());
        place = part.bind(prepared, last.lease().connection(), place);
      }
    }
  }
}
