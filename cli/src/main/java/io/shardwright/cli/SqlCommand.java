package io.shardwright.cli;

import io.shardwright.config.Configuration;
import io.shardwright.driver.Shardwright;
import io.shardwright.driver.ShardwrightDataSource;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.sql.Plan;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Runs statements through the driver, as an application would. */
@Command(
    name = "sql",
    description = {
      "Run SQL through the driver and print the rows, or how many rows it changed.",
      "Example: shardwright sql -c shardwright.yaml \"SELECT * FROM orders WHERE order_id = ?\""
          + " --param 42"
    })
final class SqlCommand implements Callable<Integer> {
  private static final String STANDARD_INPUT = "-";
  private static final int SCRIPT_BYTES_MAX = 64 << 20;

  /** Rows per round trip: large enough to hide the trips, small enough for any row width. */
  private static final int FETCH_ROWS = 500;

  private final Console console;

  @Mixin private ConfigurationFile configuration;
  @Mixin private ParameterOption parameters;
  @Mixin private JsonOption json;

  @Parameters(
      arity = "0..1",
      paramLabel = "SQL",
      description = "One statement, or several separated by semicolons.")
  private String sql;

  @Option(
      names = {"-f", "--file"},
      paramLabel = "FILE",
      description = "Run the statements of a UTF-8 file instead; - is standard input.")
  private String file;

  @Option(
      names = "--limit",
      paramLabel = "ROWS",
      defaultValue = "10000",
      description =
          "Print at most this many rows of each result, and say so; 0: all. Default:"
              + " $${DEFAULT-VALUE}.")
  private int limit;

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      defaultValue = "0",
      description = "Give a statement up after this time; 0: never. Default: $${DEFAULT-VALUE}.")
  private int timeout;

  @Option(
      names = "--transaction",
      description = "All statements in one transaction, which one shard must be able to run.")
  private boolean transaction;

  SqlCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws SQLException, IOException, FailedException {
    checkOptions();
    Configuration read = configuration.read();
    List<Script.Statement> statements = Script.split(text(), read.product());
    if (statements.size() > 1 && !parameters.values().isEmpty()) {
      throw invalid(
          "--param works with one statement, there are " + statements.size() + "; run them apart");
    }
    try (ShardwrightDataSource database = Shardwright.open(read);
        SqlOutput output =
            json.isSet() ? new SqlJson(console, limit) : new SqlText(console, limit)) {
      database.addListener(output::sent);
      try (Connection connection = database.getConnection()) {
        run(database, connection, statements, output);
      }
      output.end();
    }
    return ExitCode.OK.number();
  }

  private void checkOptions() {
    if ((sql == null) == (file == null)) {
      throw invalid("give either the SQL as an argument or --file FILE");
    }
    if (limit < 0 || limit == Integer.MAX_VALUE) {
      throw invalid("--limit " + limit + ": give a number of rows, 0 for all");
    }
    if (timeout < 0) {
      throw invalid("--timeout " + timeout + ": give seconds, 0 for none");
    }
  }

  private void run(
      ShardwrightDataSource database,
      Connection connection,
      List<Script.Statement> statements,
      SqlOutput output)
      throws IOException, FailedException {
    int number = 0;
    try {
      connection.setAutoCommit(!transaction);
      for (Script.Statement statement : statements) {
        number++;
        run(database.plan(statement.sql()), connection, statement, output);
      }
      if (transaction) {
        connection.commit();
      }
    } catch (Console.OutputClosedException e) {
      throw e;
    } catch (SQLException | RuntimeException | OutOfMemoryError e) {
      Failure failure = Failure.of(e);
      if (statements.size() > 1) {
        String where =
            "statement "
                + number
                + " of "
                + statements.size()
                + " (line "
                + statements.get(number - 1).line()
                + "): ";
        failure = failure.with(where + failure.message() + before(number - 1));
      }
      throw new FailedException(failure, output.failed(failure), e);
    }
  }

  private String before(int done) {
    if (done == 0) {
      return "; nothing was run before it";
    }
    return transaction
        ? "; the transaction was rolled back"
        : "; "
            + ParameterOption.count(done, "statement before it was", "statements before it were")
            + " run and stay";
  }

  private void run(Plan plan, Connection connection, Script.Statement statement, SqlOutput output)
      throws SQLException, IOException {
    parameters.check(plan);
    try (PreparedStatement prepared = connection.prepareStatement(plan.sql())) {
      List<String> values = parameters.values();
      for (int i = 0; i < values.size(); i++) {
        if (values.get(i) == null) {
          prepared.setNull(i + 1, Types.NULL);
        } else {
          // Without a type of its own: the server reads it by the type of the place it stands in.
          prepared.setObject(i + 1, values.get(i), Types.OTHER);
        }
      }
      prepared.setQueryTimeout(timeout);
      prepared.setFetchSize(FETCH_ROWS);
      if (limit > 0 && plan.kind() == Plan.Kind.SELECT) {
        prepared.setMaxRows(limit + 1);
      }
      output.begin(plan.kind(), statement);
      if (prepared.execute()) {
        try (ResultSet rows = prepared.getResultSet()) {
          output.rows(rows, prepared.getWarnings());
        }
      } else {
        output.count(prepared.getLargeUpdateCount(), prepared.getWarnings());
      }
    }
  }

  private String text() throws IOException {
    if (sql != null) {
      return sql;
    }
    boolean standardInput = file.equals(STANDARD_INPUT);
    String name = standardInput ? "standard input" : "file " + file;
    byte[] bytes;
    try (InputStream in = standardInput ? console.in() : Files.newInputStream(Path.of(file))) {
      bytes = in.readNBytes(SCRIPT_BYTES_MAX + 1);
    } catch (NoSuchFileException e) {
      throw invalid(name + " does not exist; check the path");
    } catch (IOException e) {
      throw invalid(
          name
              + (Files.isDirectory(Path.of(file))
                  ? " is a directory; name a file in it"
                  : " cannot be read (" + e.getMessage() + ")"));
    }
    if (bytes.length > SCRIPT_BYTES_MAX) {
      throw invalid(name + " has more than " + SCRIPT_BYTES_MAX + " bytes; split it");
    }
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      return text.startsWith("\uFEFF") ? text.substring(1) : text;
    } catch (CharacterCodingException e) {
      throw invalid(name + " is not UTF-8 text; save it as UTF-8");
    }
  }

  private static ShardwrightException invalid(String message) {
    return new ShardwrightException(ErrorCode.COMMAND_INVALID, message);
  }
}
