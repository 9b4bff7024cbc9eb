package io.shardwright.advisor.logs;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.shardwright.advisor.logs.LogFile.Refusal;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Reads files of statements. The format is told from the first lines, never from the name; a file
 * whose format is not known is refused with the line that was not understood, and the next one is
 * read. Memory does not grow with the files. Stateless.
 */
public final class SqlLogs {
  private static final int SAMPLE_LINES = 400;
  private static final int SAMPLE_CHARS = 1 << 20;
  private static final int SHOWN_CHARS = 200;

  private SqlLogs() {}

  /**
   * Reads files one after the other.
   *
   * @param sink gets the records in the order of the files; statements of one session keep their
   *     order
   * @return one result for each file, in their order
   * @throws ShardwrightException SW603 when a file cannot be read
   */
  public static List<LogFile> read(List<Path> files, Consumer<? super LogRecord> sink) {
    List<LogFile> results = new ArrayList<>();
    for (Path file : files) {
      results.add(read(file, sink));
    }
    return results;
  }

  /** The same of one file. */
  public static LogFile read(Path file, Consumer<? super LogRecord> sink) {
    return readWithFormat(file, (record, format) -> sink.accept(record));
  }

  /** The same, with the format of the file beside each record. */
  public static LogFile readWithFormat(
      Path file, BiConsumer<? super LogRecord, ? super LogFormat> sink) {
    try (InputStream in = PlainOrGzip.open(file)) {
      return read(file, in, new Tally(sink));
    } catch (IOException e) {
      throw new ShardwrightException(
          ErrorCode.COMMAND_INVALID, file + " cannot be read: " + FileErrors.reason(e), e);
    }
  }

  /**
   * The same of a stream, which is not closed.
   *
   * @param name for the result
   */
  public static LogFile read(Path name, InputStream stream, Consumer<? super LogRecord> sink)
      throws IOException {
    return read(name, stream, new Tally((record, format) -> sink.accept(record)));
  }

  static LogFile read(Path name, InputStream stream, Tally tally) throws IOException {
    BufferedInputStream in = new BufferedInputStream(stream, SAMPLE_CHARS);
    if (isJsonTable(in)) {
      return readJsonTable(name, in, tally);
    }
    LineReader lines = new LineReader(in);
    List<String> sample = lines.peek(SAMPLE_LINES, SAMPLE_CHARS);
    Detection detection = Detection.of(sample);
    if (detection.format().isEmpty()) {
      return refused(name, detection.refusal(sample));
    }
    tally.format(detection.format().get());
    LogParser parser = parser(detection.format().get(), tally, detection.sample());
    Unwrapper unwrapper = detection.wrapped() ? new Unwrapper() : null;
    long number = 0;
    for (String line = lines.next(); line != null; line = lines.next()) {
      tally.lineNumber(++number);
      if (unwrapper == null) {
        parser.line(line);
      } else {
        unwrapped(unwrapper.lines(line), parser, tally);
      }
    }
    parser.end();
    if (lines.cutLines() > 0) {
      tally.note("lines cut at " + LineReader.LINE_BYTES_MAX + " bytes");
    }
    return result(name, detection.format().get(), number + tally.innerLines(), tally);
  }

  /** A document may hold several lines; each is counted. */
  private static void unwrapped(List<Unwrapper.Inner> inner, LogParser parser, Tally tally) {
    if (inner.isEmpty()) {
      tally.skip("first parts of lines that were cut");
      return;
    }
    for (int i = 0; i < inner.size(); i++) {
      if (i > 0) {
        tally.innerLine();
      }
      if (parser instanceof PostgreSqlLog postgreSql) {
        postgreSql.inner(inner.get(i));
      } else {
        parser.line(inner.get(i).text());
      }
    }
  }

