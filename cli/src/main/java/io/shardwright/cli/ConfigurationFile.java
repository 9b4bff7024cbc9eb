package io.shardwright.cli;

import io.shardwright.config.Configuration;
import io.shardwright.config.ConfigurationReader;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The option that names the configuration. */
final class ConfigurationFile {
  @Option(
      names = {"-c", "--config"},
      paramLabel = "FILE",
      required = true,
      description = "The shardwright.yaml. $${NAME} in it is taken from the environment.")
  private Path file;

  Configuration read() {
    return ConfigurationReader.read(file);
  }
}
