package io.shardwright.schema;

import io.shardwright.catalog.ObjectName;
import io.shardwright.config.Configuration.Mover;
import io.shardwright.schema.ShardSchema.Column;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * On MariaDB: a trigger for each event, which reads the bucket's row in share mode. It runs after
 * the row was written, when nothing can change it any more, and takes it back by its failure:
 * numbers that AUTO_INCREMENT gives are known then, and any trigger before INSERT or UPDATE makes
 * 11.4 refuse an INSERT ... SELECT of several rows, whose columns it takes for NULL.
 */
final class MariaDbFence extends FenceObjects {
  private static final String TRIGGERS =
      """
      SELECT trigger_name, action_timing, event_manipulation, action_statement
      FROM information_schema.triggers
      WHERE trigger_schema = DATABASE() AND event_object_table = ?
      ORDER BY action_timing, event_manipulation, action_order\
      """;

  MariaDbFence(Optional<Mover> mover) {
    super(MariaDbShard.INSTANCE, mover);
  }

  private record Trigger(String name, String timing, String event, String body) {}

  @Override
  boolean installShared(Connection connection) {
    return false;
  }

  @Override
  boolean hasShared(Connection connection) {
    return true;
  }

  @Override
  void create(Statement statement, FencedTable table) throws SQLException {
    Connection connection = statement.getConnection();
    if (!database.database().exists(connection, table.captureTable())) {
      statement.execute(captureTable(table, database.declaredTypes(connection, table.table())));
    }
    for (Trigger trigger : expected(table)) {
      statement.execute(
          "CREATE OR REPLACE TRIGGER "
              + database.quote(trigger.name)
              + " "
              + trigger.timing
              + " "
              + trigger.event
              + " ON "
              + database.quote(table.name())
              + " FOR EACH ROW "
              + trigger.body);
    }
  }

  String captureTable(FencedTable table, Map<String, String> types) {
    return database
        .database()
        .ownTable(
            "CREATE TABLE "
                + database.quote(table.captureTable())
                + " (\n"
                + captureColumns(table, types, "n bigint NOT NULL AUTO_INCREMENT")
                + ")");
  }

  /** The triggers as they should be. */
  private List<Trigger> expected(FencedTable table) {
    return Stream.of("INSERT", "UPDATE", "DELETE")
        .map(
            event ->
                new Trigger(
                    ObjectName.fit(
                        "~shardwright_" + event.toLowerCase(Locale.ROOT) + "_", table.name()),
                    "AFTER",
                    event,
                    body(event, table)))
        .toList();
  }

  private String body(String event, FencedTable table) {
    String bucket =
        database.field(event.equals("DELETE") ? "OLD" : "NEW", ShardSchema.BUCKET_COLUMN);
    return """
    BEGIN
    /* %1$s */
    DECLARE fence_state varchar(8);
    DECLARE fence_epoch bigint;
    DECLARE fence_noted boolean;
    DECLARE fence_written varchar(40);
    DECLARE fence_message varchar(500);
    %2$s%3$sSELECT state, epoch, captured, incarnation
      INTO fence_state, fence_epoch, fence_noted, fence_written
      FROM shardwright_bucket WHERE grp = '%4$s' AND bucket = %5$s LOCK IN SHARE MODE;
    IF fence_written IS NULL THEN
      SET fence_message = CONCAT(
        'SW001: bucket ', %5$s, ' of %4$s has no row in shardwright_bucket; run shardwright apply');
      SET fence_message = LEFT(fence_message, 128);
      SIGNAL SQLSTATE 'SW001' SET MESSAGE_TEXT = fence_message;
    ELSEIF fence_written <> %6$s THEN
      SET fence_message = CONCAT('SW002: bucket ', %5$s, ' of %4$s: recorded by server_id ',
        fence_written, ', this is ', @@server_id, '; compare it with the catalog');
      SET fence_message = LEFT(fence_message, 128);
      SIGNAL SQLSTATE 'SW002' SET MESSAGE_TEXT = fence_message;
    ELSEIF fence_state <> 'open' THEN
      SET fence_message = CONCAT('SW001: bucket ', %5$s, ' of %4$s is ', fence_state, ' at epoch ',
        fence_epoch, '; read the map again and repeat');
      SET fence_message = LEFT(fence_message, 128);
      SIGNAL SQLSTATE 'SW001' SET MESSAGE_TEXT = fence_message;
    END IF;
    %7$s%8$sEND"""
        .formatted(
            RELEASE,
            mover.map(m -> "IF " + database.isNot(m) + " THEN\n").orElse(""),
            event.equals("UPDATE") ? refuseChange(table) : "",
            table.placement(),
            bucket,
            database.incarnation(),
            notes(event, table),
            mover.map(m -> "END IF;\n").orElse(""));
  }

