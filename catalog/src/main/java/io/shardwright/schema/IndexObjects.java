package io.shardwright.schema;

import io.shardwright.catalog.Database;
import io.shardwright.catalog.IndexName;
import io.shardwright.catalog.IndexName.Event;
import io.shardwright.config.Configuration;
import io.shardwright.config.Configuration.Mover;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.schema.ShardSchema.Column;
import io.shardwright.schema.ShardSchema.Table;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.StringJoiner;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The tables and triggers of a lookup index on one shard (docs/decisions/lookup-index.md). All
 * operations may be cut anywhere and repeated. Connections are in autocommit, and again afterwards.
 * Stateless.
 */
public abstract sealed class IndexObjects permits PostgresIndexObjects, MariaDbIndexObjects {
  final LookupIndex index;
  final ShardDatabase database;
  final Optional<Mover> mover;

  /**
   * How to wait for transactions that use the table.
   *
   * @param attempt for so long others may be held up behind an attempt to lock the table
   * @param patience attempts are repeated, with longer and longer pauses
   */
  public record LockWait(Duration attempt, Duration patience) {
    public static final LockWait DEFAULT =
        new LockWait(Duration.ofSeconds(1), Duration.ofMinutes(2));
  }

  /**
   * What there is of an index on a shard.
   *
   * @param missing tables that do not exist
   * @param foreign tables that exist with other columns than they should
   * @param triggers that exist as {@link #installTriggers} makes them
   * @param version that all of them ask of a session; empty when one is missing
   */
  public record Found(
      List<String> missing, List<String> foreign, Set<Event> triggers, OptionalLong version) {
    public Found {
      missing = List.copyOf(missing);
      foreign = List.copyOf(foreign);
      triggers = Set.copyOf(triggers);
    }

    public boolean hasTables() {
      return missing.isEmpty() && foreign.isEmpty();
    }
  }

  /** A table, view or sequence of an index. */
  record Relation(Form form, String name) {
    enum Form {
      TABLE,
      VIEW,
      SEQUENCE
    }

    static Relation table(String name) {
      return new Relation(Form.TABLE, name);
    }

    @Override
    public String toString() {
      return form.name().toLowerCase(Locale.ROOT) + " " + name;
    }
  }

  IndexObjects(LookupIndex index, ShardDatabase database, Optional<Mover> mover) {
    this.index = index;
    this.database = database;
    this.mover = mover;
  }

  public static IndexObjects of(LookupIndex index, Configuration configuration) {
    return switch (configuration.product()) {
      case POSTGRESQL -> PostgresIndexObjects.of(index, configuration.mover());
      case MARIADB -> MariaDbIndexObjects.of(index, configuration.mover());
    };
  }

  public final LookupIndex index() {
    return index;
  }

  /**
   * Creates the tables that do not exist.
   *
   * @return those that it created
   */
  public final List<String> createTables(Connection connection) throws SQLException {
    Database own = database.database();
    return own.locked(
        connection,
        c -> {
          List<String> created = new ArrayList<>();
          try (Statement statement = c.createStatement()) {
            Map<String, String> definitions = tables(database.declaredTypes(c, index.table()));
            for (Relation relation : relations()) {
              if (!own.exists(c, relation.name())) {
                statement.execute(definitions.get(relation.name()));
                created.add(relation.name());
              }
            }
          }
          return created;
        });
  }

