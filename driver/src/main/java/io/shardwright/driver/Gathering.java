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

/**
 * The rows of a statement's parts, and the last statement that one shard runs over them. Bounded by
 * {@link CollectedRows#MAX_ROWS} for all parts together.
 */
final class Gathering {
  private final Merge.Gathered merge;
  private final Parameters parameters;
  private final List<CollectedRows> parts = new ArrayList<>();
  private int rows;

  Gathering(Merge.Gathered merge, Parameters parameters) {
    this.merge = merge;
    this.parameters = parameters;
  }

  /** Reads all rows of the next part. */
  void add(ResultSet answer) throws SQLException {
    ResultSetMetaData metaData = answer.getMetaData();
    List<ShardColumns.Column> columns = new ArrayList<>();
    for (int i = 1; i <= metaData.getColumnCount(); i++) {
      columns.add(ShardColumns.Column.of(metaData, i));
    }
    CollectedRows part = new CollectedRows(columns);
    while (answer.next()) {
      CollectedRows.requireFew(++rows);
      part.add(answer);
    }
    parts.add(part);
  }

  /** The rows of the only part, to be inserted. */
  QueryInsert insert(Merge.Inserting inserting) throws SQLException {
    return new QueryInsert(inserting, parts.get(0));
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

  /** A column is cast to its declared type, which an array does not keep. */
  private void appendRows(StringBuilder text, int number) {
    CollectedRows part = parts.get(number);
    List<String> collations = merge.parts().get(number).collations();
    StringBuilder names = new StringBuilder();
    text.append("SELECT ");
    for (int i = 1; i <= part.size(); i++) {
      ShardColumns.Column column = part.column(i);
      String separator = i == 1 ? "" : ", ";
      names.append(separator).append("shardwright_").append(i);
      text.append(separator).append("shardwright_").append(i);
      text.append("::").append(column.castType());
      String collation = collations.isEmpty() ? "" : collations.get(i - 1);
      if (!collation.isEmpty()) {
        text.append(" COLLATE ").append(quote(collation));
      }
      text.append(" AS ").append(quote(column.label()));
    }
    text.append(" FROM unnest(?").append(", ?".repeat(part.size() - 1));
    text.append(") AS shardwright (").append(names).append(')');
  }

  private static String quote(String name) {
    return "\"" + name.replace("\"", "\"\"") + "\"";
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
        for (int i = 1; i <= part.size(); i++) {
          part.bind(prepared, last.lease().connection(), place++, i);
        }
      }
    }
  }
}
