package io.shardwright.cli;

import io.shardwright.advisor.logs.FileErrors;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;

/** A file that an option of a command names. */
final class ReportFile {
  /** How a shardwright.yaml of {@code advise} begins. */
  private static final String YAML_OF_ADVISE = "# Written by shardwright advise";

  private ReportFile() {}

  /**
   * Before a command begins.
   *
   * @param file null when the option was not given
   * @param inputs what the command reads; nulls are left out
   * @throws ShardwrightException SW603 when the file is one of them
   */
  static void refuseInput(String option, Path file, Collection<Path> inputs) {
    if (file == null || !Files.exists(file)) {
      return;
    }
    for (Path input : inputs) {
      try {
        if (input != null && Files.exists(input) && Files.isSameFile(file, input)) {
          throw new ShardwrightException(
              ErrorCode.COMMAND_INVALID,
              option + " " + file + " is a file that the command reads; name another file");
        }
      } catch (IOException e) {
        throw new ShardwrightException(
            ErrorCode.COMMAND_INVALID,
            option + " " + file + " cannot be read: " + FileErrors.reason(e),
            e);
      }
    }
  }

  /**
   * A file of people's own would be lost; an empty one has nothing to lose.
   *
   * @param file null when the option was not given
   * @throws ShardwrightException SW603 when it is there and advise did not write it
   */
  static void refuseForeignYaml(Path file) {
    if (file == null || !Files.exists(file)) {
      return;
    }
    byte[] begin;
    try (InputStream in = Files.newInputStream(file)) {
      begin = in.readNBytes(YAML_OF_ADVISE.length());
    } catch (IOException e) {
      throw new ShardwrightException(
          ErrorCode.COMMAND_INVALID,
          "--yaml " + file + " cannot be read: " + FileErrors.reason(e) + "; name another file",
          e);
    }
    if (begin.length > 0
        && !new String(begin, StandardCharsets.ISO_8859_1).equals(YAML_OF_ADVISE)) {
      throw new ShardwrightException(
          ErrorCode.COMMAND_INVALID,
          "--yaml "
              + file
              + " is there and was not written by advise, whose files begin with \""
              + YAML_OF_ADVISE
              + "\"; name another file, or remove it");
    }
  }

  /**
   * @param document as {@link Json#text} takes it
   * @throws ShardwrightException SW603 when the file cannot be written
   */
  static void json(Path file, Object document) {
    try {
      text(file, Json.text(document) + "\n");
    } catch (IOException e) {
      throw new IllegalStateException("a text in memory cannot fail", e);
    }
  }

  /** In UTF-8; a file that is there is replaced. The same errors. */
  static void text(Path file, String text) {
    try {
      Files.writeString(file, text, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new ShardwrightException(
          ErrorCode.COMMAND_INVALID,
          file + " cannot be written: " + FileErrors.reason(e) + "; name another file",
          e);
    }
  }
}
