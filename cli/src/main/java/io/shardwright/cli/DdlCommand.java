package io.shardwright.cli;

import io.shardwright.driver.PendingDdl;
import io.shardwright.driver.Shardwright;
import io.shardwright.driver.ShardwrightDataSource;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Schema changes that stopped halfway. */
final class DdlCommand {
  private DdlCommand() {}

  /** Groups the commands on schema changes. */
  @Command(name = "ddl", description = "Look after schema changes that stopped halfway.")
  static final class Group {}

  @Command(
      name = "status",
      description = {
        "List schema changes that some shards have and others lack.",
        "Exit code 1 when there are any."
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
        List<PendingDdl> pending = database.pendingDdl();
        if (json.isSet()) {
          Json.print(console, Json.object("pending", json(pending)));
        } else {
          print(console, pending, "pending");
          console.println(
              pending.isEmpty()
                  ? "ok: every schema change is on every shard"
                  : ParameterOption.count(pending.size(), "change is", "changes are")
                      + " pending; remove what stopped them and run shardwright ddl resume");
        }
        return (pending.isEmpty() ? ExitCode.OK : ExitCode.PROBLEMS_FOUND).number();
      }
    }
  }

  @Command(
      name = "resume",
      description = "Run pending schema changes on the shards that lack them, oldest first.")
  static final class Resume implements Callable<Integer> {
    private final Console console;
    @Mixin private ConfigurationFile configuration;
    @Mixin private JsonOption json;

    Resume(Console console) {
      this.console = console;
    }

    @Override
    public Integer call() throws SQLException {
      try (ShardwrightDataSource database = Shardwright.open(configuration.read())) {
        List<PendingDdl> resumed = database.resumeDdl();
        if (json.isSet()) {
          Json.print(console, Json.object("resumed", json(resumed)));
        } else {
          print(console, resumed, "resumed");
          console.println(
              resumed.isEmpty()
                  ? "ok: nothing was pending"
                  : "ok: "
                      + ParameterOption.count(resumed.size(), "change", "changes")
                      + " finished on every shard");
        }
        return ExitCode.OK.number();
      }
    }
  }

  private static void print(Console console, List<PendingDdl> changes, String word) {
    if (changes.isEmpty()) {
      return;
    }
    List<List<String>> rows = new ArrayList<>();
    for (PendingDdl change : changes) {
      rows.add(
          List.of(
              Long.toString(change.sequence()),
              join(change.done()),
              join(change.missing()),
              Printable.cell(change.statement(), console.charset())));
    }
    TextTable.print(console, List.of(word, "done on", "missing on", "statement"), rows);
  }

  private static String join(List<?> shards) {
    return shards.isEmpty()
        ? "-"
        : String.join(" ", shards.stream().map(Object::toString).toList());
  }

  private static List<Object> json(List<PendingDdl> changes) {
    List<Object> list = new ArrayList<>();
    for (PendingDdl change : changes) {
      list.add(
          Json.object(
              "sequence", change.sequence(),
              "statement", change.statement(),
              "done", change.done(),
              "missing", change.missing()));
    }
    return list;
  }
}
