package io.shardwright.cli;

import picocli.CommandLine.Option;

/** The option of every command that prints a result. */
final class JsonOption {
  static final String NAME = "--json";

  @Option(names = NAME, description = "One JSON document on standard output, also for errors.")
  private boolean json;

  boolean isSet() {
    return json;
  }
}
