package io.shardwright.schema;

import io.shardwright.catalog.IndexName.Event;
import io.shardwright.schema.ShardSchema.Collation;
import io.shardwright.schema.ShardSchema.Column;
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
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** On MariaDB: a trigger for each event, and no table of changes. */
final class MariaDbIndexObjects extends IndexObjects {
  private static final Pattern VERSION = Pattern.compile("@shardwright_index, 0\\) < (\\d+) THEN");

  private static final String TRIGGERS =
      """
      SELECT trigger_name, action_statement FROM information_schema.triggers
      WHERE trigger_schema = DATABASE() AND event_object_table = ?\
      """;

  MariaDbIndexObjects(LookupIndex index) {
    super(index, MariaDbShard.INSTANCE);
  }

  @Override
  Set<Event> events() {
    return EnumSet.of(Event.INSERT, Event.UPDATE, Event.DELETE);
  }

  @Override
  List<String> tableNames() {
    return List.of(name().entryTable(), name().claimTable());
  }

  @Override
  Map<String, String> types(Connection connection) {
    Map<String, String> types = new HashMap<>();
    for (Column column : index.table().columns()) {
      types.put(
          column.name(),
          column.type()
              + column.collation().map(Collation::name).map(c -> " COLLATE " + c).orElse(""));
    }
    return types;
  }

  @Override
  Map<String, String> tables(Map<String, String> types) {
    Map<String, String> tables =
        tables(types, "timestamp(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6)");
    tables.replaceAll(
        (table, columns) ->
            database.database().ownTable("CREATE TABLE " + database.quote(table) + columns));
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

  /** Each statement of DDL is a transaction, and waits for those that use the table. */
  @Override
  void bounded(Connection connection, Duration lockWait, Work work) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      database.database().limitLockWait(statement, lockWait);
      work.run(statement);
    }
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
              + " FOR EACH ROW\nBEGIN\n"
              + body(event, version)
              + "END");
    }
  }

  @Override
  void dropTriggers(Statement statement) throws SQLException {
    for (Event event : events()) {
      statement.execute("DROP TRIGGER IF EXISTS " + database.quote(name().trigger(event)));
    }
  }

  private String body(Event event, long version) {
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
          guard + when(allNotNull("NEW"), claim("NEW") + tell("NEW", "NULL", array("NEW")));
      case DELETE ->
          guard + when(allNotNull("OLD"), claim("OLD") + tell("OLD", array("OLD"), "NULL"));
      case UPDATE ->
          when(
              "NOT ("
                  + same(place("OLD"), place("NEW"))
                  + " AND "
                  + same(values("OLD"), values("NEW"))
                  + ") AND ("
                  + allNotNull("OLD")
                  + " OR "
                  + allNotNull("NEW")
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
        + when(allNotNull("OLD"), claim("OLD"))
        + when(allNotNull("NEW"), claim("NEW"))
        + "IF "
        + same(place("OLD"), place("NEW"))
        + " AND "
        + allNotNull("OLD")
        + " AND "
        + allNotNull("NEW")
        + " THEN\n"
        + tell("NEW", array("OLD"), array("NEW"))
        + "ELSE\n"
        + when(allNotNull("OLD"), tell("OLD", array("OLD"), "NULL"))
        + when(allNotNull("NEW"), tell("NEW", "NULL", array("NEW")))
        + "END IF;\n";
  }

  private static String when(String condition, String statements) {
    return "IF " + condition + " THEN\n" + statements + "END IF;\n";
  }

  private String claim(String row) {
    return claim(database.quote(name().claimTable()), row) + "\n";
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
