package io.shardwright.schema;

import io.shardwright.catalog.IndexName.Event;
import io.shardwright.config.Configuration.Mover;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.regex.Pattern;

/** Of a unique index on PostgreSQL. */
final class PostgresUniqueObjects extends PostgresIndexObjects {
  private static final Pattern VERSION = Pattern.compile("::bigint < (\\d+) THEN");

  private final UniqueTables tables;

  PostgresUniqueObjects(LookupIndex index, Optional<Mover> mover) {
    super(index, mover);
    this.tables = new UniqueTables(index);
  }

  @Override
  List<Relation> relations() {
    return List.of(
        Relation.table(name().entryTable()),
        Relation.table(name().claimTable()),
        Relation.table(name().changeTable()));
  }

  @Override
  List<String> shapes(String relation) {
    return tables.shapes(relation);
  }

  /** Claims and changes end with their transaction: a crash may empty their tables. */
  @Override
  Map<String, String> tables(Map<String, String> types) {
    Map<String, String> definitions =
        tables.definitions(types, "timestamp(6) with time zone", "now()");
    StringJoiner change = lines();
    change.add("owner xid8 NOT NULL").add("n bigint GENERATED ALWAYS AS IDENTITY");
    change.add("row_bucket integer NOT NULL");
    columns("p", index.primaryKey(), types, " NOT NULL").forEach(change::add);
    columns("old", index.columns(), types, "").forEach(change::add);
    columns("new", index.columns(), types, "").forEach(change::add);
    change.add("PRIMARY KEY (owner, n)");
    definitions.put(name().changeTable(), change.toString());
    definitions.replaceAll(
        (table, columns) ->
            (table.equals(name().entryTable()) ? "CREATE TABLE " : "CREATE UNLOGGED TABLE ")
                + database.quote(table)
                + columns);
    return definitions;
  }

  @Override
  Pattern version() {
    return VERSION;
  }

  /** Those of who writes. */
  @Override
  String rights() {
    return "";
  }

  @Override
  Optional<String> when(Event event) {
    return event == Event.UPDATE ? Optional.of(changed()) : Optional.empty();
  }

  private String changed() {
    return anyDiffers(place("OLD"), place("NEW"), "%s IS DISTINCT FROM %s")
        + " OR "
        + anyDiffers(values("OLD"), values("NEW"), "%s IS DISTINCT FROM %s");
  }

  /**
   * An INSERT that a trigger of the user makes is not seen by the driver as one, so it has to be
   * asked for as an UPDATE has.
   */
  @Override
  String body(String schema, long version) {
    String claims = schema + database.quote(name().claimTable());
    return """
    DECLARE
      had boolean := false;
      has boolean := false;
      asked boolean := COALESCE(current_setting('shardwright.changes', true), '') = 'on';
    BEGIN
      IF TG_OP = 'TRUNCATE' THEN
        RAISE EXCEPTION USING ERRCODE = 'SW419', MESSAGE =
          'SW419: TRUNCATE would leave the entries of lookup index %1$s; use DELETE';
      END IF;
      IF COALESCE(NULLIF(current_setting('shardwright.index', true), ''), '0')::bigint < %2$d THEN
        RAISE EXCEPTION USING ERRCODE = 'SW419', MESSAGE =
          'SW419: lookup index %1$s is not maintained by this session; write through the driver';
      END IF;
      IF TG_OP <> 'INSERT' THEN
        had := %3$s;
      END IF;
      IF TG_OP <> 'DELETE' THEN
        has := %4$s;
      END IF;
      IF has AND NOT asked AND (TG_OP = 'UPDATE' OR pg_trigger_depth() > 1)
          OR had AND NOT asked AND TG_OP = 'UPDATE' THEN
        RAISE EXCEPTION USING ERRCODE = 'SW419', MESSAGE =
          'SW419: lookup index %1$s changes by a trigger or function that the driver does not see';
      END IF;
      IF had THEN
        %5$s
      END IF;
      IF has THEN
        %6$s
      END IF;
      IF asked AND TG_OP = 'UPDATE' THEN
        IF NOT (%7$s) THEN
          IF had OR has THEN
            %8$s
          END IF;
          RETURN NULL;
        END IF;
      END IF;
      IF asked AND had THEN
        %9$s
      END IF;
      IF asked AND has THEN
        %10$s
      END IF;
      RETURN NULL;
    END
    """
        .formatted(
            name().placement(),
            version,
            isIndexed("OLD"),
            isIndexed("NEW"),
            tables.claim(claims, values("OLD")),
            tables.claim(claims, values("NEW")),
            anyDiffers(place("OLD"), place("NEW"), "%s IS DISTINCT FROM %s"),
            change(schema, "NEW", "CASE WHEN had THEN %s END", "CASE WHEN has THEN %s END"),
            change(schema, "OLD", "%s", "NULL"),
            change(schema, "NEW", "NULL", "%s"));
  }

  /** One row of the change table; {@code old} and {@code now} are forms of a value. */
  private String change(String schema, String place, String old, String now) {
    StringJoiner values = new StringJoiner(", ");
    values.add("pg_current_xact_id()");
    place(place).forEach(values::add);
    values("OLD").forEach(value -> values.add(old.formatted(value)));
    values("NEW").forEach(value -> values.add(now.formatted(value)));
    StringJoiner columns = new StringJoiner(", ", "(", ")");
    columns.add("owner").add("row_bucket");
    numbered("p", index.primaryKey().size()).forEach(columns::add);
    columns.add(tables.list("old")).add(tables.list("new"));
    return "INSERT INTO "
        + schema
        + database.quote(name().changeTable())
        + " "
        + columns
        + " VALUES ("
        + values
        + ");";
  }
}
