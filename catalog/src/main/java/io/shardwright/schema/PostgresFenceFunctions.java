package io.shardwright.schema;

import static io.shardwright.schema.ShardSchema.BUCKET_COLUMN;

import io.shardwright.catalog.ObjectName;
import io.shardwright.config.Configuration.Mover;
import io.shardwright.schema.ShardSchema.Column;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The texts of the functions that a shard on PostgreSQL runs for each written row. They run with
 * the rights of their owner, under whatever search_path: all names are qualified, operators too. A
 * SET clause would do the same and cost as much as the check.
 *
 * <p>What they cost is the number of their statements: PL/pgSQL prepares every expression anew in
 * every transaction, and a query takes five times the time of all else. So each event has a
 * function of its own; a row of the bucket that the transaction has checked last evaluates one
 * expression, and the first row of a bucket three and a query. The mover is let pass in there: a
 * WHEN clause of the trigger would be read and planned by each statement, which takes as long as
 * the whole check.
 *
 * @param schema of Shardwright's tables, with a dot
 */
record PostgresFenceFunctions(String schema, Optional<Mover> mover) {
  private static final PostgresShard DATABASE = PostgresShard.INSTANCE;

  private static final String MEMO = "pg_catalog.current_setting('shardwright.fence', true)";

  /** What a trigger of rows fires on. */
  enum Event {
    INSERT,
    UPDATE,
    DELETE;

    /** The row that is checked, and that goes on. */
    private String row() {
      return this == DELETE ? "OLD" : "NEW";
    }

    String function(String table) {
      return ObjectName.fit("shardwright_" + name().toLowerCase(Locale.ROOT) + "_", table);
    }
  }

  /** The statement that creates what takes a bucket's lock and checks its row. */
  String enter() {
    return create(schema + Fence.ENTER + "(text, integer) RETURNS boolean", enterBody());
  }

