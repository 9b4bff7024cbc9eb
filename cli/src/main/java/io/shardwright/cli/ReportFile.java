package io.shardwright.cli;

import io.shardwright.advisor.logs.FileErrors;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file that an option of a command names. */
final class ReportFile {
  private ReportFile() {}

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
