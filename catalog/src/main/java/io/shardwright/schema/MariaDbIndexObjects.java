package io.shardwright.schema;

import io.shardwright.catalog.IndexName.Event;
import io.shardwright.config.Configuration.Mover;
import io.shardwright.config.IndexKind;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** On MariaDB: a trigger for each event. */
abstract sealed class MariaDbIndexObjects extends IndexObjects
    permits MariaDbUniqueObjects, MariaDbListObjects {
  /** What {@link #block} puts around a body. */
  private static final Pattern AROUND = Pattern.compile("BEGIN\n(IF [^\n]* THEN\nEND IF;\n)?END");

  private static final String TRIGGERS =
      """
      SELECT trigger_name, action_statement FROM information_schema.triggers
      WHERE trigger_schema = DATABASE() AND event_object_table = ?\
      """;

  MariaDbIndexObjects(LookupIndex index, Optional<Mover> mover) {
    super(index, MariaDbShard.INSTANCE, mover);
  }

  static MariaDbIndexObjects of(LookupIndex index, Optional<Mover> mover) {
    return index.kind() instanceof IndexKind.Unique
        ? new MariaDbUniqueObjects(index, mover)
        : new MariaDbListObjects(index, mover);
  }

  /** As apply makes Shardwright's own tables. */
  final String createTable(String table, String columns) {
    return database.database().ownTable("CREATE TABLE " + database.quote(table) + columns);
  }

  @Override
  List<String> fenceFunctions() {
    return List.of();
  }

  @Override
  Set<Event> events() {
    return EnumSet.of(Event.INSERT, Event.UPDATE, Event.DELETE);
  }

  /** Those of another release that do something else do not count: they are made anew. */
  @Override
  Map<Event, Long> triggers(Connection connection) throws SQLException {
    Map<Event, Long> triggers = new EnumMap<>(Event.class);
    try (PreparedStatement select = connection.prepareStatement(TRIGGERS)) {
      select.setString(1, index.table().name());
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          Matcher version = version().matcher(row.getString(2));
          for (Event event : events()) {
            if (row.getString(1).equals(name().trigger(event))
                && version.find(0)
                && isOwn(row.getString(2), body(event, Long.parseLong(version.group(1))))) {
              triggers.put(event, Long.valueOf(version.group(1)));
            }
          }
        }
      }
    }
    return triggers;
  }

  /** Whether or not it leaves a mover alone: {@link #exempts} tells which one. */
  private static boolean isOwn(String block, String body) {
    return block.contains(body) && AROUND.matcher(block.replace(body, "")).matches();
  }

  @Override
  void createTriggers(Statement statement, long version) throws SQLException {
    for (Event event : events()) {
      statement.execute(
          "CREATE OR REPLACE TRIGGER "
              + database.quote(name().trigger(event))
              + " AFTER "
              + event
              + " ON "
              + table()
              + " FOR EACH ROW\n"
              + block(event, version));
    }
  }

  private String block(Event event, long version) {
    return "BEGIN\n"
        + mover
            .map(m -> when(database.isNot(m), body(event, version)))
            .orElseGet(() -> body(event, version))
        + "END";
  }

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
                  || row.getString(2).contains(condition);
        }
      }
    }
    return exempts;
  }

  @Override
  void dropTriggers(Statement statement) throws SQLException {
    for (Event event : events()) {
      statement.execute("DROP TRIGGER IF EXISTS " + database.quote(name().trigger(event)));
    }
  }

  static String when(String condition, String statements) {
    return "IF " + condition + " THEN\n" + statements + "END IF;\n";
  }

  /** How a body tells its version: the first group. */
  abstract Pattern version();

  /** What a trigger does. */
  abstract String body(Event event, long version);
}
