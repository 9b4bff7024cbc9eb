package io.shardwright.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;

/** What the figures were measured on. */
final class Machine {
  private Machine() {}

  static String describe() {
    Runtime runtime = Runtime.getRuntime();
    return "%s, %d processors; %s %s; Java %s (%s); pgjdbc %s"
        .formatted(
            processor(),
            runtime.availableProcessors(),
            System.getProperty("os.name"),
            System.getProperty("os.version"),
            Runtime.version(),
            System.getProperty("java.vm.name"),
            pgjdbc());
  }

  private static String pgjdbc() {
    return DriverManager.drivers()
        .filter(driver -> driver.getClass().getName().startsWith("org.postgresql."))
        .map(driver -> driver.getClass().getPackage().getImplementationVersion())
        .findFirst()
        .orElse("unknown");
  }

  private static String processor() {
    try {
      return Files.readAllLines(Path.of("/proc/cpuinfo")).stream()
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse(System.getProperty("os.arch"));
    } catch (IOException e) {
      return System.getProperty("os.arch");
    }
  }
}