  private String refuseChange(FencedTable table) {
    String same = same(Stream.concat(Stream.of(ShardSchema.BUCKET_COLUMN), table.key().stream()));
    String message = keyRefusal(table);
    return """
    IF NOT (%s) THEN
      SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = '%s';
    END IF;
    """
        .formatted(same, message.substring(0, Math.min(message.length(), 128)));
  }

  private String notes(String event, FencedTable table) {
    String capture = database.quote(table.captureTable());
    String old = "  " + note(database, capture, "OLD", table) + "\n";
    String now = "  " + note(database, capture, "NEW", table) + "\n";
    return switch (event) {
      case "INSERT" -> "IF fence_noted THEN\n" + now + "END IF;\n";
      case "DELETE" -> "IF fence_noted THEN\n" + old + "END IF;\n";
      default ->
          "IF fence_noted THEN\n"
              + old
              + "  IF NOT ("
              + same(table.primaryKey().stream().map(Column::name))
              + ") THEN\n  "
              + now
              + "  END IF;\nEND IF;\n";
    };
  }

  private String same(Stream<String> columns) {
    return columns
        .map(column -> database.field("OLD", column) + " <=> " + database.field("NEW", column))
        .collect(Collectors.joining(" AND "));
  }

  @Override
  Condition inspect(Connection connection, FencedTable table) throws SQLException {
    List<Trigger> found = triggers(connection, table.name());
    Map<String, Trigger> own = new LinkedHashMap<>();
    List<Trigger> expected = expected(table);
    for (Trigger trigger : found) {
      if (expected.stream().anyMatch(e -> e.name.equals(trigger.name))) {
        own.put(trigger.name, trigger);
      }
    }
    boolean captures = database.database().exists(connection, table.captureTable());
    if (own.isEmpty() && !captures) {
      return Condition.NONE;
    }
    if (own.size() < expected.size() || !captures) {
      return Condition.MISSING;
    }
    for (Trigger trigger : expected) {
      Trigger actual = own.get(trigger.name);
      if (!actual.body.contains("/* " + RELEASE + " */") || !isForMover(actual)) {
        return Condition.OLD;
      }
      if (!actual.equals(trigger)) {
        return Condition.CHANGED;
      }
    }
    return Condition.GOOD;
  }

  private boolean isForMover(Trigger trigger) {
    return mover.map(m -> trigger.body.contains(database.isNot(m))).orElse(true)
        && trigger.body.contains("USER()") == mover.isPresent();
  }

  /** What fires after it finds the row as it is. */
  @Override
  List<String> later(Connection connection, FencedTable table) {
    return List.of();
  }

  /** Its body does not ask who is logged in. */
  @Override
  List<String> firingOnCopies(Connection connection, FencedTable table) throws SQLException {
    if (mover.isEmpty()) {
      return List.of();
    }
    List<String> own = expected(table).stream().map(Trigger::name).toList();
    return triggers(connection, table.name()).stream()
        .filter(trigger -> !own.contains(trigger.name))
        .filter(trigger -> !trigger.name.startsWith("!shardwright_"))
        .filter(
            trigger ->
                !(trigger.body.contains("USER()") && trigger.body.contains(mover.get().user())))
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
              new Trigger(row.getString(1), row.getString(2), row.getString(3), row.getString(4)));
        }
      }
    }
    return triggers;
  }
}
