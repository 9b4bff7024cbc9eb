package io.shardwright.migration;

import io.shardwright.config.DatabaseProduct;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.BucketSet;
import io.shardwright.routing.ShardId;
import io.shardwright.schema.Fence;
import io.shardwright.schema.ShardSchema.Column;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;
import org.postgresql.copy.CopyManager;
import org.postgresql.copy.CopyOut;

/**
 * On PostgreSQL: advisory locks of the session, held over transactions, so that writers of a bucket
 * that is closed wait in the shard; rows go as COPY prints them.
 */
final class PostgresMover extends MoverConnection {
  // Long because: the statements of one product stand beside each other.

  private static final String SEQUENCES =
      """
      SELECT format('%I.%I', n.nspname, s.relname)
      FROM pg_depend d
      JOIN pg_class s ON s.oid = d.objid AND s.relkind = 'S'
      JOIN pg_namespace n ON n.oid = s.relnamespace
      WHERE d.refobjid = to_regclass(quote_ident(?)) AND d.deptype IN ('a', 'i')
      ORDER BY 1\
      """;

  private static final String ALWAYS =
      """
      SELECT attname FROM pg_attribute
      WHERE attrelid = to_regclass(quote_ident(?)) AND attidentity = 'a'\
      """;

  private static final String BLOCKER =
      """
      SELECT a.pid, a.application_name, a.state,
        extract(epoch FROM clock_timestamp() - a.xact_start)::bigint
      FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
      WHERE l.locktype = 'advisory' AND l.classid = ?::bigint::oid AND l.objid = ANY (?)
        AND l.granted AND l.pid <> pg_backend_pid()
        AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
      ORDER BY a.xact_start LIMIT 1\
      """;

  private static final String PREPARED_BLOCKER =
      """
      SELECT p.gid, extract(epoch FROM clock_timestamp() - p.prepared)::bigint
      FROM pg_locks l
      JOIN pg_locks x ON x.virtualtransaction = l.virtualtransaction AND x.pid IS NULL
        AND x.locktype = 'transactionid'
      JOIN pg_prepared_xacts p ON p.transaction = x.transactionid
      WHERE l.locktype = 'advisory' AND l.classid = ?::bigint::oid AND l.objid = ANY (?)
        AND l.granted AND l.pid IS NULL AND p.database = current_database()
      ORDER BY p.prepared LIMIT 1\
      """;

  /** The first number of the locks that say which session is a move's. */
  private static final int MOVE_LOCKS = 0x53574d56;

  /** Locks of buckets that are held, by stripe. */
  private final List<Integer> held = new ArrayList<>();

  /** By table, the columns that are GENERATED ALWAYS AS IDENTITY. */
  private final Map<String, Set<String>> always = new HashMap<>();

  /** By table or sequence, those that number its rows. */
  private final Map<String, List<String>> sequences = new HashMap<>();

  PostgresMover(ShardId shard, Connection connection) {
    super(shard, connection, DatabaseProduct.POSTGRESQL);
  }

  @Override
  void prepare() throws SQLException {
    execute(
        "SET TimeZone = 'UTC'; SET DateStyle = 'ISO, YMD'; SET IntervalStyle = 'postgres';"
            + " SET extra_float_digits = 1; SET bytea_output = 'hex';"
            + " SET client_min_messages = 'warning'; SET application_name = 'shardwright mover'; SET synchronous_commit = on");
  }

  @Override
  void endOthers(long move) throws SQLException {
    int key = Math.toIntExact(move);
    while (numbers("SELECT 1 WHERE pg_try_advisory_lock(" + MOVE_LOCKS + ", " + key + ")")
        .isEmpty()) {
      execute(
          "SELECT pg_terminate_backend(pid, 1000) FROM pg_locks WHERE locktype = 'advisory'"
              + " AND classid = "
              + MOVE_LOCKS
              + "::oid AND objid = "
              + key
              + "::oid AND granted AND pid <> pg_backend_pid() AND database ="
              + " (SELECT oid FROM pg_database WHERE datname = current_database())");
    }
  }

  @Override
  BucketSet tryLock(String group, BucketSet buckets) throws SQLException {
    Map<Integer, List<BucketId>> stripes = new HashMap<>();
    for (BucketId bucket : buckets) {
      stripes
          .computeIfAbsent(Fence.lock(group, bucket.value()), stripe -> new ArrayList<>())
          .add(bucket);
    }
    List<BucketId> locked = new ArrayList<>();
    try (PreparedStatement lock =
        connection()
            .prepareStatement(
                "SELECT s FROM unnest(?::integer[]) s WHERE pg_try_advisory_lock(?, s)")) {
      lock.setArray(1, connection().createArrayOf("integer", stripes.keySet().toArray()));
      lock.setInt(2, Fence.LOCK_CLASS);
      try (ResultSet row = lock.executeQuery()) {
        while (row.next()) {
          held.add(row.getInt(1));
          locked.addAll(stripes.get(row.getInt(1)));
        }
      }
    }
    return BucketSet.of(locked);
  }

