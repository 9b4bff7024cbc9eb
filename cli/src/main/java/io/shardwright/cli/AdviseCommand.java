package io.shardwright.cli;

import io.shardwright.advisor.advice.Advice;
import io.shardwright.advisor.advice.AdviceReport;
import io.shardwright.advisor.advice.AdviceSettings;
import io.shardwright.advisor.advice.Advisor;
import io.shardwright.advisor.advice.WorkloadFile;
import io.shardwright.advisor.schema.SchemaFacts;
import io.shardwright.advisor.schema.SchemaText;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Which key to shard by, from logs. Asks no database. */
@Command(
    name = "advise",
    description = {
      "Recommend a shard key from SQL logs: plain or gzip, their format told from their content.",
      "Example: shardwright advise slow.log --ddl schema.sql --keys buyer_id=buyers.csv"
    })
final class AdviseCommand implements Callable<Integer> {
  private final Console console;

  @Parameters(paramLabel = "LOG", arity = "1..*", description = "SQL logs, read twice.")
  private List<Path> logs;

  @Option(names = "--ddl", paramLabel = "FILE", description = "CREATE TABLE of the tables.")
  private Path ddl;

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
      names = "--yaml",
      paramLabel = "FILE",
      description = "Write a shardwright.yaml for what is recommended.")
  private Path yaml;

  @Option(names = "--show-keys", description = "Show the hottest keys themselves, not digests.")
  private boolean showKeys;

  AdviseCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    AdviceSettings settings =
        WorkloadFile.read(
            Optional.ofNullable(workload), Optional.ofNullable(shards), buckets, showKeys);
    SchemaFacts schema = ddl == null ? SchemaFacts.empty() : SchemaText.read(ddl);
    Advice advice = Advisor.advise(Advisor.Statements.of(logs), schema, keys, settings);
    AdviceReport.lines(advice)
        .forEach(line -> console.println(Printable.text(line, console.charset())));
    if (json != null) {
      ReportFile.json(json, AdviceReport.document(advice));
    }
    if (yaml != null) {
      yaml(advice);
    }
    return ExitCode.OK.number();
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
