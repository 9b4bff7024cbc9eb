package io.shardwright.schema;

import io.shardwright.catalog.IndexName.Event;
import io.shardwright.config.IndexKind;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** On PostgreSQL: one function, called by a trigger for each event after the row was written. */
abstract sealed class PostgresIndexObjects extends IndexObjects
    permits PostgresUniqueObjects, PostgresListObjects {

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

  static PostgresIndexObjects of(LookupIndex index) {
    return index.kind() instanceof IndexKind.Unique
        ? new PostgresUniqueObjects(index)
        : new PostgresListObjects(index);
  }

  @Override
  Set<Event> events() {
    return EnumSet.allOf(Event.class);
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

  @Override
  Map<Event, Long> triggers(Connection connection) throws SQLException {
    Map<Event, Long> triggers = new EnumMap<>(Event.class);
    try (PreparedStatement select = connection.prepareStatement(TRIGGERS)) {
      select.setString(1, index.table().name());
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          Matcher version = version().matcher(row.getString(2));
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
            + "() RETURNS trigger LANGUAGE plpgsql"
            + rights()
            + " AS $shardwright$\n"
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
              + when(event).map(condition -> " WHEN (" + condition + ")").orElse("")
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
      select.setString(1, name().entryTable());
      try (ResultSet row = select.executeQuery()) {
        row.next();
        return row.getString(1);
      }
    }
  }

  /** How a body tells its version: the first group. */
  abstract Pattern version();

  /** With whose rights the function runs, with a blank before it. */
  abstract String rights();

  /** The condition on which a trigger fires. */
  abstract Optional<String> when(Event event);

  /**
   * Of the function.
   *
   * @param schema of the tables, with a dot
   */
  abstract String body(String schema, long version);
}
