package io.shardwright.advisor.logs;

import io.shardwright.advisor.logs.LogFile.Note;
import io.shardwright.advisor.logs.LogFile.Skip;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/** Counts what becomes of lines and hands records on. One file, one thread. */
final class Tally {
  static final String NOT_UNDERSTOOD = "not understood";
  static final String BLANK = "blank";

  private final BiConsumer<? super LogRecord, ? super LogFormat> sink;
  private final Map<String, Skip> skipped = new LinkedHashMap<>();
  private final Map<String, Long> notes = new LinkedHashMap<>();
  private LogFormat format;
  private long lineNumber;
  private long statementLines;
  private long records;
  private long executions;
  private long innerLines;

  Tally(BiConsumer<? super LogRecord, ? super LogFormat> sink) {
    this.sink = sink;
  }

  /** Before the first record. */
  void format(LogFormat told) {
    format = told;
  }

  /** Of the line that is being read. */
  long lineNumber() {
    return lineNumber;
  }

  void lineNumber(long number) {
    lineNumber = number;
  }

  long innerLines() {
    return innerLines;
  }

  /** Another line within the line of the file, such as in a JSON document. */
  void innerLine() {
    innerLines++;
  }

  void record(LogRecord record, long lines) {
    statementLines += lines;
    records++;
    executions += record.count();
    sink.accept(record, format);
  }

  /** More lines of a record that was handed on. */
  void lines(long lines) {
    statementLines += lines;
  }

  void skip(String reason) {
    skip(reason, 1, lineNumber);
  }

  void skip(String reason, long lines, long firstLine) {
    if (lines > 0) {
      skipped.merge(
          reason,
          new Skip(reason, lines, firstLine),
          (a, b) ->
              new Skip(reason, a.lines() + b.lines(), Math.min(a.firstLine(), b.firstLine())));
    }
  }

  void note(String what) {
    notes.merge(what, 1L, Long::sum);
  }

  long statementLines() {
    return statementLines;
  }

  long records() {
    return records;
  }

  long executions() {
    return executions;
  }

  List<Skip> skipped() {
    return List.copyOf(skipped.values());
  }

  List<Note> notes() {
    List<Note> list = new ArrayList<>();
    notes.forEach((what, times) -> list.add(new Note(what, times)));
    return list;
  }
}