  @Override
  void unlock() throws SQLException {
    if (!held.isEmpty()) {
      try (PreparedStatement unlock =
          connection()
              .prepareStatement(
                  "SELECT bool_and(pg_advisory_unlock(?, s)) FROM unnest(?::integer[]) s")) {
        unlock.setInt(1, Fence.LOCK_CLASS);
        unlock.setArray(2, connection().createArrayOf("integer", held.toArray()));
        unlock.executeQuery().close();
      }
      held.clear();
    }
  }

  /** In autocommit everything is durable already, and the locks are the session's. */
  @Override
  void commitLocked() {}

  @Override
  Optional<String> blocker(String group, BucketSet buckets) throws SQLException {
    Integer[] stripes =
        buckets.toList().stream()
            .map(bucket -> Fence.lock(group, bucket.value()))
            .distinct()
            .toArray(Integer[]::new);
    Optional<String> session =
        blocker(
            BLOCKER,
            stripes,
            row ->
                "process "
                    + row.getInt(1)
                    + " ("
                    + row.getString(2)
                    + ", "
                    + row.getString(3)
                    + ") has a transaction of "
                    + row.getLong(4)
                    + " s");
    return session.isPresent()
        ? session
        : blocker(
            PREPARED_BLOCKER,
            stripes,
            row ->
                "prepared transaction "
                    + row.getString(1)
                    + " of "
                    + row.getLong(2)
                    + " s; COMMIT PREPARED or ROLLBACK PREPARED it");
  }

  private interface Description {
    String of(ResultSet row) throws SQLException;
  }

  private Optional<String> blocker(String sql, Integer[] stripes, Description description)
      throws SQLException {
    try (PreparedStatement select = connection().prepareStatement(sql)) {
      select.setLong(1, Fence.LOCK_CLASS);
      select.setArray(2, connection().createArrayOf("oid", stripes));
      try (ResultSet row = select.executeQuery()) {
        return row.next() ? Optional.of(description.of(row)) : Optional.empty();
      }
    }
  }

  @Override
  <T> T holdingRows(List<String> tables, Work<T> work) throws SQLException {
    return inTransaction(
        () -> {
          execute("SET LOCAL lock_timeout = '5s'");
          for (String table : tables) {
            execute("LOCK TABLE " + quote(table) + " IN SHARE ROW EXCLUSIVE MODE");
          }
          return work.run();
        });
  }

  @Override
  <T> T inSnapshot(Work<T> work) throws SQLException {
    int before = connection().getTransactionIsolation();
    connection().setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
    try {
      return inTransaction(work);
    } finally {
      connection().setTransactionIsolation(before);
    }
  }

  @Override
  String selectList(String alias, List<String> names, List<Column> columns) {
    return names.stream().map(n -> alias + "." + quote(n)).collect(Collectors.joining(", "));
  }

  @Override
  void deleteStaged(MovedTable table, String stage) throws SQLException {
    List<String> key = table.key().stream().map(Column::name).toList();
    execute(
        "DELETE FROM "
            + quote(table.name())
            + " t USING "
            + stage
            + " k WHERE "
            + equal("t", key, "k", table.noted()));
  }

  @Override
  long receive(
      MoverConnection from, String select, String into, List<String> names, List<Column> columns)
      throws SQLException {
    CopyManager source = from.connection().unwrap(PGConnection.class).getCopyAPI();
    CopyManager target = connection().unwrap(PGConnection.class).getCopyAPI();
    String list = names.stream().map(this::quote).collect(Collectors.joining(", "));
    CopyOut out = source.copyOut("COPY (" + select + ") TO STDOUT");
    CopyIn in = null;
    try {
      in = target.copyIn("COPY " + into + " (" + list + ") FROM STDIN");
      for (byte[] row = out.readFromCopy(); row != null; row = out.readFromCopy()) {
        in.writeToCopy(row, 0, row.length);
      }
      return in.endCopy();
    } finally {
      if (in != null && in.isActive()) {
        in.cancelCopy();
      }
      if (out.isActive()) {
        out.cancelCopy();
      }
    }
  }

  @Override
  void upsert(MovedTable table, MoverConnection from, String select, String keys)
      throws SQLException {
    String stage = stageRows(table, from, select);
    Set<String> fixed = alwaysGenerated(table);
    String others =
        table.columns().stream()
            .filter(column -> !table.key().contains(column) && !fixed.contains(column.name()))
            .map(column -> quote(column.name()) + " = excluded." + quote(column.name()))
            .collect(Collectors.joining(", "));
    execute(
        insert(table, stage)
            + " ON CONFLICT ("
            + names(table.key())
            + ") DO "
            + (others.isEmpty() ? "NOTHING" : "UPDATE SET " + others));
  }

  /** Identity columns that no UPDATE may change, the application's neither: they stay. */
  private Set<String> alwaysGenerated(MovedTable table) throws SQLException {
    Set<String> names = always.get(table.name());
    if (names == null) {
      names = new HashSet<>();
      try (PreparedStatement select = connection().prepareStatement(ALWAYS)) {
        select.setString(1, table.name());
        try (ResultSet row = select.executeQuery()) {
          while (row.next()) {
            names.add(row.getString(1));
          }
        }
      }
      always.put(table.name(), names);
    }
    return names;
  }

