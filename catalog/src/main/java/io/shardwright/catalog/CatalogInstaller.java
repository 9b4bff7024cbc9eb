package io.shardwright.catalog;

import io.shardwright.config.Configuration;
import io.shardwright.config.Configuration.Group;
import io.shardwright.routing.BucketMap;
import io.shardwright.routing.KeyType;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * Creates what is missing in a catalog database, under a lock: two at once do the work once. Killed
 * at any point it leaves all or nothing, or on MariaDB, where each table is a transaction, the
 * first of the tables; they are of no catalog until {@code shardwright_meta} has its row, and the
 * next run makes the rest. Never changes what exists.
 */
// Long because: it holds the statements that docs/catalog-format.md shows, one after the other.
public final class CatalogInstaller {
  /**
   * docs/catalog-format.md. A change of the tables or of the meaning of a value is a new number.
   */
  static final int FORMAT = 6;

  /** From this one on there are lookup indexes, leases, and a version of the whole state. */
  static final int FORMAT_OF_INDEXES = 2;

  /** From this one on there are indexes that are not unique. */
  static final int FORMAT_OF_LISTS = 3;

  /** From this one on there are moves. */
  static final int FORMAT_OF_MOVES = 4;

  /** From this one on buckets' traffic and the times of moves are on record. */
  static final int FORMAT_OF_HEAT = 5;

  /** From this one on there are directories. */
  static final int FORMAT_OF_DIRECTORIES = 6;

  static final String INITIAL_REASON = "initial";

  /** Of one INSERT. */
  private static final int RANGES_MAX = 1_000;

  /** By table name, in order of creation. */
  static final Map<String, String> TABLES = tables();

  private CatalogInstaller() {}

  /**
   * @param created what was made, for people, e.g. {@code table shardwright_group}
   * @param existing what was there before
   */
  public record Installed(List<String> created, List<String> existing) {}

  /** Its tables, in the order in which they are created. */
  public static List<String> tableNames() {
    return List.copyOf(TABLES.keySet());
  }

  /**
   * @param connection in autocommit, and again afterwards
   * @throws io.shardwright.errors.ShardwrightException SW105 when the server cannot be a catalog
   */
  public static Installed install(Connection connection, Configuration configuration)
      throws SQLException {
    Database database = Database.of(Database.product(connection));
    return database.locked(connection, c -> install(database, c, configuration));
  }

  private static Installed install(
      Database database, Connection connection, Configuration configuration) throws SQLException {
    Installed installed = new Installed(new ArrayList<>(), new ArrayList<>());
    for (Map.Entry<String, String> table : TABLES.entrySet()) {
      boolean exists = database.exists(connection, table.getKey());
      if (!exists) {
        execute(connection, database.ownTable(table.getValue()));
      }
      (exists ? installed.existing : installed.created).add("table " + table.getKey());
    }
    installMeta(connection);
    upgrade(connection);
    boolean added = false;
    for (Group group : configuration.groups().values()) {
      boolean created =
          installGroup(
              connection,
              GroupRow.Definition.of(group),
              group.firstMap(configuration.shards().values()));
      if (created) {
        DirectoryRows.insert(connection, group.name(), group.directory().entries());
      }
      (created ? installed.created : installed.existing).add("group " + group.name());
      added |= created;
    }
    if (added) {
      IndexRows.nextVersion(connection);
    }
    return installed;
  }

  /**
   * Records the key's types with the first caller; later ones are compared.
   *
   * @return the types on record when they differ
   */
  public static Optional<List<KeyType>> recordKeyTypes(
      Connection connection, String group, List<KeyType> types) throws SQLException {
    String names = types.stream().map(KeyType::name).collect(Collectors.joining(","));
    try (PreparedStatement update =
        connection.prepareStatement(
            "UPDATE shardwright_group SET key_types = ? WHERE name = ? AND key_types IS NULL")) {
      update.setString(1, names);
      update.setString(2, group);
      update.executeUpdate();
    }
    try (PreparedStatement select =
        connection.prepareStatement("SELECT key_types FROM shardwright_group WHERE name = ?")) {
      select.setString(1, group);
      try (ResultSet row = select.executeQuery()) {
        return row.next() && !names.equals(row.getString(1))
            ? Optional.of(
                GroupRow.splitNames(row.getString(1)).stream().map(KeyType::valueOf).toList())
            : Optional.empty();
      }
    }
  }

