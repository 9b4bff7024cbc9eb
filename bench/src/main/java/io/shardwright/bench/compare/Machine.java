package io.shardwright.bench.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Driver;
import java.sql.DriverManager;
import java.util.LinkedHashMap;
import java.util.Map;

/** What the figures were measured on. */
public final class Machine {
  private Machine() {}

  /** Names and values, in the order in which they are read best. */
  static Map<String, String> facts() throws IOException {
    Runtime runtime = Runtime.getRuntime();
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("processor", fromProc("cpuinfo", "model name"));
    facts.put("processors", Integer.toString(runtime.availableProcessors()));
    facts.put("memory", fromProc("meminfo", "MemTotal"));
    facts.put(
        "operating system", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    facts.put("java", Runtime.version() + ", " + System.getProperty("java.vm.name"));
    facts.put("options of each process", String.join(" ", ContestantProcess.JVM_OPTIONS));
    for (Database database : Database.values()) {
      facts.put("JDBC driver of " + database.label(), version(database.driver()));
    }
    facts.put("HikariCP", version("com.zaxxer.hikari.HikariDataSource"));
    facts.put("ShardingSphere-JDBC", ContestantProcess.shardingSphereVersion());
    return facts;
  }

  public static String describe() throws IOException {
    return String.join("; ", facts().values());
  }

  private static String version(String className) {
    for (Driver driver : DriverManager.drivers().toList()) {
      if (driver.getClass().getName().equals(className)) {
        return driver.getMajorVersion() + "." + driver.getMinorVersion() + patch(driver.getClass());
      }
    }
    try {
      return ofJar(Class.forName(className));
    } catch (ClassNotFoundException e) {
      return "none";
    }
  }

  private static String patch(Class<?> type) {
    String full = type.getPackage().getImplementationVersion();
    return full == null ? "" : " (" + full + ")";
  }

  /** By its file's name: not every jar names its version inside. */
  private static String ofJar(Class<?> type) {
    String file = type.getProtectionDomain().getCodeSource().getLocation().getPath();
    return file.substring(file.lastIndexOf('/') + 1).replaceAll("^[A-Za-z-]+|\\.jar$", "");
  }

  private static String fromProc(String file, String name) {
    try {
      return Files.readAllLines(Path.of("/proc", file)).stream()
          .filter(line -> line.startsWith(name))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse("unknown");
    } catch (IOException e) {
      return "unknown";
    }
  }
}