  private String insert(MovedTable table, String stage) {
    String columns = names(table.columns());
    return "INSERT INTO "
        + quote(table.name())
        + " ("
        + columns
        + ") OVERRIDING SYSTEM VALUE SELECT "
        + columns
        + " FROM "
        + stage;
  }

  /** One statement: foreign keys are checked at its end. */
  @Override
  void replace(MovedTable table, String rows) throws SQLException {
    List<String> key = table.key().stream().map(Column::name).toList();
    execute(
        "WITH gone AS (DELETE FROM "
            + quote(table.name())
            + " t USING "
            + rows
            + " k WHERE "
            + equal("t", key, "k", key)
            + " RETURNING 1) "
            + insert(table, rows)
            + " WHERE (SELECT count(*) FROM gone) >= 0");
  }

  @Override
  String literalOf(String name, Column column) {
    return "quote_literal(" + name + "::text) || '::" + column.type().replace("'", "''") + "'";
  }

  @Override
  String exact(Column column) {
    return literal(column);
  }

  @Override
  List<String> repairSettings() {
    return List.of(
        "SET TimeZone = 'UTC'; SET DateStyle = 'ISO, YMD'; SET IntervalStyle = 'postgres';"
            + " SET standard_conforming_strings = on; SET client_encoding = 'UTF8';",
        "BEGIN;");
  }

  @Override
  String overriding() {
    return "OVERRIDING SYSTEM VALUE ";
  }

  @Override
  String position() throws SQLException {
    try (Statement statement = connection().createStatement();
        ResultSet row = statement.executeQuery("SELECT pg_current_snapshot()::text")) {
      row.next();
      return row.getString(1);
    }
  }

  @Override
  String compare(List<String> key, String sign, List<String> literals) {
    return "(" + String.join(", ", key) + ") " + sign + " (" + String.join(", ", literals) + ")";
  }

  /** Of the row as a record: it tells NULL from an empty text, and where a value ends. */
  @Override
  String hash(List<Column> columns) {
    return "md5(ROW("
        + columns.stream().map(c -> "t." + quote(c.name())).collect(Collectors.joining(", "))
        + ")::text)";
  }

  @Override
  List<String> sums() {
    String half = "COALESCE(sum(('x' || %s(h, 16))::bit(64)::bigint::numeric), 0)";
    return List.of(half.formatted("left"), half.formatted("right"));
  }

  @Override
  Map<Numbered, Long> numbers(List<String> tables) throws SQLException {
    List<Numbered> numbered = new ArrayList<>();
    List<String> selects = new ArrayList<>();
    for (String table : tables) {
      for (String sequence : sequences(table)) {
        int place = sequences(table).indexOf(sequence);
        selects.add("SELECT " + numbered.size() + ", last_value FROM " + sequence);
        numbered.add(new Numbered(table, place));
      }
    }
    Map<Numbered, Long> numbers = new LinkedHashMap<>();
    if (!selects.isEmpty()) {
      try (Statement statement = connection().createStatement();
          ResultSet row = statement.executeQuery(String.join(" UNION ALL ", selects))) {
        while (row.next()) {
          numbers.put(numbered.get(row.getInt(1)), row.getLong(2));
        }
      }
    }
    return numbers;
  }

  @Override
  void raise(Map<Numbered, Long> numbers) throws SQLException {
    List<String> selects = new ArrayList<>();
    for (Map.Entry<Numbered, Long> number : numbers.entrySet()) {
      List<String> here = sequences(number.getKey().name());
      if (number.getKey().place() < here.size()) {
        String sequence = here.get(number.getKey().place());
        selects.add(
            "SELECT setval('%s', GREATEST(last_value, %d)) FROM %s"
                .formatted(sequence.replace("'", "''"), number.getValue(), sequence));
      }
    }
    if (!selects.isEmpty()) {
      execute(String.join(" UNION ALL ", selects));
    }
  }

  private List<String> sequences(String table) throws SQLException {
    List<String> known = sequences.get(table);
    if (known != null) {
      return known;
    }
    List<String> names = new ArrayList<>();
    try (PreparedStatement select = connection().prepareStatement(SEQUENCES)) {
      select.setString(1, table);
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          names.add(row.getString(1));
        }
      }
    }
    sequences.put(table, names);
    return names;
  }

  /** Advisory locks of a transaction go over to the prepared one. */
  @Override
  List<String> preparedUnlocked() {
    return List.of();
  }

  @Override
  int deleteSome(String table, String condition, int rows) throws SQLException {
    String name = quote(table);
    return update(
        "DELETE FROM "
            + name
            + " WHERE ctid = ANY (ARRAY(SELECT ctid FROM "
            + name
            + " WHERE "
            + condition
            + " LIMIT "
            + rows
            + "))");
  }
}