  public final void dropTables(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      List<Relation> relations = new ArrayList<>(relations());
      Collections.reverse(relations);
      for (Relation relation : relations) {
        statement.execute(
            "DROP " + relation.form() + " IF EXISTS " + database.quote(relation.name()));
      }
      dropFence(connection, statement);
    }
  }

  /** A later index of the name has a map of its own, from its first version on. */
  private void dropFence(Connection connection, Statement statement) throws SQLException {
    statement.execute(
        "DROP TABLE IF EXISTS " + database.quote(Fence.captureTable(name().entryTable())));
    for (String function : fenceFunctions()) {
      statement.execute("DROP FUNCTION IF EXISTS " + database.quote(function) + "()");
    }
    if (database.database().exists(connection, Fence.BUCKET_TABLE)) {
      statement.execute(
          "DELETE FROM " + Fence.BUCKET_TABLE + " WHERE grp = '" + name().placement() + "'");
    }
  }

  /** Those that the triggers of the entry table call. */
  abstract List<String> fenceFunctions();

  /**
   * Creates the triggers, or changes them to ask for another version. They see every writer whose
   * transaction has not ended when the last of them is there.
   *
   * @param version from which on drivers maintain the index ({@link
   *     io.shardwright.catalog.CatalogIndex#version})
   * @throws SQLException a lock timeout when transactions used the table for all of the patience
   * @throws ShardwrightException SW104 when the tables are not there
   */
  public final void installTriggers(Connection connection, long version, LockWait wait)
      throws SQLException {
    if (!inspect(connection).hasTables()) {
      throw new ShardwrightException(
          ErrorCode.NOT_APPLIED,
          "the tables of lookup index "
              + name()
              + " are not on the shard as they should be; run shardwright apply -c FILE");
    }
    database.patiently(connection, wait, statement -> createTriggers(statement, version));
  }

  public final void removeTriggers(Connection connection, LockWait wait) throws SQLException {
    database.patiently(connection, wait, this::dropTriggers);
  }

  /** Takes no locks that writers meet. */
  public final Found inspect(Connection connection) throws SQLException {
    List<Relation> relations = relations();
    ShardSchema schema =
        database.inspect(connection, relations.stream().map(Relation::name).toList());
    List<String> missing = new ArrayList<>();
    List<String> foreign = new ArrayList<>();
    for (Relation relation : relations) {
      if (!database.database().exists(connection, relation.name())) {
        missing.add(relation.name());
      } else if (!shapes(connection, schema, relation).containsAll(shapes(relation.name()))) {
        foreign.add(relation.name());
      }
    }
    Map<Event, Long> triggers = new EnumMap<>(Event.class);
    triggers.putAll(triggers(connection));
    boolean complete =
        triggers.size() == events().size() && Set.copyOf(triggers.values()).size() == 1;
    return new Found(
        missing,
        foreign,
        triggers.keySet(),
        complete ? OptionalLong.of(triggers.values().iterator().next()) : OptionalLong.empty());
  }

  /** Whether its triggers, which all exist, leave the mover's copies alone. */
  public final boolean exempts(Connection connection) throws SQLException {
    return mover.isEmpty() || exempts(connection, database.isNot(mover.get()));
  }

  abstract boolean exempts(Connection connection, String condition) throws SQLException;

  /** The names of triggers that do not exist; of all when they ask for several versions. */
  public final List<String> missingTriggers(Found found) {
    if (found.version().isPresent()) {
      return List.of();
    }
    boolean mixed = found.triggers().size() == events().size();
    return events().stream()
        .filter(event -> mixed || !found.triggers().contains(event))
        .sorted()
        .map(name()::trigger)
        .toList();
  }

  private List<String> shapes(Connection connection, ShardSchema schema, Relation relation)
      throws SQLException {
    return switch (relation.form()) {
      case TABLE ->
          schema.table(relation.name()).map(Table::columns).orElse(List.of()).stream()
              .map(column -> shape(column.name(), column))
              .toList();
      case VIEW -> columnNames(connection, relation);
      case SEQUENCE -> List.of();
    };
  }

  private List<String> columnNames(Connection connection, Relation view) throws SQLException {
    List<String> names = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet none =
            statement.executeQuery(
                "SELECT * FROM " + database.quote(view.name()) + " WHERE bucket_id < 0")) {
      for (int i = 1; i <= none.getMetaData().getColumnCount(); i++) {
        names.add(none.getMetaData().getColumnName(i));
      }
    }
    return names;
  }

  /** {@code v1 bigint ...} for each of the columns, by position: the prefix is of all of them. */
  static List<String> shapes(String prefix, List<Column> columns) {
    return IntStream.range(0, columns.size())
        .mapToObj(i -> shape(prefix + (i + 1), columns.get(i)))
        .toList();
  }

  private static String shape(String name, Column column) {
    return name + " " + column.type() + " " + column.collation();
  }

  /**
   * Type and collation of the columns of a table that hold values of the user's; of a view names.
   */
  abstract List<String> shapes(String relation);

  /** The triggers that exist and what version each asks for. */
  abstract Map<Event, Long> triggers(Connection connection) throws SQLException;

  /** Those that have a trigger. */
  abstract Set<Event> events();

  /** In order of creation. */
  abstract List<Relation> relations();

  /** The statements that create them, by name. */
  abstract Map<String, String> tables(Map<String, String> types);

  /** In one transaction if DDL is part of one. */
  abstract void createTriggers(Statement statement, long version) throws SQLException;

  abstract void dropTriggers(Statement statement) throws SQLException;

  final IndexName name() {
    return index.name();
  }

  final String table() {
    return database.quote(index.table().name());
  }

  static StringJoiner lines() {
    return new StringJoiner(",\n  ", " (\n  ", "\n)");
  }

  static List<String> columns(
      String prefix, List<Column> columns, Map<String, String> types, String end) {
    return IntStream.range(0, columns.size())
        .mapToObj(i -> prefix + (i + 1) + " " + types.get(columns.get(i).name()) + end)
        .toList();
  }

  /** {@code v}, 2: {@code v1, v2}. */
  static List<String> numbered(String prefix, int count) {
    return IntStream.rangeClosed(1, count).mapToObj(i -> prefix + i).toList();
  }

  /** The indexed columns of OLD or NEW. */
  final List<String> values(String row) {
    return fields(row, index.columns());
  }

  /** bucket_id and the primary key of OLD or NEW: where the row is. */
  final List<String> place(String row) {
    List<String> place = new ArrayList<>(List.of(row + "." + ShardSchema.BUCKET_COLUMN));
    place.addAll(fields(row, index.primaryKey()));
    return place;
  }

  final List<String> fields(String row, List<Column> columns) {
    return columns.stream().map(column -> row + "." + database.quote(column.name())).toList();
  }

  /** That a row has an entry: no NULL is among the values that decide its bucket. */
  final String isIndexed(String row) {
    return fields(row, index.columns().subList(0, index.types().size())).stream()
        .map(value -> value + " IS NOT NULL")
        .collect(Collectors.joining(" AND "));
  }

  /** Of each pair whether it differs, {@code form} being that of one pair. */
  static String anyDiffers(List<String> old, List<String> now, String form) {
    return IntStream.range(0, old.size())
        .mapToObj(i -> form.formatted(old.get(i), now.get(i)))
        .collect(Collectors.joining(" OR "));
  }
}
