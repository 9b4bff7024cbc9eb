package io.shardwright.cli;

import io.shardwright.catalog.IndexState;
import io.shardwright.driver.LookupIndexStatus;
import io.shardwright.driver.LookupIndexes;
import io.shardwright.driver.Shardwright;
import io.shardwright.driver.ShardwrightDataSource;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.lookup.FeedStatus;
import io.shardwright.lookup.Reconciliation;
import io.shardwright.lookup.Reconciliation.Report;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lookup indexes, from their declaration on. */
final class IndexCommand {
  // Long because: five commands on one thing share its names, states and words.

  private static final int BAR_WIDTH = 20;

  private IndexCommand() {}

  /** Groups the commands on lookup indexes. */
  @Command(
      name = "index",
      description = "Build, check and drop the lookup indexes of the configuration.")
  static final class Group {}

  /** The index that a command is about. */
  static final class Name {
    @Parameters(
        paramLabel = "NAME",
        description = "GROUP.INDEX, or INDEX alone when no other group has one of that name.")
    private String given;

    String of(LookupIndexes indexes) {
      Set<String> all = indexes.names();
      List<String> found =
          all.stream().filter(name -> name.equals(given) || name.endsWith("." + given)).toList();
      if (found.size() != 1) {
        throw new ShardwrightException(
            ErrorCode.COMMAND_INVALID,
            found.isEmpty()
                ? "there is no lookup index '"
                    + given
                    + "'; "
                    + (all.isEmpty()
                        ? "the file declares none under groups.<group>.indexes"
                        : "there is " + String.join(", ", all))
                : "'" + given + "' may be " + String.join(" or ", found) + "; give the group too");
      }
      return found.get(0);
    }
  }

  /** How fast rows are read. */
  static final class Rate {
    @Option(
        names = "--rows-per-second",
        paramLabel = "N",
        defaultValue = "0",
        description =
            "At most so many rows and entries are read per second; 0, the default: no bound.")
    private long rows;

    void check() {
      if (rows < 0) {
        throw new ShardwrightException(
            ErrorCode.COMMAND_INVALID, "--rows-per-second is " + rows + "; give 0 or more");
      }
    }

    long perSecond() {
      return rows;
    }
  }

  /** A step of the progress for each time that rows and entries are gone through. */
  private static final class Passes implements Reconciliation.Progress {
    private final Optional<Progress> line;
    private int pass;
    private int last = Integer.MAX_VALUE;

    Passes(Console console, JsonOption json) {
      this.line = json.isSet() ? Optional.empty() : Optional.of(new Progress(console));
    }

    void start(String step) {
      line.ifPresent(shown -> shown.step(step));
    }

    @Override
    public void at(int bucketsDone, int buckets, Report soFar) {
      // A filling that was broken off does not begin with the first bucket.
      if (bucketsDone < last) {
        pass++;
      }
      last = bucketsDone;
      int filled = BAR_WIDTH * bucketsDone / buckets;
      start(
          "pass %d: [%s%s] %d%%, %d rows, %d entries"
              .formatted(
                  pass,
                  "#".repeat(filled),
                  " ".repeat(BAR_WIDTH - filled),
                  100 * bucketsDone / buckets,
                  soFar.rows(),
                  soFar.candidates()));
    }

    void end() {
      line.ifPresent(Progress::end);
    }
  }

  /**
   * A command about one index.
   *
   * @param <T> what its work gives
   */
  abstract static class OnIndex<T> implements Callable<Integer> {
    final Console console;
    @Mixin private Name name;
    @Mixin private ConfigurationFile configuration;
    @Mixin JsonOption json;

    OnIndex(Console console) {
      this.console = console;
    }

    /** Before anything is opened. */
    void checkOptions() {}

    abstract T work(LookupIndexes indexes, String index, Passes passes) throws SQLException;

    abstract ExitCode print(String index, T result);

    @Override
    public final Integer call() throws SQLException {
      checkOptions();
      try (ShardwrightDataSource database = Shardwright.open(configuration.read())) {
        LookupIndexes indexes = database.lookupIndexes();
        String index = name.of(indexes);
        Passes passes = new Passes(console, json);
        T result;
        try {
          result = work(indexes, index, passes);
        } finally {
          passes.end();
        }
        return print(index, result).number();
      }
    }
  }

  @Command(
      name = "create",
      description = {
        "Make every write maintain the index, give each row its entry, compare rows and entries,"
            + " then let statements be answered by it. Applications go on meanwhile.",
        "When it was broken off, run it again. When the index is ready it is only compared."
      })
  static final class Create extends OnIndex<Report> {
    @Mixin private Rate rate;

    Create(Console console) {
      super(console);
    }

    @Override
    void checkOptions() {
      rate.check();
    }