  /**
   * The row is read by a statement after the lock, so that READ COMMITTED sees what is committed
   * then; a snapshot that is older needs FOR SHARE, which fails if the row has changed since. An
   * assignment is evaluated without a query of its own; that is why functions are called so.
   */
  String enterBody() {
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
            FenceObjects.RELEASE,
            Fence.LOCK_CLASS,
            Fence.STRIPES,
            schema + Fence.BUCKET_TABLE,
            DATABASE.incarnation());
  }

  String refuseTruncate() {
    return create(
        schema + PostgresFence.TRUNCATE_FUNCTION + "() RETURNS trigger", refuseTruncateBody());
  }

  String refuseTruncateBody() {
    return """
    -- %s
    BEGIN
      RAISE EXCEPTION USING ERRCODE = '0A000', MESSAGE = pg_catalog.concat(
        'SW001: TRUNCATE of table ', TG_TABLE_NAME,
        ' would not see which buckets are open; use DELETE');
    END
    """
        .formatted(FenceObjects.RELEASE);
  }

  String check(Event event, FencedTable table) {
    return create(
        schema + DATABASE.quote(event.function(table.name())) + "() RETURNS trigger",
        checkBody(event, table));
  }

  /**
   * Of the trigger function of rows. Only a transaction that sees what is committed, READ
   * COMMITTED, reads the bucket's row here, after the lock; all else, and everything that is
   * refused, is {@link #enter}'s.
   */
  String checkBody(Event event, FencedTable table) {
    String row = event.row();
    Optional<String> same =
        event == Event.UPDATE ? Optional.of(same(table)) : Optional.<String>empty();
    return """
    -- %1$s
    DECLARE
      memo pg_catalog.text;
      noted boolean;
    BEGIN
      IF %2$s THEN
        RETURN %3$s;
      END IF;
      IF %4$s THEN
    %5$s    noted := %6$s;
      ELSIF (%7$s) IS NOT NULL
          AND pg_catalog.current_setting('transaction_isolation')
            OPERATOR(pg_catalog.=) 'read committed' THEN
        SELECT %8$s INTO memo
          FROM %9$s b
         WHERE b.grp OPERATOR(pg_catalog.=) '%10$s'
           AND b.bucket OPERATOR(pg_catalog.=) %3$s.bucket_id
           AND b.state OPERATOR(pg_catalog.=) 'open' AND NOT b.captured
           AND b.incarnation OPERATOR(pg_catalog.=) %11$s;
      END IF;
      IF memo IS NULL THEN
        IF noted IS NOT TRUE THEN
          noted := %12$s('%10$s', %3$s.bucket_id);
        END IF;
        IF noted THEN
    %13$s    END IF;
      END IF;
      RETURN %3$s;
    END
    """
        .formatted(
            FenceObjects.RELEASE,
            is(memo(table, row)) + same.map(s -> " AND " + s).orElse(""),
            row,
            Stream.of(
                    mover.map(PostgresFenceFunctions::isMover),
                    same.map(s -> "(" + s + ") IS NOT TRUE"),
                    Optional.of("pg_catalog.right(" + MEMO + ", 1) OPERATOR(pg_catalog.=) '+'"))
                .flatMap(Optional::stream)
                .collect(Collectors.joining(" OR ")),
            letPass(table, row) + (event == Event.UPDATE ? refuseChange(table) : ""),
            is(memo(table, row) + " OPERATOR(pg_catalog.||) '+'"),
            lock(table, row),
            remember(table, row),
            schema + Fence.BUCKET_TABLE,
            table.placement(),
            DATABASE.incarnation(),
            schema + Fence.ENTER,
            notes(event, table));
  }

  private static String is(String memo) {
    return MEMO + " OPERATOR(pg_catalog.=) (" + memo + ")";
  }

  private static String remember(FencedTable table, String row) {
    return "pg_catalog.set_config('shardwright.fence', " + memo(table, row) + ", true)";
  }

  /** What the setting is when the transaction has checked the row's bucket last. */
  private static String memo(FencedTable table, String row) {
    return "'"
        + table.placement()
        + ":' OPERATOR(pg_catalog.||) "
        + row
        + ".bucket_id::pg_catalog.text";
  }

  private static String lock(FencedTable table, String row) {
    return "pg_catalog.pg_advisory_xact_lock_shared(%d, %d OPERATOR(pg_catalog.+)"
            .formatted(Fence.LOCK_CLASS, Fence.lock(table.placement(), 0))
        + " (%s.bucket_id OPERATOR(pg_catalog.%%) %d))".formatted(row, Fence.STRIPES);
  }

  static String isMover(Mover mover) {
    return "session_user OPERATOR(pg_catalog.=) '" + mover.user() + "'";
  }

  /** With a memo, so that its further rows of the bucket are as fast as anybody's. */
  private String letPass(FencedTable table, String row) {
    return mover
        .map(
            m ->
                """
                    IF %s THEN
                      memo := %s;
                      RETURN %s;
                    END IF;
                """
                    .formatted(isMover(m), remember(table, row), row))
        .orElse("");
  }

  private static String refuseChange(FencedTable table) {
    return """
        IF %s THEN
          RAISE EXCEPTION USING ERRCODE = '23514', MESSAGE =
            '%s';
        END IF;
    """
        .formatted(
            differ(Stream.concat(Stream.of(BUCKET_COLUMN), table.key().stream())),
            FenceObjects.keyRefusal(table));
  }

  /**
   * NULL or false where it may have changed, by operators that all types of keys have: a record is
   * compared at five times the cost.
   */
  private static String same(FencedTable table) {
    boolean comparable =
        table.key().stream()
            .allMatch(key -> table.table().column(key).flatMap(Column::keyType).isPresent());
    Stream<String> columns = Stream.concat(Stream.of(BUCKET_COLUMN), table.key().stream());
    return comparable
        ? columns
            .map(
                column ->
                    DATABASE.field("OLD", column)
                        + " OPERATOR(pg_catalog.=) "
                        + DATABASE.field("NEW", column))
            .collect(Collectors.joining(" AND "))
        : "(" + differ(columns) + ") IS FALSE";
  }

  /** As records: two row constructors would be compared by operators of the search_path. */
  private static String differ(Stream<String> columns) {
    List<String> names = columns.toList();
    return Stream.of("OLD", "NEW")
        .map(
            row ->
                names.stream()
                    .map(column -> DATABASE.field(row, column))
                    .collect(Collectors.joining(", ", "ROW(", ")::record")))
        .collect(Collectors.joining(" OPERATOR(pg_catalog.<>) "));
  }

  private String notes(Event event, FencedTable table) {
    String capture = schema + DATABASE.quote(table.captureTable());
    String note = "      %s\n";
    String now = note.formatted(FenceObjects.note(DATABASE, capture, "NEW", table));
    String old = note.formatted(FenceObjects.note(DATABASE, capture, "OLD", table));
    return switch (event) {
      case INSERT -> now;
      case DELETE -> old;
      case UPDATE ->
          """
          %s      IF %s THEN
            %s      END IF;
          """
              .formatted(
                  old,
                  differ(
                      Stream.concat(
                          Stream.of(BUCKET_COLUMN), table.primaryKey().stream().map(Column::name))),
                  now);
    };
  }

  private static String create(String signature, String body) {
    return "CREATE OR REPLACE FUNCTION "
        + signature
        + " LANGUAGE plpgsql VOLATILE SECURITY DEFINER AS $shardwright$"
        + body
        + "$shardwright$";
  }
}