  private static LogParser parser(LogFormat format, Tally tally, List<String> sample) {
    return switch (format) {
      case MYSQL_SLOW -> new MySqlSlowLog(tally);
      case MYSQL_GENERAL -> new MySqlGeneralLog(tally);
      case POSTGRESQL_STDERR -> new PostgreSqlLog(tally);
      case POSTGRESQL_CSV -> new PostgreSqlCsv(tally);
      case POSTGRESQL_JSON -> new PostgreSqlJson(tally);
      case MYSQL_DIGESTS, POSTGRESQL_DIGESTS, MYSQL_TABLE, STATEMENT_TABLE ->
          StatementTable.ofCsv(tally, sample.get(0));
      case SHARDINGSPHERE -> new ShardingSphereLog(tally);
      case VTGATE -> new VtgateLog(tally);
      case SQL_SCRIPT -> new SqlScript(tally, sample);
    };
  }

  private static boolean isJsonTable(BufferedInputStream in) throws IOException {
    in.mark(SAMPLE_CHARS);
    try {
      int first = in.read();
      while (first == ' ' || first == '\n' || first == '\r' || first == '\t') {
        first = in.read();
      }
      if (first == '[') {
        int second = in.read();
        while (second == ' ' || second == '\n' || second == '\r' || second == '\t') {
          second = in.read();
        }
        return second == '{' || second == ']';
      }
      if (first != '{') {
        return false;
      }
    } finally {
      in.reset();
    }
    return isObjectOfATable(in);
  }

  private static boolean isObjectOfATable(BufferedInputStream in) throws IOException {
    in.mark(SAMPLE_CHARS);
    try (var parser = JsonLines.FACTORY.createParser(new Unclosed(in))) {
      parser.nextToken();
      Map<String, Object> object = JsonLines.object(parser);
      return StatementTable.formatOf(List.copyOf(object.keySet())).isPresent();
    } catch (IOException e) {
      return false;
    } finally {
      in.reset();
    }
  }

  private static LogFile readJsonTable(Path name, BufferedInputStream in, Tally tally)
      throws IOException {
    Optional<LogFormat> format = formatOfFirst(in);
    if (format.isEmpty()) {
      return refused(
          name, new Refusal(1, "[", "a JSON array whose objects have no column of statements"));
    }
    tally.format(format.get());
    try {
      long lines = StatementTable.readJson(tally, in);
      return result(name, format.get(), lines, tally);
    } catch (JsonProcessingException e) {
      long line = e.getLocation() == null ? 0 : e.getLocation().getLineNr();
      return refused(name, new Refusal(line, "", "JSON that is broken: " + e.getOriginalMessage()));
    }
  }

  private static Optional<LogFormat> formatOfFirst(BufferedInputStream in) throws IOException {
    in.mark(SAMPLE_CHARS);
    try (var parser = JsonLines.FACTORY.createParser(new Unclosed(in))) {
      while (parser.nextToken() != null) {
        if (parser.currentToken() == JsonToken.START_OBJECT) {
          return StatementTable.formatOf(List.copyOf(JsonLines.object(parser).keySet()));
        }
      }
      return Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    } finally {
      in.reset();
    }
  }

  /** Keeps the stream open for the second reader, and within the mark. */
  private static final class Unclosed extends FilterInputStream {
    private int left = SAMPLE_CHARS - 1;

    Unclosed(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      return left-- > 0 ? super.read() : -1;
    }

    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
      if (left <= 0) {
        return -1;
      }
      int got = super.read(bytes, from, Math.min(length, left));
      left -= Math.max(0, got);
      return got;
    }

    @Override
    public void close() {
      // The owner closes it.
    }
  }

  private static LogFile refused(Path name, Refusal refusal) {
    String text = refusal.text();
    String shown = text.length() > SHOWN_CHARS ? text.substring(0, SHOWN_CHARS) + "..." : text;
    return new LogFile(
        name,
        Optional.empty(),
        0,
        0,
        0,
        0,
        List.of(),
        List.of(),
        Optional.of(new Refusal(refusal.line(), shown, refusal.why())));
  }

  private static LogFile result(Path name, LogFormat format, long lines, Tally tally) {
    return new LogFile(
        name,
        Optional.of(format),
        lines,
        tally.statementLines(),
        tally.records(),
        tally.executions(),
        tally.skipped(),
        tally.notes(),
        Optional.empty());
  }
}