    @Override
    Report work(LookupIndexes indexes, String index, Passes passes) throws SQLException {
      passes.start("waiting for processes, and for transactions that use the table");
      return indexes.create(index, rate.perSecond(), passes);
    }

    @Override
    ExitCode print(String index, Report report) {
      if (json.isSet()) {
        Json.print(console, json(index, report));
      } else {
        console.println(
            "ok: statements are answered by index "
                + index
                + ": "
                + ParameterOption.count(report.rows(), "row", "rows")
                + ", "
                + ParameterOption.count(report.candidates(), "entry", "entries"));
      }
      return ExitCode.OK;
    }
  }

  @Command(
      name = "status",
      description = {
        "List the lookup indexes that the file declares or the catalog records, and what shards"
            + " lack.",
        "Exit code 1 when there is something to do."
      })
  static final class Status implements Callable<Integer> {
    private final Console console;
    @Mixin private ConfigurationFile configuration;
    @Mixin private JsonOption json;

    Status(Console console) {
      this.console = console;
    }

    @Override
    public Integer call() throws SQLException {
      try (ShardwrightDataSource database = Shardwright.open(configuration.read())) {
        List<LookupIndexStatus> indexes = database.lookupIndexes().status();
        if (json.isSet()) {
          Json.print(
              console, Json.object("indexes", indexes.stream().map(IndexCommand::json).toList()));
        } else {
          print(indexes);
        }
        return (indexes.stream().allMatch(index -> toDo(index).isEmpty())
                ? ExitCode.OK
                : ExitCode.PROBLEMS_FOUND)
            .number();
      }
    }

    private void print(List<LookupIndexStatus> indexes) {
      if (indexes.isEmpty()) {
        console.println("the file declares no lookup index");
        return;
      }
      List<List<String>> rows = new ArrayList<>();
      for (LookupIndexStatus index : indexes) {
        rows.add(
            List.of(
                index.name(),
                state(index),
                index.table().orElse("-"),
                String.join(", ", index.columns())));
      }
      TextTable.print(console, List.of("index", "state", "table", "columns"), rows);
      for (LookupIndexStatus index : indexes) {
        for (LookupIndexStatus.OnShard shard : index.shards()) {
          lacks(index, shard, "table", shard.missingTables());
          lacks(index, shard, "table with its columns", shard.foreignTables());
          lacks(index, shard, "trigger", shard.missingTriggers());
        }
      }
      List<List<String>> waiting = new ArrayList<>();
      for (LookupIndexStatus index : indexes) {
        for (FeedStatus feed : index.feeds()) {
          waiting.add(
              List.of(
                  index.name(),
                  feed.shard().name(),
                  "" + feed.pending(),
                  feed.oldest().toSeconds() + " s",
                  "" + feed.dead()));
        }
      }
      if (!waiting.isEmpty()) {
        TextTable.print(
            console, List.of("index", "shard", "changes waiting", "oldest", "dead"), waiting);
      }
      indexes.forEach(
          index ->
              toDo(index)
                  .ifPresent(step -> console.println("to do      " + index.name() + ": " + step)));
    }

    private void lacks(
        LookupIndexStatus index, LookupIndexStatus.OnShard shard, String what, List<String> names) {
      names.forEach(
          missing ->
              console.println(
                  "problem    "
                      + index.name()
                      + ": shard "
                      + shard.shard()
                      + " lacks the "
                      + what
                      + " "
                      + missing));
    }
  }

  @Command(
      name = "verify",
      description = {
        "Compare the rows of the table with the entries of the index, both ways, while both are"
            + " written. Exit code 1 when a row lacks its entry or shares its value."
      })
  static final class Verify extends OnIndex<Report> {
    @Option(
        names = "--repair",
        description = "Add entries that rows lack, remove those whose row is not there.")
    private boolean repair;

    @Mixin private Rate rate;

    Verify(Console console) {
      super(console);
    }

    @Override
    void checkOptions() {
      rate.check();
    }

    @Override
    Report work(LookupIndexes indexes, String index, Passes passes) throws SQLException {
      return indexes.verify(index, repair, rate.perSecond(), passes);
    }

    @Override
    ExitCode print(String index, Report report) {
      boolean sound = report.isSound(repair);
      if (json.isSet()) {
        Map<String, Object> document = json(index, report);
        document.put("ok", sound);
        document.put("repaired", repair);
        Json.print(console, document);
      } else {
        print(index, report, sound);
      }
      return sound ? ExitCode.OK : ExitCode.PROBLEMS_FOUND;
    }

