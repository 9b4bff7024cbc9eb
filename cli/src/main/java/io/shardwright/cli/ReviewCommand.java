package io.shardwright.cli;

import io.shardwright.advisor.advice.Advisor.Statements;
import io.shardwright.advisor.logs.LogFile;
import io.shardwright.advisor.review.Answer;
import io.shardwright.advisor.review.Answer.Severity;
import io.shardwright.advisor.review.Facts;
import io.shardwright.advisor.review.LogFacts;
import io.shardwright.advisor.review.LogReview;
import io.shardwright.advisor.review.Review;
import io.shardwright.advisor.review.ReviewReport;
import io.shardwright.advisor.review.Rule;
import io.shardwright.config.Configuration;
import io.shardwright.config.ConfigurationReader;
import io.shardwright.config.ReviewDeclarations;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Design review of what there is. Changes nothing. */
@Command(
    name = "review",
    description = {
      "Check configuration, shards and logs against the rules of docs/review.md: each is seen,"
          + " declared, unknown or violated.",
      "Example: shardwright review -c shardwright.yaml --logs app.log --declarations review.yaml",
      "Reads the databases, counts their rows by one scan of each table, and changes nothing."
    })
final class ReviewCommand implements Callable<Integer> {
  private static final Map<String, Severity> THRESHOLDS =
      Map.of("error", Severity.ERROR, "warning", Severity.WARNING, "unknown", Severity.INFO);

  private final Console console;

  @Option(
      names = {"-c", "--config"},
      paramLabel = "FILE",
      description = "The shardwright.yaml. $${NAME} in it is taken from the environment.")
  private Path file;

  @Option(
      names = "--logs",
      paramLabel = "LOG",
      arity = "1..*",
      description = "SQL logs, plain or gzip, as for advise.")
  private List<Path> logs = List.of();

  @Option(
      names = "--declarations",
      paramLabel = "FILE",
      description = "What people declare where no program can see: docs/review.md.")
  private Path declarations;

  @Option(names = "--offline", description = "Ask no database.")
  private boolean offline;

  @Option(names = "--no-count", description = "Do not count rows.")
  private boolean noCount;

  @Option(
      names = "--fail-on",
      paramLabel = "LEVEL",
      defaultValue = "warning",
      description =
          "Exit with 1 for findings from this level on: error, warning or unknown; default:"
              + " ${DEFAULT-VALUE}.")
  private String failOn;

  @Option(names = "--json", paramLabel = "FILE", description = "Write the review as JSON.")
  private Path json;

  @Option(names = "--rules", description = "Only list the rules. Needs no other option.")
  private boolean rules;

  ReviewCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    if (rules) {
      listRules();
      return ExitCode.OK.number();
    }
    Severity least = THRESHOLDS.get(failOn);
    if (least == null) {
      throw wrong("--fail-on is " + failOn + "; give error, warning or unknown");
    }
    if (file == null) {
      throw wrong("Missing required option: '--config=FILE'; see shardwright review --help");
    }
    List<Path> inputs = new ArrayList<>(logs);
    inputs.add(file);
    inputs.add(declarations);
    ReportFile.refuseInput("--json", json, inputs);
    Configuration configuration = ConfigurationReader.read(file);
    LocalDate today = LocalDate.now(ZoneOffset.UTC);
    ReviewDeclarations declared =
        declarations == null
            ? ReviewDeclarations.NONE
            : ReviewDeclarations.read(declarations, Rule.ids(), today);
    Optional<LogFacts> read = logs.isEmpty() ? Optional.empty() : Optional.of(read(configuration));
    Optional<ReviewDatabases.Result> databases =
        offline ? Optional.empty() : Optional.of(ReviewDatabases.read(configuration, !noCount));
    Facts facts = new Facts(configuration, databases.map(ReviewDatabases.Result::facts), read);
    List<Answer> answers = Review.run(facts, declared, today);
    ReviewReport.lines(facts, answers)
        .forEach(line -> console.println(Printable.line(line, console.charset())));
    read.stream().flatMap(found -> found.files().stream()).forEach(this::notes);
    if (json != null) {
      ReportFile.json(json, ReviewReport.document(facts, answers, today));
    }
    ExitCode findings = Review.findings(answers, least) > 0 ? ExitCode.PROBLEMS_FOUND : ExitCode.OK;
    ExitCode reached = databases.map(ReviewDatabases.Result::exit).orElse(ExitCode.OK);
    return Math.max(findings.number(), reached.number());
  }

  /** A log that is not understood must not pass for one without statements. */
  private LogFacts read(Configuration configuration) {
    LogFacts read = LogReview.read(configuration, Statements.of(logs));
    List<LogFile> refused = read.files().stream().filter(log -> log.refusal().isPresent()).toList();
    if (!refused.isEmpty()) {
      throw wrong(
          refused.stream()
                  .map(
                      log ->
                          log.path() + " is no log that can be read, " + log.refusal().get().told())
                  .collect(Collectors.joining("; "))
              + "; see docs/advisor.md for the formats");
    }
    return read;
  }

  /** What was assumed of a log. */
  private void notes(LogFile log) {
    for (LogFile.Note note : log.notes()) {
      String text =
          "note: %s: %s (%d times)".formatted(log.path().getFileName(), note.what(), note.times());
      console.println(Printable.line(text, console.charset()));
    }
  }

  private void listRules() {
    Rule.Section section = null;
    for (Rule rule : Rule.values()) {
      if (rule.section() != section) {
        console.println((section == null ? "" : "\n") + rule.section().title());
        section = rule.section();
      }
      console.println("%-3s %s".formatted(rule.id(), rule.text()));
      console.println(
          (rule.isSeen() ? "      or declare " : "      only people know: declare ")
              + rule.question());
    }
  }

  private static ShardwrightException wrong(String message) {
    return new ShardwrightException(ErrorCode.COMMAND_INVALID, message);
  }
}
