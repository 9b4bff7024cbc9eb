package io.shardwright.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import io.shardwright.driver.StatementTrace;
import io.shardwright.sql.Plan;
import java.io.IOException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * One JSON document with one object per statement, written as the rows come. After a failure in the
 * middle the document is closed properly and has an {@code error}.
 */
final class SqlJson implements SqlOutput {
  private static final int FLUSH_ROWS = 200;

  private final Console console;
  private final int limit;
  private JsonGenerator generator;
  private Plan.Kind kind;
  private Script.Statement statement;
  private StatementTrace trace;

  /**
   * @param limit rows printed of each result, 0: all
   */
  SqlJson(Console console, int limit) {
    this.console = console;
    this.limit = limit;
  }

  @Override
  public void begin(Plan.Kind kind, Script.Statement statement) {
    this.kind = kind;
    this.statement = statement;
    this.trace = null;
  }

  @Override
  public void sent(StatementTrace sent) {
    trace = sent;
  }

  @Override
  public void rows(ResultSet rows, SQLWarning warnings) throws SQLException, IOException {
    Cells cells = new Cells(rows);
    startResult();
    generator.writeArrayFieldStart("columns");
    for (int i = 0; i < cells.names().size(); i++) {
      Json.write(
          generator, Json.object("name", cells.names().get(i), "type", cells.types().get(i)));
    }
    generator.writeEndArray();
    generator.writeArrayFieldStart("rows");
    long count = 0;
    boolean more = rows.next();
    for (; more && (limit == 0 || count < limit); more = rows.next()) {
      generator.writeRaw("\n");
      cells.write(generator);
      count++;
      if (count % FLUSH_ROWS == 0) {
        flush();
      }
    }
    generator.writeEndArray();
    generator.writeNumberField("rowCount", count);
    generator.writeBooleanField("truncated", more);
    List<String> texts = texts(warnings);
    texts.addAll(texts(rows.getWarnings()));
    endResult(texts);
  }

  @Override
  public void count(long rows, SQLWarning warnings) throws IOException {
    startResult();
    generator.writeNumberField("updateCount", rows);
    endResult(texts(warnings));
  }

  private void start() throws IOException {
    if (generator == null) {
      generator = Json.generator(console);
      generator.writeStartObject();
      generator.writeArrayFieldStart("results");
    }
  }

  private void startResult() throws IOException {
    start();
    generator.writeStartObject();
    generator.writeNumberField("line", statement.line());
    generator.writeStringField("kind", kind.name().toLowerCase(Locale.ROOT));
    if (trace != null) {
      generator.writeFieldName("shards");
      Json.write(generator, trace.shards());
      generator.writeFieldName("mapVersion");
      Json.write(generator, trace.mapVersion());
      generator.writeStringField("reason", trace.reason());
    }
  }

  private void endResult(List<String> warnings) throws IOException {
    generator.writeFieldName("warnings");
    Json.write(generator, warnings);
    generator.writeEndObject();
    generator.writeRaw("\n");
    flush();
  }

  private static List<String> texts(SQLWarning first) {
    List<String> texts = new ArrayList<>();
    for (SQLWarning warning = first; warning != null; warning = warning.getNextWarning()) {
      texts.add(warning.getMessage());
    }
    return texts;
  }

  private void flush() throws IOException {
    generator.flush();
    console.flush();
  }

  @Override
  public boolean failed(Failure failure) throws IOException {
    start();
    while (!generator.getOutputContext().getParent().inRoot()) {
      close(generator);
    }
    generator.writeFieldName("error");
    Json.write(generator, failure.json());
    end();
    return true;
  }

  private static void close(JsonGenerator generator) throws IOException {
    if (generator.getOutputContext().inArray()) {
      generator.writeEndArray();
    } else {
      generator.writeEndObject();
    }
  }

  @Override
  public void end() throws IOException {
    start();
    if (generator.getOutputContext().inArray()) {
      generator.writeEndArray();
    }
    generator.writeEndObject();
    generator.flush();
    console.out().println();
    console.flush();
  }

  @Override
  public void close() {}
}
