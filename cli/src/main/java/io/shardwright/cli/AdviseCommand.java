package io.shardwright.cli;

import io.shardwright.advisor.advice.Advice;
import io.shardwright.advisor.advice.AdviceSettings;
import io.shardwright.advisor.advice.Advisor;
import io.shardwright.advisor.advice.KeySamples;
import io.shardwright.advisor.advice.WorkloadFile;
import io.shardwright.advisor.report.AdviceDocument;
import io.shardwright.advisor.report.AdvicePage;
import io.shardwright.advisor.report.AdviceText;
import io.shardwright.advisor.schema.LiveDatabase;
import io.shardwright.advisor.schema.SchemaFacts;
import io.shardwright.advisor.schema.SchemaText;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Which key to shard by, from logs. A database is asked only when it is named. */
@Command(
    name = "advise",
    description = {
      "Recommend a shard key from SQL logs: plain or gzip, their format told from their content.",
      "Example: shardwright advise slow.log --ddl schema.sql --keys buyer_id=buyers.csv",
      "Example: shardwright advise slow.log --database jdbc:postgresql://db:5432/shop --user reader"
          + " --password-env READER_PASSWORD --sample"
    })
final class AdviseCommand implements Callable<Integer> {
  private final Console console;
  private final UnaryOperator<String> environment;

  @Parameters(paramLabel = "LOG", arity = "1..*", description = "SQL logs, read twice.")
  private List<Path> logs;

  @Option(names = "--ddl", paramLabel = "FILE", description = "CREATE TABLE of the tables.")
  private Path ddl;

  @Option(
      names = "--database",
      paramLabel = "URL",
      description =
          "JDBC url of the database: its tables, keys, sizes and statistics. Read only; beside"
              + " --ddl, whose other tables are added.")
  private String database;

  @Option(names = "--user", paramLabel = "USER", description = "Of --database.")
  private String user;

  @Option(
      names = "--password-env",
      paramLabel = "NAME",
      description =
          "The environment variable that holds the password. Without it a terminal is asked.")
  private String passwordVariable;

  @Option(
      names = "--schema",
      paramLabel = "NAME",
      description = "Of --database; default: the connection's own.")
  private String schemaName;

  @Option(
      names = "--sample",
      paramLabel = "COLUMN",
      split = ",",
      arity = "0..1",
      fallbackValue = "",
      description =
          "Count the rows of each key of these columns in --database by GROUP BY, which reads the"
              + " whole table; without names, of those that statements ask by.")
  private List<String> sampled;

  @Option(
      names = "--sample-timeout",
      paramLabel = "SECONDS",
      description = "After which the count of one column is cancelled; default 300.")
  private int sampleSeconds = 300;

  @Option(
      names = "--keys",
      paramLabel = "COLUMN=FILE",
      description = "Rows of each key of a column: a file of key,count. May be given again.")
  private Map<String, Path> keys = new LinkedHashMap<>();

  @Option(
      names = "--workload",
      paramLabel = "FILE",
      description = "Classes, weights, columns that change, capacity: docs/advisor.md.")
  private Path workload;

  @Option(
      names = "--shards",
      paramLabel = "N",
      description =
          "Spread keys over at least N shards; default: what the capacity asks for, or 8.")
  private Integer shards;

  @Option(
      names = "--buckets",
      paramLabel = "V",
      description = "Buckets of a group, 1 to 65536; default 4096.")
  private int buckets = AdviceSettings.BUCKETS_DEFAULT;

  @Option(names = "--json", paramLabel = "FILE", description = "Write all figures as JSON.")
  private Path json;

  @Option(
      names = "--html",
      paramLabel = "FILE",
      description = "Write the report as one page that needs no network.")
  private Path html;

  @Option(
      names = "--yaml",
      paramLabel = "FILE",
      description =
          "Write a shardwright.yaml for what is recommended; replaces only a file of advise.")
  private Path yaml;

  @Option(
      names = "--show-keys",
      description =
          "Show the hottest keys themselves, not digests. Digests of small numbers can be guessed.")
  private boolean showKeys;

  AdviseCommand(Console console) {
    this(console, System::getenv);
  }

  /**
   * @param environment gives null for what is not set
   */
  AdviseCommand(Console console, UnaryOperator<String> environment) {
    this.console = console;
    this.environment = environment;
  }

