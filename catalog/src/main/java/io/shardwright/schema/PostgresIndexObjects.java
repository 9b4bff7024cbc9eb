package io.shardwright.schema;

import io.shardwright.catalog.IndexName.Event;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** On PostgreSQL: one function, called by a trigger for each event after the row was written. */
final class PostgresIndexObjects extends IndexObjects {
  private static final Pattern VERSION = Pattern.compile("::bigint < (\\d+) THEN");

  private static final String TYPES =
      """
      SELECT a.attname, format_type(a.atttypid, a.atttypmod)
        || CASE WHEN a.attcollation <> t.typcollation
             THEN format(' COLLATE %I.%I', n.nspname, o.collname) ELSE '' END
      FROM pg_attribute a
      JOIN pg_type t ON t.oid = a.atttypid
      LEFT JOIN pg_collation o ON o.oid = a.attcollation
      LEFT JOIN pg_namespace n ON n.oid = o.collnamespace
      WHERE a.attrelid = to_regclass(quote_ident(?)) AND a.attnum > 0 AND NOT a.attisdropped\
      """;

  private static final String TRIGGERS =
      """
      SELECT t.tgname, p.prosrc FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid
      WHERE t.tgrelid = to_regclass(quote_ident(?)) AND t.tgenabled = 'A'\
      """;

  /** Names that it was created with: a session may find other tables by the same names. */
  private static final String SCHEMA =
      """
      SELECT (SELECT quote_ident(n.nspname) || '.' FROM pg_class c
                JOIN pg_namespace n ON n.oid = c.relnamespace
               WHERE c.oid = to_regclass(quote_ident(?)))\
      """;

  PostgresIndexObjects(LookupIndex index) {
    super(index, PostgresShard.INSTANCE);
  }

  @Override
  Set<Event> events() {
    return EnumSet.allOf(Event.class);
  }

  @Override
  List<String> tableNames() {
    return List.of(name().entryTable(), name().claimTable(), name().changeTable());
  }

  @Override
  Map<String, String> types(Connection connection) throws SQLException {
    Map<String, String> types = new HashMap<>();
    try (PreparedStatement select = connection.prepareStatement(TYPES)) {
      select.setString(1, index.table().name());
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          types.put(row.getString(1), row.getString(2));
        }
      }
    }
    return types;
  }

  /** Claims and changes end with their transaction: a crash may empty their tables. */
  @Override
  Map<String, String> tables(Map<String, String> types) {
    Map<String, String> tables =
        tables(types, "timestamp(6) with time zone NOT NULL DEFAULT now()");
    StringJoiner change = lines();
    change.add("owner xid8 NOT NULL").add("n bigint GENERATED ALWAYS AS IDENTITY");
    change.add("row_bucket integer NOT NULL");
    columns("p", index.primaryKey(), types, " NOT NULL").forEach(change::add);
    columns("old", index.columns(), types, "").forEach(change::add);
    columns("new", index.columns(), types, "").forEach(change::add);
    change.add("PRIMARY KEY (owner, n)");
    tables.put(name().changeTable(), change.toString());
    tables.replaceAll(
        (table, columns) ->
            (table.equals(name().entryTable()) ? "CREATE TABLE " : "CREATE UNLOGGED TABLE ")
                + database.quote(table)
                + columns);
    return tables;
  }

  @Override
  Map<Event, Long> triggers(Connection connection) throws SQLException {
    Map<Event, Long> triggers = new EnumMap<>(Event.class);
    try (PreparedStatement select = connection.prepareStatement(TRIGGERS)) {
      select.setString(1, index.table().name());
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          Matcher version = VERSION.matcher(row.getString(2));
          for (Event event : events()) {
            if (row.getString(1).equals(name().trigger(event)) && version.find(0)) {
              triggers.put(event, Long.valueOf(version.group(1)));
            }
          }
        }
      }
    }
    return triggers;
  }

  @Override
  void bounded(Connection connection, Duration lockWait, Work work) throws SQLException {
    database
        .database()
        .locked(
            connection,
            c -> {
              try (Statement statement = c.createStatement()) {
                statement.execute("SET LOCAL lock_timeout = " + lockWait.toMillis());
                work.run(statement);
              }
              return null;
            });
  }

  /** The lock that each CREATE TRIGGER needs is taken once, before all of them. */
  @Override
  void createTriggers(Statement statement, long version) throws SQLException {
    statement.execute("LOCK TABLE " + table() + " IN SHARE ROW EXCLUSIVE MODE");
    String function = database.quote(name().function());
    statement.execute(
        "CREATE OR REPLACE FUNCTION "
            + function
            + "() RETURNS trigger LANGUAGE plpgsql AS $shardwright$\n"
            + body(schema(statement), version)
            + "$shardwright$");
    for (Event event : events()) {
      String trigger = database.quote(name().trigger(event));
      statement.execute(
          "CREATE OR REPLACE TRIGGER "
              + trigger
              + (event == Event.TRUNCATE ? " BEFORE " : " AFTER ")
              + event
              + " ON "
              + table()
              + (event == Event.TRUNCATE ? "" : " FOR EACH ROW")
              + (event == Event.UPDATE ? " WHEN (" + changed() + ")" : "")
              + " EXECUTE FUNCTION "
              + function
              + "()");
      statement.execute("ALTER TABLE " + table() + " ENABLE ALWAYS TRIGGER " + trigger);
    }
  }

  @Override
  void dropTriggers(Statement statement) throws SQLException {
    statement.execute("LOCK TABLE " + table() + " IN ACCESS EXCLUSIVE MODE");
    for (Event event : events()) {
      statement.execute(
          "DROP TRIGGER IF EXISTS " + database.quote(name().trigger(event)) + " ON " + table());
    }
    statement.execute("DROP FUNCTION IF EXISTS " + database.quote(name().function()) + "()");
  }

  /** Of the entry table, with a dot. */
  private String schema(Statement statement) throws SQLException {
    try (PreparedStatement select = statement.getConnection().prepareStatement(SCHEMA)) {
      select.setString(1, name().claimTable());
      try (ResultSet row = select.executeQuery()) {
        row.next();
        return row.getString(1);
      }
    }
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
  private String body(String schema, long version) {
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
            allNotNull("OLD"),
            allNotNull("NEW"),
            claim(claims, "OLD"),
            claim(claims, "NEW"),
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
    for (int i = 1; i <= index.primaryKey().size(); i++) {
      columns.add("p" + i);
    }
    columns.add(list("old%d")).add(list("new%d"));
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
