package io.shardwright.schema;

import io.shardwright.catalog.ObjectName;
import io.shardwright.config.Configuration.Mover;
import io.shardwright.schema.PostgresFenceFunctions.Event;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * On PostgreSQL: a function that takes the lock and checks the row, and for each table and event
 * one that does so in fewer steps, or calls it.
 */
final class PostgresFence extends FenceObjects {
  /** PostgreSQL fires triggers in the order of their names: later than those of users. */
  static final String TRIGGER = "~~shardwright_fence";

  static final String TRUNCATE_FUNCTION = "shardwright_refuse_truncate";

  /** Of another release: it was that of all events. */
  private static final String OLD_FUNCTION = "shardwright_fence_";

  private static final int BEFORE_ROW = 1 | 2;

  private static final String TRIGGERS =
      """
      SELECT t.tgname, t.tgenabled, t.tgtype, pg_get_triggerdef(t.oid), p.prosrc, p.prosecdef
      FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid
      WHERE t.tgrelid = to_regclass(quote_ident(?)) AND NOT t.tgisinternal
      ORDER BY t.tgname\
      """;

  private static final String SHARED =
      """
      SELECT count(*) FROM (VALUES (?, ?), (?, ?)) wanted(name, body)
      JOIN pg_proc ON oid = to_regprocedure(wanted.name)
      WHERE prosrc = wanted.body AND prosecdef\
      """;

  PostgresFence(Optional<Mover> mover) {
    super(PostgresShard.INSTANCE, mover);
  }

  /** Its triggers, each with what it fires on, as pg_trigger tells it. */
  private enum Own {
    /** It keeps the name of the trigger that an older release had for all events. */
    ROW_INSERT(TRIGGER, "INSERT", BEFORE_ROW | 4),
    ROW_UPDATE(TRIGGER + "_update", "UPDATE", BEFORE_ROW | 16),
    ROW_DELETE(TRIGGER + "_delete", "DELETE", BEFORE_ROW | 8),
    TRUNCATE("~~shardwright_truncate", "TRUNCATE", 2 | 32);

    private final String trigger;
    private final String event;
    private final int type;

    Own(String trigger, String event, int type) {
      this.trigger = trigger;
      this.event = event;
      this.type = type;
    }

    private static Optional<Own> named(String trigger) {
      return Stream.of(values()).filter(own -> own.trigger.equals(trigger)).findFirst();
    }

    private boolean ofRows() {
      return this != TRUNCATE;
    }

    private String body(PostgresFenceFunctions functions, FencedTable table) {
      return ofRows()
          ? functions.checkBody(Event.valueOf(event), table)
          : functions.refuseTruncateBody();
    }
  }

  /** A trigger as the server has it. */
  private record Trigger(
      String name, String enabled, int type, String definition, String source, boolean definer) {
    boolean isOwn() {
      return Own.named(name).isPresent();
    }

    boolean fires() {
      return enabled.equals("O") || enabled.equals("A");
    }
  }

  @Override
  boolean hasShared(Connection connection) throws SQLException {
    PostgresFenceFunctions functions = functions(connection);
    try (PreparedStatement select = connection.prepareStatement(SHARED)) {
      select.setString(1, functions.schema() + Fence.ENTER + "(text, integer)");
      select.setString(2, functions.enterBody());
      select.setString(3, functions.schema() + TRUNCATE_FUNCTION + "()");
      select.setString(4, functions.refuseTruncateBody());
      try (ResultSet row = select.executeQuery()) {
        row.next();
        return row.getInt(1) == 2;
      }
    }
  }

  @Override
  boolean installShared(Connection connection) throws SQLException {
    if (hasShared(connection)) {
      return false;
    }
    return database
        .database()
        .locked(
            connection,
            c -> {
              if (hasShared(c)) {
                return false;
              }
              PostgresFenceFunctions functions = functions(c);
              String schema = functions.schema();
              try (Statement statement = c.createStatement()) {
                statement.execute(functions.enter());
                statement.execute(functions.refuseTruncate());
                statement.execute(
                    "GRANT EXECUTE ON FUNCTION "
                        + schema
                        + Fence.ENTER
                        + "(text, integer) TO PUBLIC");
                statement.execute("GRANT SELECT ON " + schema + Fence.BUCKET_TABLE + " TO PUBLIC");
              }
              return true;
            });
  }

  private PostgresFenceFunctions functions(Connection connection) throws SQLException {
    return new PostgresFenceFunctions(PostgresShard.schema(connection, Fence.BUCKET_TABLE), mover);
  }

