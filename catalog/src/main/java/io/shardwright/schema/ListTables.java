package io.shardwright.schema;

import io.shardwright.catalog.IndexName;
import io.shardwright.schema.IndexObjects.Relation;
import io.shardwright.schema.IndexObjects.Relation.Form;
import io.shardwright.schema.ShardSchema.Column;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the tables of an index that is not unique have in common on all products.
 *
 * @param nullable what stands behind the type of a column that may be NULL
 */
record ListTables(LookupIndex index, ShardDatabase database, String nullable) {

  List<Relation> relations() {
    IndexName name = index.name();
    return List.of(
        Relation.table(name.entryTable()),
        new Relation(Form.VIEW, name.listView()),
        Relation.table(name.outboxTable()),
        Relation.table(name.deadTable()));
  }

  List<String> shapes(String relation) {
    IndexName name = index.name();
    if (relation.equals(name.listView())) {
      return List.copyOf(viewColumns().keySet());
    }
    if (relation.equals(name.sequence())) {
      return List.of();
    }
    List<String> shapes = new ArrayList<>(IndexObjects.shapes("p", index.primaryKey()));
    shapes.addAll(IndexObjects.shapes("v", index.columns()));
    shapes.addAll(IndexObjects.shapes("c", index.covering()));
    if (!relation.equals(name.entryTable())) {
      shapes.addAll(IndexObjects.shapes("old", hashed()));
    }
    return shapes;
  }

  /** Those that decide the bucket of an entry. */
  List<Column> hashed() {
    return index.columns().subList(0, index.types().size());
  }

  /** Its columns and constraints. */
  StringJoiner entry(Map<String, String> types, String timestamp) {
    StringJoiner entry = IndexObjects.lines();
    entry.add("bucket_id integer NOT NULL").add("row_bucket integer NOT NULL");
    IndexObjects.columns("p", index.primaryKey(), types, " NOT NULL").forEach(entry::add);
    addValues(entry, types);
    entry.add("version bigint NOT NULL").add("live boolean NOT NULL");
    entry.add("written_at " + timestamp);
    entry.add("PRIMARY KEY (bucket_id, row_bucket, " + primaryKey() + ")");
    return entry;
  }

  /** By which entries of a value are read in order. */
  String entryKey() {
    List<String> key = new ArrayList<>(List.of("bucket_id", "live"));
    key.addAll(IndexObjects.numbered("v", index.columns().size()));
    for (int i = 0; i < index.primaryKey().size(); i++) {
      if (!index.columns().contains(index.primaryKey().get(i))) {
        key.add("p" + (i + 1));
      }
    }
    return String.join(", ", key);
  }

  /** By which changes that are due are found. */
  String outboxKey() {
    return "not_before, n";
  }

  /**
   * @param n the column that numbers changes
   * @param written the type of a time that is when the row is inserted
   * @param due the same; of the transaction may do
   */
  StringJoiner outbox(Map<String, String> types, String n, String written, String due) {
    StringJoiner outbox = change(types, n, written);
    outbox.add("attempts integer NOT NULL DEFAULT 0").add("not_before " + due);
    outbox.add("PRIMARY KEY (bucket_id, n)");
    return outbox;
  }

  StringJoiner dead(Map<String, String> types, String timestamp) {
    StringJoiner dead = change(types, "n bigint NOT NULL", timestamp);
    dead.add("error varchar(1000) NOT NULL").add("died_at " + timestamp);
    dead.add("PRIMARY KEY (bucket_id, n)");
    return dead;
  }

  private StringJoiner change(Map<String, String> types, String n, String written) {
    StringJoiner change = IndexObjects.lines();
    change.add("bucket_id integer NOT NULL").add(n);
    IndexObjects.columns("p", index.primaryKey(), types, " NOT NULL").forEach(change::add);
    IndexObjects.columns("old", hashed(), types, nullable).forEach(change::add);
    change.add("live boolean NOT NULL");
    addValues(change, types);
    change.add("written_at " + written);
    return change;
  }

  private void addValues(StringJoiner to, Map<String, String> types) {
    IndexObjects.columns("v", index.columns(), types, nullable).forEach(to::add);
    IndexObjects.columns("c", index.covering(), types, nullable).forEach(to::add);
  }

  private String primaryKey() {
    return String.join(", ", IndexObjects.numbered("p", index.primaryKey().size()));
  }

  /** The query of the view. */
  String view() {
    return viewColumns().entrySet().stream()
            .map(
                column ->
                    column.getValue().equals(column.getKey())
                        ? column.getKey()
                        : column.getValue() + " AS " + database.quote(column.getKey()))
            .collect(
                Collectors.joining(
                    ", ", "SELECT ", " FROM " + database.quote(index.name().entryTable())))
        + " WHERE live = TRUE";
  }

  /** From the view's names to those of the entries; each name once. */
  private Map<String, String> viewColumns() {
    Map<String, String> columns = new LinkedHashMap<>();
    columns.put("bucket_id", "bucket_id");
    columns.put("shardwright_row_bucket", "row_bucket");
    // The indexed columns come first: it is them that are in the order of the key.
    Map<String, String> values = new LinkedHashMap<>();
    number("p", index.primaryKey(), values);
    number("v", index.columns(), values);
    number("c", index.covering(), values);
    columns.putAll(values);
    return columns;
  }

  private static void number(String prefix, List<Column> columns, Map<String, String> to) {
    for (int i = 0; i < columns.size(); i++) {
      to.put(columns.get(i).name(), prefix + (i + 1));
    }
  }

  /** The columns of a change but those that the table fills itself. */
  List<String> changeColumns() {
    return Stream.of(
            List.of("bucket_id"),
            IndexObjects.numbered("p", index.primaryKey().size()),
            IndexObjects.numbered("old", hashed().size()),
            List.of("live"),
            IndexObjects.numbered("v", index.columns().size()),
            IndexObjects.numbered("c", index.covering().size()))
        .flatMap(List::stream)
        .toList();
  }
}