    private void print(String index, Report report, boolean sound) {
      String done = repair ? ", repaired" : "";
      console.println("rows checked                    " + report.rows());
      console.println("rows without entry              " + report.missing() + done);
      console.println("rows that share their value     " + report.conflicts());
      report
          .examples()
          .forEach(value -> console.println("  " + Printable.text(value, console.charset())));
      console.println("entries checked                 " + report.candidates());
      console.println(
          "entries without row             "
              + report.extra()
              + (repair ? ", removed" : report.extraIsHarmless() ? ", harmless" : ""));
      console.println("values written all the time     " + report.busy());
      console.println((sound ? "ok: index " : "not ok: index ") + index + next(report, sound));
    }

    private String next(Report report, boolean sound) {
      if (sound) {
        return "";
      }
      if (report.conflicts() > 0) {
        return "; make the values unique and repeat it with --repair";
      }
      return report.busy() > 0 ? "; repeat it" : "; repeat it with --repair";
    }
  }

  @Command(
      name = "drop",
      description = {
        "End the use of the index, then its upkeep, then remove its triggers, tables and record."
            + " Then remove it from the file, or apply records it again.",
        "When it was broken off, run it again."
      })
  static final class Drop extends OnIndex<String> {
    Drop(Console console) {
      super(console);
    }

    @Override
    String work(LookupIndexes indexes, String index, Passes passes) throws SQLException {
      passes.start("waiting for processes, and for transactions that use the table");
      indexes.drop(index);
      return index;
    }

    @Override
    ExitCode print(String index, String dropped) {
      if (json.isSet()) {
        Json.print(console, Json.object("dropped", dropped));
      } else {
        console.println("ok: index " + dropped + " is dropped; remove it from the file");
      }
      return ExitCode.OK;
    }
  }

  @Command(
      name = "replay",
      description = {
        "Let changes be delivered again that an index which is not unique refused ten times. Do"
            + " away with the reason first: it is in the column error of the tables"
            + " shardwright_dead_..."
      })
  static final class Replay extends OnIndex<Integer> {
    Replay(Console console) {
      super(console);
    }

    @Override
    Integer work(LookupIndexes indexes, String index, Passes passes) throws SQLException {
      return indexes.replay(index);
    }

    @Override
    ExitCode print(String index, Integer replayed) {
      if (json.isSet()) {
        Json.print(console, Json.object("index", index, "replayed", replayed));
      } else {
        console.println(
            "ok: "
                + ParameterOption.count(replayed, "change is", "changes are")
                + " delivered again to index "
                + index);
      }
      return ExitCode.OK;
    }
  }

  private static String state(LookupIndexStatus index) {
    return index.state().map(IndexCommand::name).orElse("not applied");
  }

  private static String name(IndexState state) {
    return state.name().toLowerCase(Locale.ROOT);
  }

  /** Empty when nothing is. */
  private static Optional<String> toDo(LookupIndexStatus index) {
    if (!index.declared()) {
      return Optional.of(
          "the file lacks it; put it back to drop it: shardwright index drop " + index.name());
    }
    if (index.state().isEmpty()) {
      return Optional.of("shardwright apply");
    }
    boolean tables =
        index.shards().stream()
            .allMatch(shard -> shard.missingTables().isEmpty() && shard.foreignTables().isEmpty());
    if (!tables) {
      return Optional.of(
          "shardwright index drop "
              + index.name()
              + ", then apply, then index create "
              + index.name());
    }
    if (index.feeds().stream().anyMatch(feed -> feed.dead() > 0)) {
      return Optional.of(
          "see why in the tables shardwright_dead_..., then shardwright index replay "
              + index.name());
    }
    boolean triggers = index.shards().stream().allMatch(s -> s.missingTriggers().isEmpty());
    return triggers && index.state().get() == IndexState.READABLE
        ? Optional.empty()
        : Optional.of("shardwright index create " + index.name());
  }

  private static Map<String, Object> json(LookupIndexStatus index) {
    return Json.object(
        "name", index.name(),
        "state", index.state().map(IndexCommand::name),
        "declared", index.declared(),
        "table", index.table(),
        "columns", index.columns(),
        "shards",
            index.shards().stream()
                .map(
                    shard ->
                        Json.object(
                            "shard", shard.shard(),
                            "missingTables", shard.missingTables(),
                            "foreignTables", shard.foreignTables(),
                            "missingTriggers", shard.missingTriggers()))
                .toList(),
        "feeds",
            index.feeds().stream()
                .map(
                    feed ->
                        Json.object(
                            "shard", feed.shard(),
                            "pending", feed.pending(),
                            "oldestMillis", feed.oldest().toMillis(),
                            "dead", feed.dead()))
                .toList(),
        "toDo", toDo(index));
  }

  private static Map<String, Object> json(String index, Report report) {
    return Json.object(
        "index", index,
        "rows", report.rows(),
        "rowsWithoutEntry", report.missing(),
        "rowsSharingValue", report.conflicts(),
        "examples", report.examples(),
        "entries", report.candidates(),
        "entriesWithoutRow", report.extra(),
        "valuesNotJudged", report.busy());
  }
}
