package io.shardwright.cli;

import io.shardwright.driver.StatementTrace;
import io.shardwright.sql.Plan;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLWarning;

/** Tables for people; what is not a result goes to standard error. */
final class SqlText implements SqlOutput {
  private static final int FLUSH_ROWS = 200;

  private final Console console;
  private final int limit;
  private Plan.Kind kind;
  private String words = "";
  private StatementTrace trace;

  /**
   * @param limit rows printed of each result, 0: all
   */
  SqlText(Console console, int limit) {
    this.console = console;
    this.limit = limit;
  }

  @Override
  public void begin(Plan.Kind kind, Script.Statement statement) {
    this.kind = kind;
    this.words = statement.words();
    this.trace = null;
  }

  @Override
  public void sent(StatementTrace sent) {
    trace = sent;
  }

  @Override
  public void rows(ResultSet rows, SQLWarning warnings) throws SQLException {
    Cells cells = new Cells(rows);
    TextTable table = new TextTable(console, cells.names(), cells.isNumber());
    long count = 0;
    boolean more = rows.next();
    for (; more && (limit == 0 || count < limit); more = rows.next()) {
      table.row(cells.texts(console.charset()));
      count++;
      if (count % FLUSH_ROWS == 0) {
        console.flush();
      }
    }
    table.end();
    console.println(
        "("
            + ParameterOption.count(count, "row", "rows")
            + where()
            + (more ? ", and there are more: give a higher --limit, or 0 for all" : "")
            + ")");
    warn(warnings);
    warn(rows.getWarnings());
    console.flush();
  }

  @Override
  public void count(long rows, SQLWarning warnings) {
    String done =
        switch (kind) {
          case INSERT -> ParameterOption.count(rows, "row", "rows") + " inserted";
          case UPDATE -> ParameterOption.count(rows, "row", "rows") + " updated";
          case DELETE -> ParameterOption.count(rows, "row", "rows") + " deleted";
          case SELECT, DDL -> words + " done";
        };
    console.println("(" + done + where() + ")");
    warn(warnings);
    console.flush();
  }

  private String where() {
    if (trace == null || trace.shards().isEmpty()) {
      return trace == null ? "" : " from any shard";
    }
    String names = String.join(" ", trace.shards().stream().map(Object::toString).toList());
    return (kind == Plan.Kind.SELECT ? " from " : " on ") + names;
  }

  private void warn(SQLWarning first) {
    for (SQLWarning warning = first; warning != null; warning = warning.getNextWarning()) {
      console.out().flush();
      console.err().println("warning: " + Printable.text(warning.getMessage(), console.charset()));
    }
  }

  @Override
  public boolean failed(Failure failure) {
    return false;
  }

  @Override
  public void end() {}

  @Override
  public void close() {}
}
