package io.shardwright.schema;

import io.shardwright.catalog.IndexName.Event;
import io.shardwright.config.Configuration.Mover;
import io.shardwright.schema.ShardSchema.Column;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Of a unique index on MariaDB: without a table of changes. */
final class MariaDbUniqueObjects extends MariaDbIndexObjects {
  private static final Pattern VERSION = Pattern.compile("@shardwright_index, 0\\) < (\\d+) THEN");

  private final UniqueTables tables;

  MariaDbUniqueObjects(LookupIndex index, Optional<Mover> mover) {
    super(index, mover);
    this.tables = new UniqueTables(index);
  }

  @Override
  List<Relation> relations() {
    return List.of(Relation.table(name().entryTable()), Relation.table(name().claimTable()));
  }

  @Override
  List<String> shapes(String relation) {
    return tables.shapes(relation);
  }

  @Override
  Map<String, String> tables(Map<String, String> types) {
    Map<String, String> definitions =
        tables.definitions(types, "timestamp(6)", "CURRENT_TIMESTAMP(6)");
    definitions.replaceAll(this::createTable);
    return definitions;
  }

  @Override
  Pattern version() {
    return VERSION;
  }

  @Override
  String body(Event event, long version) {
    String guard =
        """
        IF COALESCE(@shardwright_index, 0) < %d THEN
          SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT =
            'SW419: lookup index %s is not maintained by this session';
        END IF;
        """
            .formatted(version, name().placement());
    return switch (event) {
      case INSERT ->
          guard + when(isIndexed("NEW"), claim("NEW") + tell("NEW", "NULL", array("NEW")));
      case DELETE ->
          guard + when(isIndexed("OLD"), claim("OLD") + tell("OLD", array("OLD"), "NULL"));
      case UPDATE ->
          when(
              "NOT ("
                  + same(place("OLD"), place("NEW"))
                  + " AND "
                  + same(values("OLD"), values("NEW"))
                  + ") AND ("
                  + isIndexed("OLD")
                  + " OR "
                  + isIndexed("NEW")
                  + ")",
              guard + update());
      case TRUNCATE -> throw new IllegalArgumentException("no trigger fires on TRUNCATE");
    };
  }

  private String update() {
    return """
    IF @shardwright_changes IS NULL THEN
      SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT =
        'SW419: lookup index %s changes by a trigger unseen';
    END IF;
    """
            .formatted(name().placement())
        + when(isIndexed("OLD"), claim("OLD"))
        + when(isIndexed("NEW"), claim("NEW"))
        + "IF "
        + same(place("OLD"), place("NEW"))
        + " AND "
        + isIndexed("OLD")
        + " AND "
        + isIndexed("NEW")
        + " THEN\n"
        + tell("NEW", array("OLD"), array("NEW"))
        + "ELSE\n"
        + when(isIndexed("OLD"), tell("OLD", array("OLD"), "NULL"))
        + when(isIndexed("NEW"), tell("NEW", "NULL", array("NEW")))
        + "END IF;\n";
  }

  private String claim(String row) {
    return tables.claim(database.quote(name().claimTable()), values(row)) + "\n";
  }

  /** One line of JSON in the session's variable, which is NULL when nobody asked. */
  private String tell(String place, String old, String now) {
    return """
    IF @shardwright_changes IS NOT NULL THEN
      SET @shardwright_changes = CONCAT(@shardwright_changes,
        JSON_ARRAY('%s', %s.bucket_id, %s, %s, %s), '\\n');
      IF @shardwright_changes IS NULL THEN
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT =
          'SW419: too many changes in one statement for max_allowed_packet';
      END IF;
    END IF;
    """
        .formatted(name().object(), place, array(place, index.primaryKey()), old, now);
  }

  private String array(String row) {
    return array(row, index.columns());
  }

  private String array(String row, List<Column> columns) {
    return columns.stream()
        .map(column -> json(column).apply(row + "." + database.quote(column.name())))
        .collect(Collectors.joining(", ", "JSON_ARRAY(", ")"));
  }

  /** Integers as numbers, byte strings as hexadecimal digits, all others as texts. */
  private static UnaryOperator<String> json(Column column) {
    return value ->
        switch (column.keyType().map(Enum::name).orElse("")) {
          case "INTEGER" -> value;
          case "BYTES" -> "HEX(" + value + ")";
          default -> "CONVERT(CAST(" + value + " AS CHAR) USING utf8mb4)";
        };
  }

  private static String same(List<String> old, List<String> now) {
    return "NOT (" + anyDiffers(old, now, "NOT (%s <=> %s)") + ")";
  }
}