  @Override
  public Integer call() {
    checkDatabaseOptions();
    checkOutputs();
    SchemaFacts schema = ddl == null ? SchemaFacts.empty() : SchemaText.read(ddl);
    Advice advice;
    Progress progress = new Progress(console);
    try (LiveDatabase live = database == null ? null : open()) {
      if (live != null) {
        schema = live.read().and(schema);
      }
      AdviceSettings settings =
          WorkloadFile.read(
              Optional.ofNullable(workload),
              schema.bytes(),
              Optional.ofNullable(shards),
              buckets,
              showKeys);
      advice = Advisor.advise(statements(progress), schema, samples(live, progress), settings);
    } finally {
      progress.end();
    }
    AdviceText.lines(advice)
        .forEach(line -> console.println(Printable.line(line, console.charset())));
    if (json != null) {
      ReportFile.json(json, AdviceDocument.of(advice));
    }
    if (html != null) {
      ReportFile.text(html, AdvicePage.html(advice));
    }
    if (yaml != null) {
      yaml(advice);
    }
    return ExitCode.OK.number();
  }

  private void checkOutputs() {
    List<Path> inputs = new ArrayList<>(logs);
    inputs.addAll(keys.values());
    inputs.add(ddl);
    inputs.add(workload);
    ReportFile.refuseInput("--json", json, inputs);
    ReportFile.refuseInput("--html", html, inputs);
    ReportFile.refuseInput("--yaml", yaml, inputs);
    ReportFile.refuseForeignYaml(yaml);
  }

  private Advisor.Statements statements(Progress progress) {
    long bytes = 0;
    for (Path log : logs) {
      // What cannot be read is told when it is read.
      bytes += log.toFile().length();
    }
    ReadingBar bar = new ReadingBar(console, progress, bytes, Advisor.READINGS);
    Advisor.Statements statements = Advisor.Statements.of(logs, bar);
    return sink -> {
      bar.begin();
      return statements.read(sink);
    };
  }

  private void checkDatabaseOptions() {
    boolean ofDatabase =
        user != null || passwordVariable != null || schemaName != null || sampled != null;
    if (database == null && ofDatabase) {
      throw wrong("--user, --password-env, --schema and --sample are of --database; give its url");
    }
    if (sampleSeconds < 1) {
      throw wrong("--sample-timeout must be 1 second or more, not " + sampleSeconds);
    }
    for (String name : sampled == null ? List.<String>of() : sampled) {
      if (Files.exists(Path.of(name)) && !name.isEmpty()) {
        throw wrong(
            "--sample "
                + name
                + " names a file, not a column; write the logs before the options, or --sample="
                + "COLUMN");
      }
    }
  }

  // Where it is there without a terminal, it reads the password from standard input.
  @SuppressWarnings("SystemConsoleNull")
  private LiveDatabase open() {
    Optional<String> password = Optional.empty();
    if (passwordVariable != null) {
      password = Optional.ofNullable(environment.apply(passwordVariable));
      if (password.isEmpty()) {
        throw wrong(
            "--password-env: the environment has no variable "
                + passwordVariable
                + "; set it to the password");
      }
    } else if (user != null && console.interactive() && System.console() != null) {
      char[] typed = System.console().readPassword("Password of %s: ", user);
      password = Optional.ofNullable(typed).filter(t -> t.length > 0).map(String::new);
    }
    return LiveDatabase.open(
        database, Optional.ofNullable(user), password, Optional.ofNullable(schemaName));
  }

  private KeySamples samples(LiveDatabase live, Progress progress) {
    Optional<KeySamples.Live> counts =
        sampled == null
            ? Optional.empty()
            : Optional.of(
                new KeySamples.Live(
                    live,
                    sampled.stream().filter(n -> !n.isEmpty()).collect(Collectors.toSet()),
                    Duration.ofSeconds(sampleSeconds),
                    console.interactive() ? progress::step : quiet -> {}));
    return new KeySamples(keys, counts);
  }

  private static ShardwrightException wrong(String message) {
    return new ShardwrightException(ErrorCode.COMMAND_INVALID, message);
  }

  private void yaml(Advice advice) {
    if (advice.configuration().isPresent()) {
      ReportFile.text(yaml, advice.configuration().get());
    } else {
      console.println("");
      console.println(yaml + " was not written: no table group is recommended to be sharded");
    }
  }
}
