package io.shardwright.bench.stub;

import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import java.util.logging.Logger;

/** Physical connections to {@link StubDatabase}s, under urls that pass for PostgreSQL's. */
public final class StubDriver implements Driver {
  private static final String URL = "jdbc:postgresql://stub/";
  private static final Map<String, StubDatabase> DATABASES = new ConcurrentHashMap<>();

  private StubDriver() {}

  /**
   * Registers a stub and puts this driver before those that also accept its url.
   *
   * @param real url of the database whose answers are recorded
   * @return the url under which {@link DriverManager} connects to the stub
   */
  public static synchronized String add(String real, String user, String password)
      throws SQLException {
    if (DATABASES.isEmpty()) {
      List<Driver> others = Collections.list(DriverManager.getDrivers());
      for (Driver other : others) {
        DriverManager.deregisterDriver(other);
      }
      DriverManager.registerDriver(new StubDriver());
      for (Driver other : others) {
        DriverManager.registerDriver(other);
      }
    }
    String url = URL + real.substring(real.lastIndexOf('/') + 1);
    DATABASES.put(url, new StubDatabase(real, user, password));
    return url;
  }

  /** The stub of a url that {@link #add} returned. */
  public static StubDatabase database(String url) {
    return DATABASES.get(url);
  }

  @Override
  public boolean acceptsURL(String url) {
    return url.startsWith(URL);
  }

  @Override
  public Connection connect(String url, Properties info) {
    StubDatabase database = DATABASES.get(url);
    return database == null ? null : new StubConnection(database);
  }

  @Override
  public DriverPropertyInfo[] getPropertyInfo(String url, Properties info) {
    return new DriverPropertyInfo[0];
  }

  @Override
  public int getMajorVersion() {
    return 1;
  }

  @Override
  public int getMinorVersion() {
    return 0;
  }

  @Override
  public boolean jdbcCompliant() {
    return false;
  }

  @Override
  public Logger getParentLogger() {
    return Logger.getLogger("io.shardwright.bench.stub");
  }
}
