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
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * On PostgreSQL: a function that takes the lock and checks the row, and for each table one that
 * calls it. They run with the rights of their owner, under whatever search_path: all names are
 * qualified, operators too. A SET clause would do the same and cost as much as the check.
 *
 * <p>An assignment is evaluated without a query of its own; that is why functions are called so.
 */
final class PostgresFence extends FenceObjects {
  // Long because: the text of its functions stands beside what reads it back.

  /** PostgreSQL fires triggers in the order of their names: later than those of users. */
  static final String TRIGGER = "~~shardwright_fence";

  static final String TRUNCATE_TRIGGER = "~~shardwright_truncate";

  private static final int ROW_BEFORE_ALL = 1 | 2 | 4 | 8 | 16;
  private static final int BEFORE_ROW = 1 | 2;
  private static final int BEFORE_TRUNCATE = 2 | 32;

  private static final String TRIGGERS =
      """
      SELECT t.tgname, t.tgenabled, t.tgtype, pg_get_triggerdef(t.oid), p.prosrc, p.prosecdef
      FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid
      WHERE t.tgrelid = to_regclass(quote_ident(?)) AND NOT t.tgisinternal
      ORDER BY t.tgname\
      """;

  private static final String SHARED =
      """
      SELECT prosrc FROM pg_proc WHERE oid = to_regprocedure(?) AND prosecdef\
      """;

  PostgresFence(Optional<Mover> mover) {
    super(PostgresShard.INSTANCE, mover);
  }

  /** A trigger as the server has it. */
  private record Trigger(
      String name, String enabled, int type, String definition, String source, boolean definer) {
    boolean isOwn() {
      return name.equals(TRIGGER) || name.equals(TRUNCATE_TRIGGER);
    }

    boolean fires() {
      return enabled.equals("O") || enabled.equals("A");
    }
  }

