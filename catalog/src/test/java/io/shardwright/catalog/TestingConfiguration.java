package io.shardwright.catalog;

import io.shardwright.config.Configuration;
import io.shardwright.config.Configuration.Endpoint;
import io.shardwright.config.Configuration.Shard;
import io.shardwright.config.ConfigurationReader;
import io.shardwright.routing.ShardId;
import io.shardwright.testkit.EmbeddedPostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Collectors;

/** Configurations whose databases are on the shared test servers, which have the same user. */
public final class TestingConfiguration {
  private static final EmbeddedPostgresServer SERVER = EmbeddedPostgresServer.shared();

  private TestingConfiguration() {}

  /**
   * @param catalogUrl empty: none
   * @param shardUrls of s0, s1, ...
   * @param rest groups: and reference:
   */
  public static Configuration of(String catalogUrl, List<String> shardUrls, String rest) {
    StringBuilder yaml = new StringBuilder("version: 1\n");
    if (!catalogUrl.isEmpty()) {
      yaml.append("catalog: ").append(endpoint(catalogUrl)).append('\n');
    }
    yaml.append("shards:\n");
    for (int i = 0; i < shardUrls.size(); i++) {
      yaml.append("  s").append(i).append(": ").append(endpoint(shardUrls.get(i))).append('\n');
    }
    return ConfigurationReader.parse("test.yaml", yaml + rest, Map.of());
  }

  /**
   * @param shards their lines
   */
  static Configuration ofShards(String catalogUrl, String shards, String rest) {
    return ConfigurationReader.parse(
        "test.yaml",
        "version: 1\ncatalog: " + endpoint(catalogUrl) + "\nshards:\n" + shards + rest,
        Map.of());
  }

  /** On MariaDB, too, several statements may be executed as one. */
  /** The same without a catalog and with other shards, in this order. */
  public static Configuration withShards(Configuration good, Map<ShardId, Shard> shards) {
    return new Configuration(
        Optional.empty(),
        shards,
        good.groups(),
        good.reference(),
        good.single(),
        good.redis(),
        good.warnShards(),
        good.moves(),
        good.mover(),
        good.heat());
  }

  /** The same of one shard, whose user is another one, and without a catalog. */
  public static Configuration withLogin(Configuration good, String user, String password) {
    Shard shard = good.shards().values().iterator().next();
    Endpoint login = new Endpoint(shard.endpoint().url(), user, password);
    return withShards(good, Map.of(shard.id(), new Shard(shard.id(), login, shard.pool())));
  }

  public static Connection connect(String url) throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("user", SERVER.user());
    properties.setProperty("password", SERVER.password());
    properties.setProperty("allowMultiQueries", "true");
    return DriverManager.getConnection(url, properties);
  }

  public static void execute(String url, String sql) throws SQLException {
    try (Connection connection = connect(url);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Rows as text, columns separated by a bar. */
  public static List<String> query(String url, String sql) throws SQLException {
    try (Connection connection = connect(url);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      List<String> rows = new ArrayList<>();
      while (row.next()) {
        List<String> columns = new ArrayList<>();
        for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
          columns.add(row.getString(i));
        }
        rows.add(columns.stream().map(String::valueOf).collect(Collectors.joining("|")));
      }
      return rows;
    }
  }

  /** The statements that create the catalog's tables. */
  public static List<String> catalogTables() {
    return List.copyOf(CatalogInstaller.TABLES.values());
  }

  private static String endpoint(String url) {
    return "{url: \"%s\", user: %s, password: %s}".formatted(url, SERVER.user(), SERVER.password());
  }
}
