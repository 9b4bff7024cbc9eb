package io.shardwright.schema;

import io.shardwright.catalog.IndexName.Event;
import io.shardwright.config.Configuration.Mover;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Of an index that is not unique on PostgreSQL. */
final class PostgresListObjects extends PostgresIndexObjects {
  private static final Pattern VERSION = Pattern.compile("-- version (\\d+)\\n");
  private static final String NOW = "timestamp(6) with time zone NOT NULL DEFAULT now()";

  private final ListTables tables;

  PostgresListObjects(LookupIndex index, Optional<Mover> mover) {
    super(index, mover);
    this.tables = new ListTables(index, database, "");
  }

  @Override
  List<Relation> relations() {
    return tables.relations();
  }

  @Override
  List<String> shapes(String relation) {
    return tables.shapes(relation);
  }

  @Override
  Map<String, String> tables(Map<String, String> types) {
    Map<String, String> definitions = new LinkedHashMap<>();
    String entry = name().entryTable();
    definitions.put(entry, create(entry, tables.entry(types, NOW).toString(), tables.entryKey()));
    definitions.put(
        name().listView(),
        "CREATE VIEW " + database.quote(name().listView()) + " AS\n  " + tables.view());
    String outbox = name().outboxTable();
    definitions.put(
        outbox,
        create(
            outbox,
            tables
                .outbox(
                    types,
                    "n bigint GENERATED ALWAYS AS IDENTITY",
                    NOW.replace("now()", "clock_timestamp()"),
                    NOW)
                .toString(),
            tables.outboxKey()));
    definitions.put(
        name().deadTable(),
        "CREATE TABLE " + database.quote(name().deadTable()) + tables.dead(types, NOW));
    return definitions;
  }

  private String create(String table, String columns, String key) {
    return "CREATE TABLE %s%s;\nCREATE INDEX %s ON %1$s (%s)"
        .formatted(database.quote(table), columns, database.quote(table + "_k"), key);
  }

  @Override
  Pattern version() {
    return VERSION;
  }

  /** Whoever may write the table tells what changed, without rights of his own on the outbox. */
  @Override
  String rights() {
    return " SECURITY DEFINER SET search_path = pg_catalog, pg_temp";
  }

  @Override
  Optional<String> when(Event event) {
    return switch (event) {
      case INSERT -> Optional.of(isIndexed("NEW"));
      case DELETE -> Optional.of(isIndexed("OLD"));
      case UPDATE ->
          Optional.of(
              differs(told("OLD"), told("NEW"))
                  + " AND ("
                  + isIndexed("OLD")
                  + " OR "
                  + isIndexed("NEW")
                  + ")");
      case TRUNCATE -> Optional.empty();
    };
  }

  private List<String> told(String row) {
    List<String> told = new ArrayList<>(place(row));
    told.addAll(values(row));
    told.addAll(fields(row, index.covering()));
    return told;
  }

  /** By their bytes: texts that are equal by their collation may look different. */
  private static String differs(List<String> old, List<String> now) {
    // As records: two row constructors would be compared field by field.
    return "ROW("
        + String.join(", ", old)
        + ")::record OPERATOR(pg_catalog.*<>) ROW("
        + String.join(", ", now)
        + ")::record";
  }

  /**
   * What is told is the row as it is now, not as the statement left it: a trigger of the user's may
   * have changed it since, and told so already with a smaller number.
   */
  @Override
  String body(String schema, long version) {
    return """
    -- version %d
    BEGIN
      IF TG_OP = 'TRUNCATE' THEN
        RAISE EXCEPTION USING ERRCODE = 'SW419', MESSAGE =
          'SW419: TRUNCATE would leave the entries of lookup index %s; use DELETE';
      END IF;
      IF TG_OP = 'INSERT' THEN
        %s
        RETURN NULL;
      END IF;
      IF TG_OP = 'UPDATE' THEN
        IF %s THEN
          %s
        ELSE
          %s
          RETURN NULL;
        END IF;
      END IF;
      %s
      RETURN NULL;
    END
    """
        .formatted(
            version,
            name().placement(),
            tell(schema, "NEW", false),
            differs(place("OLD"), place("NEW")),
            tell(schema, "NEW", false),
            tell(schema, "NEW", true),
            tell(schema, "OLD", true));
  }

  /** What is at the place of OLD or NEW now; {@code had} an entry by the values of OLD. */
  private String tell(String schema, String row, boolean had) {
    List<String> start = new ArrayList<>(place(row));
    tables.hashed().stream()
        .map(column -> had ? "OLD." + database.quote(column.name()) : "NULL")
        .forEach(start::add);
    List<String> found = new ArrayList<>(start);
    found.add(isIndexed("t"));
    found.addAll(values("t"));
    found.addAll(fields("t", index.covering()));
    List<String> here = place("t");
    List<String> there = place(row);
    String outbox = schema + database.quote(name().outboxTable());
    List<String> columns = tables.changeColumns();
    return """
    INSERT INTO %s (%s) SELECT %s FROM %s t WHERE %s;
        IF NOT FOUND THEN
          INSERT INTO %1$s (%s) VALUES (%s, false);
        END IF;\
    """
        .formatted(
            outbox,
            String.join(", ", columns),
            String.join(", ", found),
            schema + table(),
            IntStream.range(0, here.size())
                .mapToObj(i -> here.get(i) + " = " + there.get(i))
                .collect(Collectors.joining(" AND ")),
            String.join(", ", columns.subList(0, start.size() + 1)),
            String.join(", ", start));
  }
}
