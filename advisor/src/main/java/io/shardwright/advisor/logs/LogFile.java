package io.shardwright.advisor.logs;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What became of one file: every line is part of a statement or skipped with a reason.
 *
 * @param format empty when it was refused
 * @param lines all of them; a JSON document that holds several counts as so many
 * @param statementLines that belong to statements
 * @param records statements that were read
 * @param executions what they stand for
 * @param skipped why lines are no statements, in the order in which the reasons came up; the lines
 *     of all reasons and {@code statementLines} add up to {@code lines}
 * @param notes what was assumed, such as a time zone
 * @param refusal why nothing of it was read
 */
public record LogFile(
    Path path,
    Optional<LogFormat> format,
    long lines,
    long statementLines,
    long records,
    long executions,
    List<Skip> skipped,
    List<Note> notes,
    Optional<Refusal> refusal) {
  public LogFile {
    skipped = List.copyOf(skipped);
    notes = List.copyOf(notes);
  }

  /**
   * Lines that are no statement.
   *
   * @param firstLine the number of the first of them
   */
  public record Skip(String reason, long lines, long firstLine) {}

  /** What was assumed of how many lines. */
  public record Note(String what, long times) {}

  /**
   * No format fits.
   *
   * @param line its number, 0 for an empty file
   * @param text the line that was not understood, cut
   */
  public record Refusal(long line, String text, String why) {
    /** For a user: the line with its literals as question marks. */
    public String told() {
      String shown = text.isBlank() ? "" : ": " + Masked.text(text);
      return "line " + line + ": " + why + shown;
    }
  }

  public long skippedLines() {
    return skipped.stream().mapToLong(Skip::lines).sum();
  }
}
