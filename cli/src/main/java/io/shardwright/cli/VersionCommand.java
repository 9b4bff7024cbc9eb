package io.shardwright.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(name = "version", description = "Print the version of Shardwright and of Java.")
final class VersionCommand implements Callable<Integer> {
  private final Console console;
  @Mixin private JsonOption json;

  VersionCommand(Console console) {
    this.console = console;
  }

  static String version() {
    Properties properties = new Properties();
    try (InputStream file = VersionCommand.class.getResourceAsStream("version.properties")) {
      properties.load(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return properties.getProperty("version");
  }

  @Override
  public Integer call() {
    String java = System.getProperty("java.version");
    if (json.isSet()) {
      Json.print(console, Json.object("shardwright", version(), "java", java));
    } else {
      console.println("shardwright " + version() + ", Java " + java);
    }
    return ExitCode.OK.number();
  }
}