  @Override
  boolean hasShared(Connection connection) throws SQLException {
    String schema = schema(connection);
    try (PreparedStatement select = connection.prepareStatement(SHARED)) {
      select.setString(1, schema + Fence.ENTER + "(text, integer)");
      try (ResultSet row = select.executeQuery()) {
        return row.next() && row.getString(1).equals(enterBody(schema));
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
              String schema = schema(c);
              try (Statement statement = c.createStatement()) {
                statement.execute(enter(schema));
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

  private static String schema(Connection connection) throws SQLException {
    return PostgresShard.schema(connection, Fence.BUCKET_TABLE);
  }

  /** The statement that creates it. */
  static String enter(String schema) {
    return "CREATE OR REPLACE FUNCTION "
        + schema
        + Fence.ENTER
        + "(text, integer) RETURNS boolean LANGUAGE plpgsql VOLATILE SECURITY DEFINER"
        + " AS $shardwright$"
        + enterBody(schema)
        + "$shardwright$";
  }

  /**
   * The row is read by a statement after the lock, so that READ COMMITTED sees what is committed
   * then; a snapshot that is older needs FOR SHARE, which fails if the row has changed since.
   */
  private static String enterBody(String schema) {
    return """
    -- %1$s
    DECLARE
      here text;
      state text;
      epoch bigint;
      noted boolean;
      written text;
    BEGIN
      here := pg_catalog.pg_advisory_xact_lock_shared(%2$d,
        ((('x' OPERATOR(pg_catalog.||) pg_catalog.left(pg_catalog.md5($1), 6))::bit(24)::integer
          OPERATOR(pg_catalog./) 2) OPERATOR(pg_catalog.*) %3$d)
        OPERATOR(pg_catalog.+) ($2 OPERATOR(pg_catalog.%%) %3$d))::text;
      IF pg_catalog.left(pg_catalog.current_setting('transaction_isolation'), 5)
          OPERATOR(pg_catalog.=) 'read ' THEN
        SELECT b.state, b.epoch, b.captured, b.incarnation INTO state, epoch, noted, written
          FROM %4$s b
         WHERE b.grp OPERATOR(pg_catalog.=) $1 AND b.bucket OPERATOR(pg_catalog.=) $2;
      ELSE
        SELECT b.state, b.epoch, b.captured, b.incarnation INTO state, epoch, noted, written
          FROM %4$s b
         WHERE b.grp OPERATOR(pg_catalog.=) $1 AND b.bucket OPERATOR(pg_catalog.=) $2 FOR SHARE;
      END IF;
      IF written IS NULL THEN
        RAISE EXCEPTION USING ERRCODE = 'SW001', MESSAGE = pg_catalog.format(
          'SW001: bucket %%s of group %%s has no row in shardwright_bucket on this shard; '
          'correct bucket_id, or run shardwright apply', $2, $1);
      END IF;
      here := %5$s;
      IF written OPERATOR(pg_catalog.<>) here THEN
        RAISE EXCEPTION USING ERRCODE = 'SW002', MESSAGE = pg_catalog.format(
          'SW002: bucket %%s of group %%s was recorded on incarnation %%s of this shard, and this is '
          '%%s: it was failed over, and what it owns has to be compared with the catalog first',
          $2, $1, written, here);
      END IF;
      IF state OPERATOR(pg_catalog.<>) 'open' THEN
        RAISE EXCEPTION USING ERRCODE = 'SW001', MESSAGE = pg_catalog.format(
          'SW001: bucket %%s of group %%s is %%s on this shard at epoch %%s; '
          'read the bucket map again and repeat the transaction on the shard that it names',
          $2, $1, state, epoch);
      END IF;
      here := pg_catalog.set_config('shardwright.fence',
        pg_catalog.concat($1, ':', $2, CASE WHEN noted THEN '+' END), true);
      RETURN noted;
    END
    """
        .formatted(
            RELEASE,
            Fence.LOCK_CLASS,
            Fence.STRIPES,
            schema + Fence.BUCKET_TABLE,
            PostgresShard.INSTANCE.incarnation());
  }

  @Override
  void create(Statement statement, FencedTable table) throws SQLException {
    Connection connection = statement.getConnection();
    String schema = schema(connection);
    String name = database.quote(table.name());
    statement.execute("LOCK TABLE " + name + " IN SHARE ROW EXCLUSIVE MODE");
    if (!database.database().exists(connection, table.captureTable())) {
      statement.execute(
          captureTable(schema, table, database.declaredTypes(connection, table.table())));
    }
    String function = schema + database.quote(function(table));
    statement.execute(
        "CREATE OR REPLACE FUNCTION "
            + function
            + "() RETURNS trigger LANGUAGE plpgsql VOLATILE SECURITY DEFINER AS $shardwright$"
            + body(schema, table)
            + "$shardwright$");
    statement.execute(
        "CREATE OR REPLACE TRIGGER "
            + database.quote(TRIGGER)
            + " BEFORE INSERT OR UPDATE OR DELETE ON "
            + name
            + " FOR EACH ROW"
            + mover.map(m -> " WHEN (" + database.isNot(m) + ")").orElse("")
            + " EXECUTE FUNCTION "
            + function
            + "()");
    statement.execute(
        "CREATE OR REPLACE TRIGGER "
            + database.quote(TRUNCATE_TRIGGER)
            + " BEFORE TRUNCATE ON "
            + name
            + " EXECUTE FUNCTION "
            + function
            + "()");
    for (String trigger : List.of(TRIGGER, TRUNCATE_TRIGGER)) {
      statement.execute(
          "ALTER TABLE " + name + " ENABLE ALWAYS TRIGGER " + database.quote(trigger));
    }
  }

  String captureTable(String schema, FencedTable table, Map<String, String> types) {
    return "CREATE TABLE "
        + schema
        + database.quote(table.captureTable())
        + " (\n"
        + captureColumns(table, types, "n bigint GENERATED ALWAYS AS IDENTITY")
        + ")";
  }

  static String function(FencedTable table) {
    return function(table.name());
  }

  static String function(String table) {
    return ObjectName.fit("shardwright_fence_", table);
  }

  /** Of the trigger function; {@code schema} of Shardwright's tables, with a dot. */
  String body(String schema, FencedTable table) {
    String capture = schema + database.quote(table.captureTable());
    return """
    -- %1$s
    DECLARE
      b integer;
      memo text;
      noted boolean;
    BEGIN
      IF TG_OP OPERATOR(pg_catalog.=) 'TRUNCATE' THEN
        RAISE EXCEPTION USING ERRCODE = '0A000', MESSAGE =
          'SW001: TRUNCATE of table %2$s would not see which buckets are open; use DELETE';
      ELSIF TG_OP OPERATOR(pg_catalog.=) 'DELETE' THEN
        b := OLD.bucket_id;
      ELSE
        b := NEW.bucket_id;
      END IF;
      IF TG_OP OPERATOR(pg_catalog.=) 'UPDATE' THEN
        IF %3$s THEN
          RAISE EXCEPTION USING ERRCODE = '23514', MESSAGE =
            '%4$s';
        END IF;
      END IF;
      memo := pg_catalog.current_setting('shardwright.fence', true);
      IF memo OPERATOR(pg_catalog.=) pg_catalog.concat('%5$s:', b) THEN
        noted := false;
      ELSIF memo OPERATOR(pg_catalog.=) pg_catalog.concat('%5$s:', b, '+') THEN
        noted := true;
      ELSE
        noted := %6$s('%5$s', b);
      END IF;
      IF noted THEN
        IF TG_OP OPERATOR(pg_catalog.=) 'INSERT' THEN
          %8$s
        ELSE
          %7$s
        END IF;
        IF TG_OP OPERATOR(pg_catalog.=) 'UPDATE' THEN
          IF %9$s THEN
            %8$s
          END IF;
        END IF;
      END IF;
      IF TG_OP OPERATOR(pg_catalog.=) 'DELETE' THEN
        RETURN OLD;
      END IF;
      RETURN NEW;
    END
    """
        .formatted(
            RELEASE,
            table.name(),
            differ(Stream.concat(Stream.of(ShardSchema.BUCKET_COLUMN), table.key().stream())),
            keyRefusal(table),
            table.placement(),
            schema + Fence.ENTER,
            note(capture, "OLD", table),
            note(capture, "NEW", table),
            differ(Stream.concat(Stream.of(ShardSchema.BUCKET_COLUMN), keyNames(table))));
  }

  private static Stream<String> keyNames(FencedTable table) {
    return table.primaryKey().stream().map(Column::name);
  }

  /** As records: two row constructors would be compared by operators of the search_path. */
  private String differ(Stream<String> columns) {
    List<String> names = columns.toList();
    return Stream.of("OLD", "NEW")
        .map(
            row ->
                names.stream()
                    .map(column -> field(row, column))
                    .collect(Collectors.joining(", ", "ROW(", ")::record")))
        .collect(Collectors.joining(" OPERATOR(pg_catalog.<>) "));
  }

  @Override
  Condition inspect(Connection connection, FencedTable table) throws SQLException {
    List<Trigger> triggers = triggers(connection, table.name());
    List<Trigger> own = triggers.stream().filter(Trigger::isOwn).toList();
    boolean captures = database.database().exists(connection, table.captureTable());
    if (own.isEmpty() && !captures) {
      return Condition.NONE;
    }
    if (own.size() < 2 || !captures) {
      return Condition.MISSING;
    }
    if (own.stream().anyMatch(trigger -> !trigger.enabled.equals("A"))) {
      return Condition.DISABLED;
    }
    Trigger rows = own.get(0);
    Trigger truncate = own.get(1);
    if (!rows.source.startsWith("-- " + RELEASE + "\n") || !isForMover(rows)) {
      return Condition.OLD;
    }
    boolean asMade =
        rows.type == ROW_BEFORE_ALL
            && truncate.type == BEFORE_TRUNCATE
            && rows.definer
            && rows.source.equals(body(schema(connection), table))
            && truncate.source.equals(rows.source);
    if (!asMade) {
      return Condition.CHANGED;
    }
    return Condition.GOOD;
  }

  private boolean isForMover(Trigger trigger) {
    return mover
        .map(m -> trigger.definition.contains("(SESSION_USER <> '" + m.user() + "'::name)"))
        .orElseGet(() -> !trigger.definition.contains(" WHEN "));
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
