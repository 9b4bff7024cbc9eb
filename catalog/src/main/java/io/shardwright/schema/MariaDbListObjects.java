package io.shardwright.schema;

import io.shardwright.catalog.IndexName.Event;
import io.shardwright.config.Configuration.Mover;
import io.shardwright.routing.KeyType;
import io.shardwright.schema.IndexObjects.Relation.Form;
import io.shardwright.schema.ShardSchema.Column;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Of an index that is not unique on MariaDB. Changes are numbered by a sequence: AUTO_INCREMENT
 * values may be reserved in advance, and would then not be in the order of the row's locks.
 */
final class MariaDbListObjects extends MariaDbIndexObjects {
  private static final Pattern VERSION = Pattern.compile("/\\* version (\\d+) \\*/");
  private static final String NOW = "timestamp(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6)";

  private final ListTables tables;

  MariaDbListObjects(LookupIndex index, Optional<Mover> mover) {
    super(index, mover);
    this.tables = new ListTables(index, database, " NULL");
  }

  @Override
  List<Relation> relations() {
    List<Relation> relations = new ArrayList<>(tables.relations());
    relations.add(new Relation(Form.SEQUENCE, name().sequence()));
    return relations;
  }

  @Override
  List<String> shapes(String relation) {
    return tables.shapes(relation);
  }

  @Override
  Map<String, String> tables(Map<String, String> types) {
    Map<String, String> definitions = new LinkedHashMap<>();
    StringJoiner entry = tables.entry(types, NOW);
    entry.add("KEY entry_k (" + tables.entryKey() + ")");
    definitions.put(name().entryTable(), createTable(name().entryTable(), entry.toString()));
    definitions.put(
        name().listView(),
        "CREATE SQL SECURITY INVOKER VIEW "
            + database.quote(name().listView())
            + " AS\n  "
            + tables.view());
    StringJoiner outbox = tables.outbox(types, "n bigint NOT NULL", NOW, NOW);
    outbox.add("KEY outbox_k (" + tables.outboxKey() + ")");
    definitions.put(name().outboxTable(), createTable(name().outboxTable(), outbox.toString()));
    definitions.put(
        name().deadTable(), createTable(name().deadTable(), tables.dead(types, NOW).toString()));
    definitions.put(name().sequence(), "CREATE SEQUENCE " + database.quote(name().sequence()));
    return definitions;
  }

  @Override
  Pattern version() {
    return VERSION;
  }

  @Override
  String body(Event event, long version) {
    String body =
        switch (event) {
          case INSERT -> when(isIndexed("NEW"), refuseUnknownLetters(column -> "") + appeared());
          case DELETE -> when(isIndexed("OLD"), gone());
          case UPDATE ->
              when(
                  "NOT (%s) AND (%s OR %s)"
                      .formatted(
                          same(told()), "(" + isIndexed("OLD") + ")", "(" + isIndexed("NEW") + ")"),
                  refuseUnknownLetters(column -> "NOT (" + same(List.of(column)) + ") AND ")
                      + "IF "
                      + same(placeColumns())
                      + " THEN\n"
                      + tell("NEW", true, true)
                      + "ELSE\n"
                      + when(isIndexed("OLD"), gone())
                      + when(isIndexed("NEW"), appeared())
                      + "END IF;\n");
          case TRUNCATE -> throw new IllegalArgumentException("no trigger fires on TRUNCATE");
        };
    return "/* version " + version + " */\n" + body;
  }

  /**
   * Of texts whose collation may take them for others: no bucket could be told for them.
   *
   * @param when of a column, what must hold beside, with AND
   */
  private String refuseUnknownLetters(Function<Column, String> when) {
    return tables.hashed().stream()
        .filter(column -> MariaDbTypes.indexType(column).equals(Optional.of(KeyType.FOLDED_TEXT)))
        .map(
            column ->
                when(
                    when.apply(column)
                        + "BINARY NEW."
                        + database.quote(column.name())
                        + " REGEXP '[^ -~]'",
                    """
                    SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT =
                      'SW302: lookup index %s takes printable ASCII only; use utf8mb4_nopad_bin';
                    """
                        .formatted(name().placement())))
        .collect(Collectors.joining());
  }

  private String appeared() {
    return tell("NEW", false, true);
  }

  private String gone() {
    return tell("OLD", true, false);
  }

  /**
   * @param had an entry by the values of OLD, unless they hold a NULL
   * @param is there, as NEW
   */
  private String tell(String place, boolean had, boolean is) {
    List<String> values = new ArrayList<>();
    values.add("NEXT VALUE FOR " + database.quote(name().sequence()));
    values.addAll(place(place));
    for (String value : fields("OLD", tables.hashed())) {
      values.add(had ? value : "NULL");
    }
    values.add(is ? isIndexed("NEW") : "FALSE");
    List<String> columns = new ArrayList<>(List.of("n"));
    columns.addAll(tables.changeColumns());
    if (is) {
      values.addAll(values("NEW"));
      values.addAll(fields("NEW", index.covering()));
    }
    return "INSERT INTO "
        + database.quote(name().outboxTable())
        + " ("
        + String.join(", ", columns.subList(0, values.size()))
        + ") VALUES ("
        + String.join(", ", values)
        + ");\n";
  }

  private List<Column> placeColumns() {
    List<Column> place = new ArrayList<>();
    index.table().column(ShardSchema.BUCKET_COLUMN).ifPresent(place::add);
    place.addAll(index.primaryKey());
    return place;
  }

  private List<Column> told() {
    List<Column> told = placeColumns();
    told.addAll(index.columns());
    told.addAll(index.covering());
    return told;
  }

  /** By their bytes where there are texts: those that a collation takes for one look different. */
  private String same(List<Column> columns) {
    return columns.stream()
        .map(
            column -> {
              String binary = column.collation().isPresent() ? "BINARY " : "";
              String name = database.quote(column.name());
              return binary + "OLD." + name + " <=> " + binary + "NEW." + name;
            })
        .collect(Collectors.joining(" AND "));
  }
}
