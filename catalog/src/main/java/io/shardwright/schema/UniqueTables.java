package io.shardwright.schema;

import io.shardwright.catalog.IndexName;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What the tables of a unique index have in common on all products. */
record UniqueTables(LookupIndex index) {

  /** Entries and claims, but for the form of the product. */
  Map<String, String> definitions(Map<String, String> types, String timestamp, String defaultNow) {
    IndexName name = index.name();
    Map<String, String> tables = new LinkedHashMap<>();
    StringJoiner entry = IndexObjects.lines();
    entry.add("bucket_id integer NOT NULL");
    IndexObjects.columns("v", index.columns(), types, " NOT NULL").forEach(entry::add);
    entry.add("slot integer NOT NULL").add("row_bucket integer NOT NULL");
    // A reservation has no row.
    IndexObjects.columns("p", index.primaryKey(), types, "").forEach(entry::add);
    entry.add("token bigint NOT NULL");
    entry.add("written_at " + timestamp + " NOT NULL DEFAULT " + defaultNow);
    entry.add("reserved_until " + timestamp + " NULL");
    entry.add("PRIMARY KEY (bucket_id, " + list("v") + ", slot)");
    tables.put(name.entryTable(), entry.toString());
    StringJoiner claim = IndexObjects.lines();
    IndexObjects.columns("v", index.columns(), types, " NOT NULL").forEach(claim::add);
    claim.add("PRIMARY KEY (" + list("v") + ")");
    tables.put(name.claimTable(), claim.toString());
    return tables;
  }

  List<String> shapes(String table) {
    IndexName name = index.name();
    List<String> shapes = new ArrayList<>();
    if (table.equals(name.changeTable())) {
      shapes.addAll(IndexObjects.shapes("old", index.columns()));
      shapes.addAll(IndexObjects.shapes("new", index.columns()));
    } else {
      shapes.addAll(IndexObjects.shapes("v", index.columns()));
    }
    if (!table.equals(name.claimTable())) {
      shapes.addAll(IndexObjects.shapes("p", index.primaryKey()));
    }
    return shapes;
  }

  /** {@code v}: {@code v1, v2}, as many as there are indexed columns. */
  String list(String prefix) {
    return String.join(", ", IndexObjects.numbered(prefix, index.columns().size()));
  }

  /** Inserts and deletes a claim: it leaves nothing, and others wait for this transaction. */
  String claim(String table, List<String> values) {
    String condition =
        IntStream.range(0, values.size())
            .mapToObj(i -> "v" + (i + 1) + " = " + values.get(i))
            .collect(Collectors.joining(" AND "));
    return "INSERT INTO %1$s VALUES (%2$s); DELETE FROM %1$s WHERE %3$s;"
        .formatted(table, String.join(", ", values), condition);
  }
}
