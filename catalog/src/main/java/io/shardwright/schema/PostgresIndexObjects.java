package io.shardwright.schema;

import io.shardwright.catalog.IndexName.Event;
import io.shardwright.config.Configuration.Mover;
import io.shardwright.config.IndexKind;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** On PostgreSQL: one function, called by a trigger for each event after the row was written. */
abstract sealed class PostgresIndexObjects extends IndexObjects
    permits PostgresUniqueObjects, PostgresListObjects {

  private static final String TRIGGERS =
      """
      SELECT t.tgname, p.prosrc, pg_get_triggerdef(t.oid) FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid
      WHERE t.tgrelid = to_regclass(quote_ident(?)) AND t.tgenabled = 'A'\
      """;

  PostgresIndexObjects(LookupIndex index, Optional<Mover> mover) {
    super(index, PostgresShard.INSTANCE, mover);
  }

  static PostgresIndexObjects of(LookupIndex index, Optional<Mover> mover) {
    return index.kind() instanceof IndexKind.Unique
        ? new PostgresUniqueObjects(index, mover)
        : new PostgresListObjects(index, mover);
  }

  @Override
  List<String> fenceFunctions() {
    return PostgresFence.functions(name().entryTable());
  }

  @Override
  Set<Event> events() {
    return EnumSet.allOf(Event.class);
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
            + body(PostgresShard.schema(statement.getConnection(), name().entryTable()), version)
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
              + condition(event)
              + " EXECUTE FUNCTION "
              + function
              + "()");
      statement.execute("ALTER TABLE " + table() + " ENABLE ALWAYS TRIGGER " + trigger);
    }
  }

  private String condition(Event event) {
    List<String> conditions = new ArrayList<>();
    if (event != Event.TRUNCATE) {
      mover.map(database::isNot).ifPresent(conditions::add);
    }
    when(event).map(condition -> "(" + condition + ")").ifPresent(conditions::add);
    return conditions.isEmpty() ? "" : " WHEN (" + String.join(" AND ", conditions) + ")";
  }

  /** As the server prints it. */
  @Override
  boolean exempts(Connection connection, String condition) throws SQLException {
    boolean exempts = true;
    try (PreparedStatement select = connection.prepareStatement(TRIGGERS)) {
      select.setString(1, index.table().name());
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          String name = row.getString(1);
          exempts &=
              events().stream().noneMatch(event -> name.equals(name().trigger(event)))
                  || name.equals(name().trigger(Event.TRUNCATE))
                  || row.getString(3)
                      .toLowerCase(Locale.ROOT)
                      .contains(condition.toLowerCase(Locale.ROOT));
        }
      }
    }
    return exempts;
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
