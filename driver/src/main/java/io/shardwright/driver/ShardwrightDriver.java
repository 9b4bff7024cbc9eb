package io.shardwright.driver;

import io.shardwright.errors.ShardwrightException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.logging.Logger;

/**
 * {@code jdbc:shardwright:<path of shardwright.yaml>}, perhaps with settings of the connection
 * behind a question mark: {@code ?scatter=allow&timeout=2s}. All connections of one path share one
 * cluster, which is opened by the first and closed some time after the last. Loading this class
 * loads nothing else. Thread-safe.
 */
public final class ShardwrightDriver implements Driver {
  static final String URL_PREFIX = "jdbc:shardwright:";
  static final String VERSION = "0.1.0";
  static final int MAJOR_VERSION = 0;
  static final int MINOR_VERSION = 1;

  /** An application that opens one connection after the other must not reconnect each time. */
  private static final long LINGER_SECONDS = 60;

  static {
    try {
      DriverManager.registerDriver(new ShardwrightDriver());
    } catch (SQLException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Clusters by absolute path; only touched once a url is ours. */
  private static final class Shared {
    private static final Map<Path, Shared> OPEN = new HashMap<>();
    private static final ScheduledExecutorService CLOSER =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "shardwright-driver-closer");
              thread.setDaemon(true);
              return thread;
            });

    private final Path path;
    private final ShardwrightDataSource source;
    private int connections;
    private long uses;

    Shared(Path path) {
      this.path = path;
      this.source = Shardwright.open(path);
    }

    static Connection connect(Path path, ConnectionSettings settings) throws SQLException {
      Shared shared;
      synchronized (OPEN) {
        shared = OPEN.get(path);
        if (shared == null) {
          shared = new Shared(path);
          OPEN.put(path, shared);
        }
        shared.connections++;
        shared.uses++;
      }
      return shared.source.connection(settings, shared::closed);
    }

    private void closed() {
      synchronized (OPEN) {
        connections--;
        if (connections == 0) {
          long seen = uses;
          Future<?> unused =
              CLOSER.schedule(() -> closeIfUnused(seen), LINGER_SECONDS, TimeUnit.SECONDS);
        }
      }
    }

    private void closeIfUnused(long seen) {
      synchronized (OPEN) {
        if (connections > 0 || uses != seen) {
          return;
        }
        OPEN.remove(path);
      }
      source.close();
    }
  }

  @Override
  public boolean acceptsURL(String url) {
    return url != null && url.startsWith(URL_PREFIX);
  }

  @Override
  public Connection connect(String url, Properties properties) throws SQLException {
    if (!acceptsURL(url)) {
      return null;
    }
    int query = url.indexOf('?');
    String path = url.substring(URL_PREFIX.length(), query < 0 ? url.length() : query);
    if (path.isEmpty()) {
      throw SqlErrors.unsupported(
          "the url " + url, "write " + URL_PREFIX + "<path of shardwright.yaml>");
    }
    if (properties != null && !properties.getProperty("user", "").isEmpty()) {
      throw SqlErrors.unsupported(
          "a user for one connection", "users and passwords are those of shardwright.yaml");
    }
    ConnectionSettings settings =
        ConnectionSettings.ofUrl(query < 0 ? "" : url.substring(query + 1), properties);
    try {
      return Shared.connect(Path.of(path).toAbsolutePath().normalize(), settings);
    } catch (ShardwrightException e) {
      throw SqlErrors.of(e);
    }
  }

  @Override
  public DriverPropertyInfo[] getPropertyInfo(String url, Properties properties) {
    return ConnectionSettings.NAMES.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .map(setting -> info(setting.getKey(), setting.getValue(), properties))
        .toArray(DriverPropertyInfo[]::new);
  }

  private static DriverPropertyInfo info(String name, String text, Properties properties) {
    DriverPropertyInfo info =
        new DriverPropertyInfo(name, properties == null ? null : properties.getProperty(name));
    info.description = text;
    return info;
  }

  @Override
  public int getMajorVersion() {
    return MAJOR_VERSION;
  }

  @Override
  public int getMinorVersion() {
    return MINOR_VERSION;
  }

  /** False: updatable results, callable statements and more are refused (docs/driver.md). */
  @Override
  public boolean jdbcCompliant() {
    return false;
  }

  @Override
  public Logger getParentLogger() {
    return Logger.getLogger("io.shardwright");
  }
}