  @Override
  void create(Statement statement, FencedTable table) throws SQLException {
    Connection connection = statement.getConnection();
    PostgresFenceFunctions functions = functions(connection);
    String schema = functions.schema();
    String name = database.quote(table.name());
    statement.execute("LOCK TABLE " + name + " IN SHARE ROW EXCLUSIVE MODE");
    if (!database.database().exists(connection, table.captureTable())) {
      statement.execute(
          captureTable(schema, table, database.declaredTypes(connection, table.table())));
    }
    for (Event event : Event.values()) {
      statement.execute(functions.check(event, table));
    }
    for (Own own : Own.values()) {
      String trigger = database.quote(own.trigger);
      statement.execute(
          "CREATE OR REPLACE TRIGGER "
              + trigger
              + " BEFORE "
              + own.event
              + " ON "
              + name
              + (own.ofRows() ? " FOR EACH ROW" : "")
              + " EXECUTE FUNCTION "
              + schema
              + (own.ofRows()
                  ? database.quote(Event.valueOf(own.event).function(table.name()))
                  : TRUNCATE_FUNCTION)
              + "()");
      statement.execute("ALTER TABLE " + name + " ENABLE ALWAYS TRIGGER " + trigger);
    }
    statement.execute(
        "DROP FUNCTION IF EXISTS "
            + schema
            + database.quote(ObjectName.fit(OLD_FUNCTION, table.name()))
            + "()");
  }

  /** All that may be there of a table, those of older releases too. */
  static List<String> functions(String table) {
    return Stream.concat(
            Stream.of(ObjectName.fit(OLD_FUNCTION, table)),
            Stream.of(Event.values()).map(event -> event.function(table)))
        .toList();
  }

  String captureTable(String schema, FencedTable table, Map<String, String> types) {
    return "CREATE TABLE "
        + schema
        + database.quote(table.captureTable())
        + " (\n"
        + captureColumns(table, types, "n bigint GENERATED ALWAYS AS IDENTITY")
        + ")";
  }

  @Override
  Condition inspect(Connection connection, FencedTable table) throws SQLException {
    List<Trigger> triggers = triggers(connection, table.name());
    List<Trigger> own = triggers.stream().filter(Trigger::isOwn).toList();
    boolean captures = database.database().exists(connection, table.captureTable());
    if (own.isEmpty() && !captures) {
      return Condition.NONE;
    }
    if (own.stream().anyMatch(trigger -> isOld(trigger))) {
      return Condition.OLD;
    }
    if (own.size() < Own.values().length || !captures) {
      return Condition.MISSING;
    }
    if (own.stream().anyMatch(trigger -> !trigger.enabled.equals("A"))) {
      return Condition.DISABLED;
    }
    PostgresFenceFunctions functions = functions(connection);
    boolean asMade = own.stream().allMatch(trigger -> isAsMade(trigger, functions, table));
    return asMade ? Condition.GOOD : Condition.CHANGED;
  }

  private boolean isOld(Trigger trigger) {
    boolean here = trigger.source.startsWith("-- " + RELEASE + "\n");
    boolean forMover =
        mover
            .map(m -> trigger.source.contains(PostgresFenceFunctions.isMover(m)))
            .orElseGet(() -> !trigger.source.contains("session_user"));
    return !here || !(forMover || Own.named(trigger.name).equals(Optional.of(Own.TRUNCATE)));
  }

  private static boolean isAsMade(
      Trigger trigger, PostgresFenceFunctions functions, FencedTable table) {
    Own own = Own.named(trigger.name).orElseThrow();
    return trigger.type == own.type
        && trigger.definer
        && !trigger.definition.contains(" WHEN ")
        && trigger.source.equals(own.body(functions, table));
  }

  @Override
  List<String> later(Connection connection, FencedTable table) throws SQLException {
    return later(triggers(connection, table.name()));
  }

  private static List<String> later(List<Trigger> triggers) {
    return triggers.stream()
        .filter(trigger -> !trigger.isOwn() && trigger.fires())
        .filter(trigger -> (trigger.type & (BEFORE_ROW | 64)) == BEFORE_ROW)
        .map(Trigger::name)
        .filter(name -> name.compareTo(TRIGGER) > 0)
        .toList();
  }

  /** Neither its condition nor its function asks who is logged in. */
  @Override
  List<String> firingOnCopies(Connection connection, FencedTable table) throws SQLException {
    if (mover.isEmpty()) {
      return List.of();
    }
    String user = "'" + mover.get().user() + "'";
    return triggers(connection, table.name()).stream()
        .filter(trigger -> !trigger.isOwn() && trigger.fires())
        .filter(trigger -> !trigger.name.startsWith("!shardwright_"))
        .filter(
            trigger ->
                Stream.of(trigger.definition, trigger.source)
                    .noneMatch(
                        text ->
                            text.toLowerCase(Locale.ROOT).contains("session_user")
                                && text.contains(user)))
        .map(Trigger::name)
        .toList();
  }

  private static List<Trigger> triggers(Connection connection, String table) throws SQLException {
    List<Trigger> triggers = new ArrayList<>();
    try (PreparedStatement select = connection.prepareStatement(TRIGGERS)) {
      select.setString(1, table);
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          triggers.add(
              new Trigger(
                  row.getString(1),
                  row.getString(2),
                  row.getInt(3),
                  row.getString(4),
                  row.getString(5),
                  row.getBoolean(6)));
        }
      }
    }
    return triggers;
  }
}