  /**
   * Records group and key columns of the tables that are not on record yet. Under the lock: of two
   * runs with different files the second one finds what the first one recorded.
   *
   * @param connection in autocommit, and again afterwards
   * @throws io.shardwright.errors.ShardwrightException SW416 when a table is on record otherwise
   */
  public static void recordTables(Connection connection, Configuration configuration)
      throws SQLException {
    Database.of(Database.product(connection))
        .locked(
            connection,
            c -> {
              insertTables(c, configuration);
              for (TableRow row : readTables(c)) {
                row.check(configuration);
              }
              return null;
            });
  }

  private static void insertTables(Connection connection, Configuration configuration)
      throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO shardwright_table (name, grp, key_columns) SELECT ?, ?, ?"
                + " WHERE NOT EXISTS (SELECT 1 FROM shardwright_table WHERE name = ?)")) {
      for (Group group : configuration.groups().values()) {
        for (Configuration.Table table : group.tables().values()) {
          insert.setString(1, table.name());
          insert.setString(2, group.name());
          insert.setString(3, String.join(",", table.key()));
          insert.setString(4, table.name());
          // No batch: MariaDB's protocol for those takes no INSERT ... SELECT.
          insert.executeUpdate();
        }
      }
    }
  }

  static List<TableRow> readTables(Connection connection) throws SQLException {
    List<TableRow> tables = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT name, grp, key_columns FROM shardwright_table ORDER BY name")) {
      while (row.next()) {
        tables.add(
            new TableRow(
                row.getString(1), row.getString(2), GroupRow.splitNames(row.getString(3))));
      }
    }
    return tables;
  }

  /**
   * Empty when the catalog is not set up, or not to its end.
   *
   * @param connection in autocommit: a missing table fails the transaction
   */
  public static Optional<UUID> readCluster(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT cluster_id FROM shardwright_meta")) {
      return row.next() ? Optional.of(UUID.fromString(row.getString(1))) : Optional.empty();
    } catch (SQLException e) {
      if (SqlFailure.isMissingTable(e)) {
        return Optional.empty();
      }
      throw e;
    }
  }

  private static void installMeta(Connection connection) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO shardwright_meta (id, format, cluster_id)"
                + " SELECT 1, ?, ? WHERE NOT EXISTS (SELECT 1 FROM shardwright_meta)")) {
      insert.setInt(1, FORMAT);
      insert.setString(2, UUID.randomUUID().toString());
      insert.executeUpdate();
    }
  }

  /** The last step of what a newer format needs: until then older releases go on. */
  private static void upgrade(Connection connection) throws SQLException {
    execute(
        connection,
        "INSERT INTO shardwright_state (id, version)"
            + " SELECT 1, 1 WHERE NOT EXISTS (SELECT 1 FROM shardwright_state)");
    execute(
        connection, "UPDATE shardwright_meta SET format = " + FORMAT + " WHERE format < " + FORMAT);
  }

  /**
   * Records lookup indexes that are not on record yet, as {@link IndexState#DECLARED}, with a first
   * map as groups have it.
   *
   * @param connection in autocommit, and again afterwards
   * @param indexes with the types of their columns
   * @throws io.shardwright.errors.ShardwrightException SW416 when one is on record otherwise
   */
  public static void recordIndexes(
      Connection connection, Configuration configuration, Map<CatalogIndex, List<KeyType>> indexes)
      throws SQLException {
    if (indexes.isEmpty()) {
      return;
    }
    Database.of(Database.product(connection))
        .locked(
            connection,
            c -> {
              Map<String, CatalogIndex> known = IndexRows.read(c, FORMAT);
              for (Map.Entry<CatalogIndex, List<KeyType>> index : indexes.entrySet()) {
                if (!known.containsKey(index.getKey().name().placement())) {
                  insertIndex(c, configuration, index.getKey(), index.getValue());
                }
              }
              IndexRows.check(c, configuration, IndexRows.read(c, FORMAT));
              return null;
            });
  }

  private static void insertIndex(
      Connection connection, Configuration configuration, CatalogIndex index, List<KeyType> types)
      throws SQLException {
    Group group = configuration.groups().get(index.name().group());
    GroupRow.Definition definition =
        GroupRow.Definition.of(group, group.indexes().get(index.name().index()));
    installGroup(
        connection,
        definition,
        BucketMap.initial(definition.name(), definition.buckets(), configuration.shardIds()));
    try (PreparedStatement update =
        connection.prepareStatement("UPDATE shardwright_group SET key_types = ? WHERE name = ?")) {
      update.setString(1, types.stream().map(KeyType::name).collect(Collectors.joining(",")));
      update.setString(2, definition.name());
      update.executeUpdate();
    }
    IndexRows.insert(connection, index);
  }

  /** False when the group is there already, however it is defined. */
  private static boolean installGroup(
      Connection connection, GroupRow.Definition group, BucketMap map) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO shardwright_group"
                + " (name, generation, key_columns, hash, buckets, layout, map_version)"
                + " SELECT ?, 0, ?, ?, ?, ?, 1"
                + " WHERE NOT EXISTS (SELECT 1 FROM shardwright_group WHERE name = ?)")) {
      insert.setString(1, group.name());
      insert.setString(2, String.join(",", group.key()));
      insert.setString(3, group.hash());
      insert.setInt(4, group.buckets());
      insert.setString(5, group.layout());
      insert.setString(6, group.name());
      if (insert.executeUpdate() == 0) {
        return false;
      }
    }
    insertMap(connection, map, INITIAL_REASON, UUID.randomUUID());
    return true;
  }

  /**
   * The version after the current one, in the caller's transaction. Of two at once the primary key
   * of versions refuses one.
   */
  static void followMap(Connection connection, BucketMap next, String reason, UUID publisher)
      throws SQLException {
    try (PreparedStatement update =
        connection.prepareStatement(
            "UPDATE shardwright_group SET map_version = ? WHERE name = ?")) {
      update.setLong(1, next.version());
      update.setString(2, next.group());
      update.executeUpdate();
    }
    insertMap(connection, next, reason, publisher);
  }

  /** The rows of one version, in the caller's transaction. */
  static void insertMap(Connection connection, BucketMap map, String reason, UUID publisher)
      throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO shardwright_map_version"
                + " (grp, version, published_at, reason, publisher)"
                + " VALUES (?, ?, CURRENT_TIMESTAMP(6), ?, ?)")) {
      insert.setString(1, map.group());
      insert.setLong(2, map.version());
      insert.setString(3, reason);
      insert.setString(4, publisher.toString());
      insert.executeUpdate();
    }
    List<MapRange> ranges = MapRange.of(map);
    for (int from = 0; from < ranges.size(); from += RANGES_MAX) {
      insertRanges(
          connection, map, ranges.subList(from, Math.min(ranges.size(), from + RANGES_MAX)));
    }
  }

  /** By one statement: a move's buckets cannot be written meanwhile. */
  private static void insertRanges(Connection connection, BucketMap map, List<MapRange> ranges)
      throws SQLException {
    String rows = String.join(", ", Collections.nCopies(ranges.size(), "(?, ?, ?, ?, ?)"));
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO shardwright_map_range (grp, version, first_bucket, last_bucket, shard)"
                + " VALUES "
                + rows)) {
      int at = 1;
      for (MapRange range : ranges) {
        insert.setString(at++, map.group());
        insert.setLong(at++, map.version());
        insert.setInt(at++, range.first());
        insert.setInt(at++, range.last());
        insert.setString(at++, range.shard().name());
      }
      insert.executeUpdate();
    }
  }

  /**
   * Adds entries of directories that the file has and the catalog lacks, with their buckets.
   *
   * @param connection in autocommit, and again afterwards
   * @return what was added, for people
   * @throws io.shardwright.errors.ShardwrightException SW416 when the file has another entry than
   *     the catalog, SW413 while buckets of the group move
   */
  public static List<String> growDirectories(Connection connection, Configuration configuration)
      throws SQLException {
    return Database.of(Database.product(connection))
        .locked(connection, c -> DirectoryRows.grow(c, configuration));
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static Map<String, String> tables() {
    Map<String, String> tables = new LinkedHashMap<>();
    addTablesOfFormat1(tables);
    addTablesOfFormat2(tables);
    addTablesOfFormat3(tables);
    addTablesOfFormat4(tables);
    addTablesOfFormat5(tables);
    addTablesOfFormat6(tables);
    return tables;
  }

  private static void addTablesOfFormat1(Map<String, String> tables) {
    tables.put(
        "shardwright_meta",
        """
        CREATE TABLE shardwright_meta (
          id integer PRIMARY KEY CHECK (id = 1),
          format integer NOT NULL,
          cluster_id varchar(36) NOT NULL
        )\
        """);
    tables.put(
        "shardwright_group",
        """
        CREATE TABLE shardwright_group (
          name varchar(63) PRIMARY KEY,
          generation integer NOT NULL,
          key_columns varchar(1000) NOT NULL,
          key_types varchar(200),
          hash varchar(63) NOT NULL,
          buckets integer NOT NULL,
          layout varchar(63) NOT NULL,
          map_version bigint NOT NULL
        )\
        """);
    tables.put(
        "shardwright_table",
        """
        CREATE TABLE shardwright_table (
          name varchar(63) PRIMARY KEY,
          grp varchar(63) NOT NULL REFERENCES shardwright_group (name),
          key_columns varchar(1000) NOT NULL
        )\
        """);
    tables.put(
        "shardwright_map_version",
        """
        CREATE TABLE shardwright_map_version (
          grp varchar(63) NOT NULL REFERENCES shardwright_group (name),
          version bigint NOT NULL,
          published_at timestamp(6) with time zone NOT NULL,
          reason varchar(500) NOT NULL,
          publisher varchar(36) NOT NULL,
          PRIMARY KEY (grp, version)
        )\
        """);
    tables.put(
        "shardwright_map_range",
        """
        CREATE TABLE shardwright_map_range (
          grp varchar(63) NOT NULL,
          version bigint NOT NULL,
          first_bucket integer NOT NULL,
          last_bucket integer NOT NULL,
          shard varchar(63) NOT NULL,
          PRIMARY KEY (grp, version, first_bucket),
          FOREIGN KEY (grp, version) REFERENCES shardwright_map_version (grp, version)
        )\
        """);
  }

  private static void addTablesOfFormat2(Map<String, String> tables) {
    tables.put(
        "shardwright_index",
        """
        CREATE TABLE shardwright_index (
          grp varchar(63) NOT NULL REFERENCES shardwright_group (name),
          name varchar(63) NOT NULL,
          table_name varchar(63) NOT NULL,
          state varchar(20) NOT NULL,
          version bigint NOT NULL,
          PRIMARY KEY (grp, name)
        )\
        """);
    tables.put(
        "shardwright_driver",
        """
        CREATE TABLE shardwright_driver (
          id varchar(36) PRIMARY KEY,
          seen bigint NOT NULL,
          latest bigint NOT NULL,
          renewed_at timestamp(6) with time zone NOT NULL,
          expires_at timestamp(6) with time zone NOT NULL
        )\
        """);
    tables.put(
        "shardwright_state",
        """
        CREATE TABLE shardwright_state (
          id integer PRIMARY KEY CHECK (id = 1),
          version bigint NOT NULL
        )\
        """);
    tables.put(
        "shardwright_node",
        """
        CREATE TABLE shardwright_node (
          scope varchar(63) NOT NULL,
          node integer NOT NULL,
          epoch bigint NOT NULL,
          lease_until bigint NOT NULL,
          used_until bigint NOT NULL,
          PRIMARY KEY (scope, node)
        )\
        """);
    tables.put(
        "shardwright_sequence",
        """
        CREATE TABLE shardwright_sequence (
          name varchar(63) PRIMARY KEY,
          next_value bigint NOT NULL
        )\
        """);
  }

  private static void addTablesOfFormat3(Map<String, String> tables) {
    tables.put(
        "shardwright_job",
        """
        CREATE TABLE shardwright_job (
          name varchar(200) PRIMARY KEY,
          epoch bigint NOT NULL,
          held_until bigint NOT NULL,
          done_at bigint NOT NULL,
          progress varchar(2000) NOT NULL,
          result varchar(2000) NOT NULL
        )\
        """);
    tables.put(
        "shardwright_list",
        """
        CREATE TABLE shardwright_list (
          grp varchar(63) NOT NULL,
          name varchar(63) NOT NULL,
          index_columns varchar(1000) NOT NULL,
          covering varchar(2000) NOT NULL,
          spread integer NOT NULL,
          giants varchar(2000) NOT NULL,
          PRIMARY KEY (grp, name),
          FOREIGN KEY (grp, name) REFERENCES shardwright_index (grp, name)
        )\
        """);
  }

  private static void addTablesOfFormat4(Map<String, String> tables) {
    tables.put(
        "shardwright_move",
        """
        CREATE TABLE shardwright_move (
          id bigint PRIMARY KEY,
          grp varchar(63) NOT NULL,
          source varchar(63) NOT NULL,
          target varchar(63) NOT NULL,
          buckets text NOT NULL,
          rows_per_second integer NOT NULL,
          rollback integer NOT NULL,
          window_millis bigint NOT NULL,
          state varchar(20) NOT NULL,
          wish varchar(20) NOT NULL,
          epoch bigint NOT NULL,
          worker varchar(200) NOT NULL,
          held_until bigint NOT NULL,
          intent varchar(36) NOT NULL,
          intent_buckets text NOT NULL,
          rows_total bigint NOT NULL,
          rows_copied bigint NOT NULL,
          rows_applied bigint NOT NULL,
          pending bigint NOT NULL,
          attempts bigint NOT NULL,
          note varchar(2000) NOT NULL,
          pauses text NOT NULL,
          created_at bigint NOT NULL,
          changed_at bigint NOT NULL
        )\
        """);
  }

  private static void addTablesOfFormat5(Map<String, String> tables) {
    tables.put(
        "shardwright_heat",
        """
        CREATE TABLE shardwright_heat (
          slot bigint NOT NULL,
          grp varchar(63) NOT NULL,
          bucket integer NOT NULL,
          read_count bigint NOT NULL,
          write_count bigint NOT NULL,
          row_count bigint NOT NULL,
          nanos bigint NOT NULL,
          PRIMARY KEY (slot, grp, bucket)
        )\
        """);
    tables.put(
        "shardwright_move_stage",
        """
        CREATE TABLE shardwright_move_stage (
          move_id bigint NOT NULL,
          stage varchar(20) NOT NULL,
          times bigint NOT NULL,
          row_count bigint NOT NULL,
          total_micros bigint NOT NULL,
          most_micros bigint NOT NULL,
          PRIMARY KEY (move_id, stage)
        )\
        """);
  }

  private static void addTablesOfFormat6(Map<String, String> tables) {
    tables.put(
        "shardwright_directory",
        """
        CREATE TABLE shardwright_directory (
          grp varchar(63) NOT NULL REFERENCES shardwright_group (name),
          first_bucket integer NOT NULL,
          bucket_count integer NOT NULL,
          key_values varchar(2000) NOT NULL,
          PRIMARY KEY (grp, first_bucket)
        )\
        """);
  }
}
