package io.shardwright.cli;

import io.shardwright.advisor.simulate.Growth;
import io.shardwright.advisor.simulate.KeyHash;
import io.shardwright.advisor.simulate.Simulation;
import io.shardwright.advisor.simulate.SimulationReport;
import io.shardwright.advisor.simulate.Spread;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.KeyType;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** How the keys of a file spread. Asks no database. */
@Command(
    name = "simulate",
    description = {
      "Spread the keys of a file over shards, under several hashes, and grow.",
      "FILE has one key on each line, or key,count; plain or gzip.",
      "Example: shardwright simulate --keys buyers.csv --shards 8 --grow 12 --html spread.html"
    })
final class SimulateCommand implements Callable<Integer> {
  private final Console console;

  @Option(names = "--keys", paramLabel = "FILE", required = true, description = "The keys.")
  private Path keys;

  @Option(names = "--shards", paramLabel = "N", required = true, description = "Shards now.")
  private int shards;

  @Option(
      names = "--buckets",
      paramLabel = "V",
      description = "Buckets of the group, 1 to 65536; default 4096.")
  private int buckets = 4096;

  @Option(names = "--grow", paramLabel = "M", description = "Shards afterwards; more than N.")
  private Integer grow;

  @Option(
      names = "--hash",
      paramLabel = "HASH",
      split = ",",
      description = "xxh64 (the product's), modulo, crc32, java; growth is told of the first.")
  private List<String> hashes = Arrays.stream(KeyHash.values()).map(KeyHash::written).toList();

  @Option(
      names = "--type",
      paramLabel = "TYPE",
      description = "Of the key column: integer, text, uuid, ...; default: as the first keys look.")
  private String type;

  @Option(names = "--json", paramLabel = "FILE", description = "Write all figures as JSON.")
  private Path json;

  @Option(names = "--html", paramLabel = "FILE", description = "Write a page with charts.")
  private Path html;

  @Option(names = "--show-keys", description = "Show the hottest key itself, not a digest of it.")
  private boolean showKeys;

  SimulateCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    ReportFile.refuseInput("--json", json, List.of(keys));
    ReportFile.refuseInput("--html", html, List.of(keys));
    Simulation.Result result = Simulation.run(options());
    print(result);
    if (json != null) {
      ReportFile.json(json, SimulationReport.document(result));
    }
    if (html != null) {
      ReportFile.text(html, SimulationReport.html(result));
    }
    return ExitCode.OK.number();
  }

  private Simulation.Options options() {
    return new Simulation.Options(
        keys,
        type == null ? Optional.empty() : Optional.of(keyType(type)),
        shards,
        buckets,
        grow == null ? OptionalInt.empty() : OptionalInt.of(grow),
        hashes.stream().map(SimulateCommand::hash).toList(),
        showKeys);
  }

  private static KeyHash hash(String written) {
    return Arrays.stream(KeyHash.values())
        .filter(hash -> hash.written().equals(written.toLowerCase(Locale.ROOT)))
        .findFirst()
        .orElseThrow(
            () ->
                invalid(
                    "--hash "
                        + written
                        + " is not known; give "
                        + Arrays.stream(KeyHash.values()).map(KeyHash::written).toList()));
  }

  private static KeyType keyType(String written) {
    return Arrays.stream(KeyType.values())
        .filter(known -> known.name().equals(written.toUpperCase(Locale.ROOT)))
        .findFirst()
        .orElseThrow(
            () ->
                invalid(
                    "--type "
                        + written
                        + " is not known; give one of "
                        + Arrays.toString(KeyType.values()).toLowerCase(Locale.ROOT)));
  }

  private void print(Simulation.Result result) {
    console.println(
        String.format(
            Locale.ROOT,
            "%,d rows of %s%,d keys (%s); hottest key %s: %,d rows, %.3f%%",
            result.rows(),
            result.exact() ? "" : "at least ",
            result.keys(),
            result.type().name().toLowerCase(Locale.ROOT),
            Printable.cell(result.hottestKey(), console.charset()),
            result.hottestRows(),
            result.hottestShare() * 100));
    List<List<String>> rows = new ArrayList<>();
    result.spreads().forEach(spread -> rows.add(row(spread)));
    TextTable.print(
        console,
        List.of("layout", "hash", "max/mean", "variation", "(max-min)/mean %", "within 10%"),
        rows);
    console.println(SimulationReport.verdict(result));
    if (!result.growths().isEmpty()) {
      printGrowth(result);
    }
    long left = result.lines().nullRows() + result.impossibleRows();
    if (left > 0) {
      console.println(
          left + " rows left out: without a key, or with one that no row of the type can have");
    }
    if (!result.left().isEmpty()) {
      console.println(
          "left out for keys that are no whole numbers: "
              + result.left().stream().map(KeyHash::written).toList());
    }
  }

  private void printGrowth(Simulation.Result result) {
    int after = result.options().grownTo().orElseThrow();
    console.println("");
    console.println(
        String.format(
            Locale.ROOT,
            "From %d to %d shards (the least that any layout moves: %.1f%% of rows):",
            shards,
            after,
            Growth.leastShare(shards, after) * 100));
    List<List<String>> rows = new ArrayList<>();
    for (Growth growth : result.growths()) {
      rows.add(
          List.of(
              growth.after().layout(),
              Long.toString(growth.movedRows()),
              String.format(Locale.ROOT, "%.2f", growth.movedShare() * 100),
              growth.movedBuckets() > 0 ? Integer.toString(growth.movedBuckets()) : "-",
              String.format(Locale.ROOT, "%.3f", growth.after().maxToMean())));
    }
    TextTable.print(
        console, List.of("layout", "rows moved", "%", "buckets moved", "max/mean after"), rows);
  }

  private static List<String> row(Spread spread) {
    return List.of(
        spread.layout(),
        spread.hash(),
        String.format(Locale.ROOT, "%.3f", spread.maxToMean()),
        String.format(Locale.ROOT, "%.4f", spread.variation()),
        String.format(Locale.ROOT, "%.2f", spread.difference() * 100),
        spread.isEven() ? "yes" : "no");
  }

  private static ShardwrightException invalid(String message) {
    return new ShardwrightException(ErrorCode.COMMAND_INVALID, message);
  }
}
