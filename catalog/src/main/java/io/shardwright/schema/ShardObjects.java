package io.shardwright.schema;

import io.shardwright.catalog.Database;
import io.shardwright.routing.ShardId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Shardwright's own tables on a shard (docs/catalog-format.md), created under a lock: once when two
 * runs meet. Each is of use only with its rows, so that a run may die between two of them.
 */
final class ShardObjects {
  /** By table name, in order of creation. That of buckets is made with a catalog only. */
  static final Map<String, String> TABLES = tables();

  private ShardObjects() {}

  /** What a run made and what it found made. Thread-safe. */
  static final class Log {
    private final List<String> created = new ArrayList<>();
    private final List<String> existing = new ArrayList<>();

    synchronized void add(boolean isNew, String object) {
      (isNew ? created : existing).add(object);
    }

    synchronized List<String> created() {
      return created.stream().sorted().toList();
    }

    synchronized List<String> existing() {
      return existing.stream().sorted().toList();
    }
  }

  /**
   * Gives the shard its identity unless it has one, which is then returned for the caller to judge.
   *
   * @param connection in autocommit, and again afterwards
   */
  static ShardIdentity install(
      Connection connection, ShardId shard, Optional<UUID> cluster, Log log) throws SQLException {
    Map<String, Boolean> tables = new LinkedHashMap<>();
    Database database = Database.of(Database.product(connection));
    ShardIdentity identity =
        database.locked(
            connection,
            c -> {
              create(database, c, tables, cluster.isPresent());
              return identify(c, shard, cluster);
            });
    tables.forEach((table, isNew) -> log.add(isNew, "shard " + shard + ": table " + table));
    return identity;
  }

  private static void create(
      Database database, Connection connection, Map<String, Boolean> isNew, boolean isMovable)
      throws SQLException {
    try (Statement statement = connection.createStatement()) {
      Map<String, String> wanted = new LinkedHashMap<>(TABLES);
      if (!isMovable) {
        wanted.remove(Fence.BUCKET_TABLE);
      }
      for (Map.Entry<String, String> table : wanted.entrySet()) {
        boolean exists = database.exists(connection, table.getKey());
        if (!exists) {
          statement.execute(database.ownTable(table.getValue()));
        }
        isNew.put(table.getKey(), !exists);
      }
    }
  }

  private static ShardIdentity identify(
      Connection connection, ShardId shard, Optional<UUID> cluster) throws SQLException {
    Optional<ShardIdentity> found = ShardIdentity.read(connection);
    if (found.isEmpty()) {
      write(
          connection,
          "INSERT INTO shardwright_shard (id, cluster_id, shard) VALUES (1, ?, ?)",
          shard,
          cluster);
    } else if (cluster.isPresent()
        && found.get().equals(new ShardIdentity(Optional.empty(), shard))) {
      // Set up without a catalog before; a catalog that was added later takes the shard in.
      write(
          connection,
          "UPDATE shardwright_shard SET cluster_id = ? WHERE shard = ?",
          shard,
          cluster);
    } else {
      return found.get();
    }
    return new ShardIdentity(cluster, shard);
  }

  private static void write(
      Connection connection, String sql, ShardId shard, Optional<UUID> cluster)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, cluster.map(UUID::toString).orElse(null));
      statement.setString(2, shard.name());
      statement.executeUpdate();
    }
  }

  private static Map<String, String> tables() {
    Map<String, String> tables = new LinkedHashMap<>();
    tables.put(
        "shardwright_shard",
        """
        CREATE TABLE shardwright_shard (
          id integer PRIMARY KEY CHECK (id = 1),
          cluster_id varchar(36),
          shard varchar(63) NOT NULL
        )""");
    tables.put(
        "shardwright_ddl",
        """
        CREATE TABLE shardwright_ddl (
          seq bigint PRIMARY KEY,
          statement text NOT NULL,
          sha256 varchar(64) NOT NULL,
          state varchar(7) NOT NULL CHECK (state IN ('started', 'done')),
          applied_at timestamp(6) with time zone NOT NULL
        )""");
    tables.put(
        Fence.BUCKET_TABLE,
        """
        CREATE TABLE shardwright_bucket (
          grp varchar(127) NOT NULL,
          bucket integer NOT NULL,
          state varchar(8) NOT NULL CHECK (state IN ('open', 'closed', 'incoming', 'away')),
          epoch bigint NOT NULL,
          captured boolean NOT NULL,
          foreign_rows boolean NOT NULL,
          token bigint NOT NULL,
          incarnation varchar(40) NOT NULL,
          PRIMARY KEY (grp, bucket)
        )""");
    return tables;
  }
}
