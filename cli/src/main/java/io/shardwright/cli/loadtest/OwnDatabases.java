package io.shardwright.cli.loadtest;

import io.shardwright.catalog.Database;
import io.shardwright.catalog.DatabaseLogin;
import io.shardwright.catalog.SqlFailure;
import io.shardwright.config.Configuration;
import io.shardwright.config.Configuration.Endpoint;
import io.shardwright.config.Configuration.Shard;
import io.shardwright.config.DatabaseProduct;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.ShardId;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Databases beside those of a configuration, on its servers, under a name that nobody else has.
 * They are dropped by {@link #drop}, of which there may be several, on any thread: after the first
 * one none is created any more. Thread-safe.
 */
final class OwnDatabases {
  static final String PREFIX = "shardwright_loadtest_";

  /** A server may be slow at it: PostgreSQL copies a database, and waits for a checkpoint. */
  private static final DatabaseLogin LOGIN =
      new DatabaseLogin(Duration.ofSeconds(5), Duration.ofMinutes(2), Duration.ofSeconds(125));

  private static final int NAME_BYTES = 4;

  private final Configuration servers;
  private final String name = PREFIX + random();
  private final List<Created> created = new ArrayList<>();
  private final Map<ShardId, Endpoint> shards = new LinkedHashMap<>();
  private Endpoint catalog;
  private boolean dropped;

  private record Created(Endpoint server, String database) {}

  OwnDatabases(Configuration servers) {
    this.servers = servers;
  }

  private static String random() {
    byte[] bytes = new byte[NAME_BYTES];
    new SecureRandom().nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  /**
   * One for each shard, and one for the catalog.
   *
   * @throws ShardwrightException SW401, SW403 with every server that cannot be used; then what was
   *     created is for {@link #drop}
   */
  void create() {
    List<String> unreachable = new ArrayList<>();
    List<String> refused = new ArrayList<>();
    Shard first = servers.shards().values().iterator().next();
    catalog = create("catalog", servers.catalog().orElse(first.endpoint()), unreachable, refused);
    for (Shard shard : servers.shards().values()) {
      String place = "shards." + shard.id();
      shards.put(shard.id(), create(place, shard.endpoint(), unreachable, refused));
    }
    List<String> all = new ArrayList<>(unreachable);
    all.addAll(refused);
    if (!all.isEmpty()) {
      throw new ShardwrightException(
          unreachable.isEmpty() ? ErrorCode.SHARD_LOGIN_FAILED : ErrorCode.SHARD_UNAVAILABLE,
          "no database of its own can be created on some servers; nothing of the load test is left"
              + " on the others: "
              + String.join("; ", all));
    }
  }

  private synchronized Endpoint create(
      String place, Endpoint server, List<String> unreachable, List<String> refused) {
    if (dropped) {
      throw new ShardwrightException(ErrorCode.COMMAND_INVALID, "the load test was ended");
    }
    String database = name + "_" + created.size();
    try (Connection connection = LOGIN.open(server);
        Statement statement = connection.createStatement()) {
      String quoted = Database.of(server.product()).quote(database);
      try {
        statement.execute(
            "CREATE DATABASE "
                + quoted
                + (server.product() == DatabaseProduct.POSTGRESQL
                    ? " TEMPLATE template0"
                    : " CHARACTER SET utf8mb4"));
        created.add(new Created(server, database));
      } catch (SQLException e) {
        if (!SqlFailure.isMissingRight(e) && !SqlFailure.isLogin(e)) {
          throw e;
        }
        refused.add(place + " (" + server + "): " + missingRight(server));
      }
    } catch (SQLException e) {
      boolean login = SqlFailure.isLogin(e);
      (login ? refused : unreachable)
          .add(
              place
                  + " ("
                  + server
                  + "): "
                  + (login
                      ? "refuses user " + server.user() + "; correct its user and password"
                      : "cannot be used (" + e.getMessage() + "); check that it runs"));
    }
    return new Endpoint(
        ServerUrl.withDatabase(server.url(), database), server.user(), server.password());
  }

  private static String missingRight(Endpoint server) {
    return "user "
        + server.user()
        + " may not create databases; as an administrator run "
        + (server.product() == DatabaseProduct.POSTGRESQL
            ? "ALTER ROLE \"" + server.user() + "\" CREATEDB"
            : "GRANT ALL PRIVILEGES ON `"
                + PREFIX.replace("_", "\\_")
                + "%`.* TO '"
                + server.user()
                + "'@'%'");
  }

  Endpoint catalog() {
    return catalog;
  }

  /** In the order of the file. */
  Map<ShardId, Endpoint> shards() {
    return shards;
  }

  /** Of all that were created. */
  synchronized List<String> names() {
    return created.stream().map(one -> one.server() + ": " + one.database()).toList();
  }

  /**
   * Drops them, whoever is connected.
   *
   * @return those that are left, and why
   */
  synchronized List<String> drop() {
    dropped = true;
    List<String> left = new ArrayList<>();
    for (Created one : List.copyOf(created)) {
      boolean postgres = one.server().product() == DatabaseProduct.POSTGRESQL;
      String sql =
          "DROP DATABASE IF EXISTS "
              + Database.of(one.server().product()).quote(one.database())
              + (postgres ? " WITH (FORCE)" : "");
      try (Connection connection = LOGIN.open(one.server());
          Statement statement = connection.createStatement()) {
        statement.execute(sql);
        created.remove(one);
      } catch (SQLException e) {
        left.add(one.server() + ": " + sql + " (" + e.getMessage() + ")");
      }
    }
    return left;
  }
}
