package io.shardwright.cli;

import io.shardwright.catalog.Catalog;
import io.shardwright.catalog.CatalogState;
import io.shardwright.catalog.Move;
import io.shardwright.config.Configuration;
import io.shardwright.config.ConfigurationEdit;
import io.shardwright.config.ConfigurationReader;
import io.shardwright.driver.Shardwright;
import io.shardwright.driver.ShardwrightDataSource;
import io.shardwright.migration.Moves;
import io.shardwright.migration.NewShard;
import io.shardwright.migration.ReferenceTables;
import io.shardwright.routing.BucketMap;
import io.shardwright.routing.ShardId;
import io.shardwright.schema.ApplyReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shards come and go. */
final class ShardCommand {
  private ShardCommand() {}

  /** Groups the commands on shards. */
  @Command(name = "shard", description = "Add a shard, empty one, remove one.")
  static final class Group {}

  /** The shard that a command is about, and the file. */
  static final class Name {
    @Parameters(paramLabel = "SHARD", description = "The name of the shard.")
    private String name;

    @Option(
        names = {"-c", "--config"},
        paramLabel = "FILE",
        required = true,
        description = "The shardwright.yaml. $${NAME} in it is taken from the environment.")
    private Path file;

    ShardId shard() {
      if (!ShardId.isValid(name)) {
        throw MoveCommand.wrong(
            "'"
                + name
                + "' is no name of a shard; use a lower-case letter, then up to 62 lower-case"
                + " letters, digits, _ or -");
      }
      return new ShardId(name);
    }

    /** The configuration, whose buckets have to be on record. */
    Configuration read() {
      Configuration configuration = ConfigurationReader.read(file);
      if (configuration.catalog().isEmpty()) {
        throw MoveCommand.wrong(
            file
                + " names no catalog, so the shards of the file decide where rows are; add catalog:"
                + " and run shardwright apply first");
      }
      return configuration;
    }

    /** Of the shard, which has to be in it. */
    Configuration readWithShard() {
      Configuration configuration = read();
      if (!configuration.shards().containsKey(shard())) {
        throw MoveCommand.wrong(
            "there is no shard "
                + name
                + " in "
                + file
                + ", which has "
                + configuration.shards().keySet());
      }
      return configuration;
    }

    String text() throws IOException {
      return Files.readString(file);
    }

    Configuration parse(String text) {
      return ConfigurationReader.parse(file.toString(), text, System.getenv());
    }
  }

  @Command(
      name = "add",
      description = {
        "Prepare an empty database as a shard and add it to the file, with everything else in the"
            + " file as it is. The tables have to be there, or --run-ddl makes them. Until all is"
            + " right the file is not changed; repeat the command then.",
        "It owns no bucket yet: see rebalance and move."
      })
  static final class Add implements Callable<Integer> {
    private final Console console;
    @Mixin private Name name;

    @Option(names = "--url", paramLabel = "URL", required = true, description = "JDBC url.")
    private String url;

    @Option(
        names = "--user",
        paramLabel = "USER",
        description = "Default: user and password are those of the first shard.")
    private String user;

    @Option(
        names = "--password-env",
        paramLabel = "NAME",
        description =
            "The environment variable that holds the password, for this and every process"
                + " that reads the file.")
    private String passwordVariable;

    @Option(
        names = "--run-ddl",
        description = "Run all schema changes there that were made through Shardwright.")
    private boolean runDdl;

    Add(Console console) {
      this.console = console;
    }

    @Override
    public Integer call() throws IOException, SQLException {
      ShardId shard = name.shard();
      Configuration before = name.read();
      if (user == null && passwordVariable != null) {
        throw MoveCommand.wrong("--password-env without --user; give both or neither");
      }
      if (before.shards().containsKey(shard)) {
        throw MoveCommand.wrong("shard " + shard + " is in " + name.file + " already");
      }
      String next = ConfigurationEdit.withShard(name.text(), shard.name(), entry(name.text()));
      Configuration after = name.parse(next);
      NewShard.Prepared prepared =
          NewShard.prepare(
              after,
              shard,
              runDdl ? Optional.of(ShardCommand::runSchemaChanges) : Optional.empty());
      prepared
          .schemaChanges()
          .ifPresent(
              run ->
                  console.println(
                      ParameterOption.count(run, "schema change", "schema changes") + " run"));
      prepared.filledFrom().ifPresent(from -> printFilled(console, from, prepared.rows()));
      ApplyReport report = prepared.applied();
      for (var problem : report.problems()) {
        console.println("problem  " + Printable.text(problem.toString(), console.charset()));
      }
      if (!report.ok()) {
        console.println("not added: the file is as it was; " + remedy(before));
        return ApplyCommand.exit(report.problems()).number();
      }
      ConfigurationEdit.replace(name.file, next);
      console.println(
          "ok: shard "
              + shard
              + " is in "
              + name.file
              + " and owns no bucket; give the file to every process, then see shardwright"
              + " rebalance --plan");
      return ExitCode.OK.number();
    }

    private String entry(String text) {
      String login =
          user == null
              ? ConfigurationEdit.loginOfFirst(text)
              : "user: " + ConfigurationEdit.quoted(user);
      return "{url: "
          + ConfigurationEdit.quoted(url)
          + ", "
          + login
          + (passwordVariable == null ? "" : ", password: \"${" + passwordVariable + "}\"")
          + "}";
    }

    private static String remedy(Configuration before) {
      return "tables: run the file that made them there, or repeat this with --run-ddl when they were"
          + " made by shardwright sql"
          + (before.mover().isPresent() ? "; give the mover its rights there, too" : "");
    }
  }

  @Command(
      name = "fill",
      description = {
        "Make the reference tables of a shard that owns no bucket those of another. shard add does"
            + " it; a move to a new shard waits and asks for it when a process that did not know the"
            + " shard wrote one meanwhile."
      })
  static final class Fill implements Callable<Integer> {
    private final Console console;
    @Mixin private Name name;

    @Option(
        names = "--from",
        paramLabel = "SHARD",
        description = "Whose rows. Default: the first other shard of the file.")
    private String from;

    Fill(Console console) {
      this.console = console;
    }

    @Override
    public Integer call() {
      ShardId shard = name.shard();
      Configuration configuration = name.readWithShard();
      ShardId source = from == null ? firstOther(configuration, shard) : new ShardId(from);
      if (source.equals(shard) || !configuration.shards().containsKey(source)) {
        throw MoveCommand.wrong(
            "--from " + source + " is not another shard; there are " + configuration.shardIds());
      }
      Map<String, Integer> owned = owned(configuration, shard);
      if (!owned.isEmpty()) {
        throw MoveCommand.wrong(
            "shard "
                + shard
                + " owns buckets ("
                + owned
                + ") whose rows may refer to its reference tables; correct those by hand");
      }
      printFilled(console, source, new ReferenceTables(configuration).copy(source, shard));
      return ExitCode.OK.number();
    }
  }

  private static ShardId firstOther(Configuration configuration, ShardId shard) {
    return configuration.shardIds().stream()
        .filter(other -> !other.equals(shard))
        .findFirst()
        .orElseThrow(() -> MoveCommand.wrong("there is no shard beside " + shard));
  }

  private static int runSchemaChanges(Configuration configuration) throws SQLException {
    try (ShardwrightDataSource database = Shardwright.open(configuration)) {
      return database.resumeDdl().size();
    }
  }

  private static void printFilled(Console console, ShardId source, Map<String, Long> rows) {
    rows.forEach(
        (table, count) ->
            console.println(
                "reference table "
                    + table
                    + ": "
                    + ParameterOption.count(count, "row", "rows")
                    + " copied from "
                    + source));
  }

  /** Numbers of buckets by placement. */
  private static Map<String, Integer> owned(Configuration configuration, ShardId shard) {
    Map<String, Integer> owned = new TreeMap<>();
    try (Catalog catalog = Catalog.open(configuration)) {
      CatalogState state = catalog.load();
      for (BucketMap map : state.maps().values()) {
        int buckets = map.bucketsOf(shard).size();
        if (buckets > 0) {
          owned.put(map.group(), buckets);
        }
      }
    }
    return owned;
  }

  @Command(
      name = "remove",
      description = "Take a shard out of the file that owns no bucket and is in no move.")
  static final class Remove implements Callable<Integer> {
    private final Console console;
    @Mixin private Name name;

    Remove(Console console) {
      this.console = console;
    }

    @Override
    public Integer call() throws IOException {
      ShardId shard = name.shard();
      Configuration configuration = name.readWithShard();
      check(configuration, shard);
      String next = ConfigurationEdit.withoutShard(name.text(), shard.name());
      name.parse(next);
      ConfigurationEdit.replace(name.file, next);
      console.println(
          "ok: shard "
              + shard
              + " is no longer in "
              + name.file
              + "; its database may go when every process has been started with that file");
      return ExitCode.OK.number();
    }

    private void check(Configuration configuration, ShardId shard) {
      Map<String, Integer> owned = owned(configuration, shard);
      if (!owned.isEmpty()) {
        throw MoveCommand.wrong(
            "shard "
                + shard
                + " owns buckets ("
                + owned
                + "); shardwright shard drain "
                + shard
                + " moves them away");
      }
      try (Moves moves = new Moves(configuration, MovesAtWork.processName())) {
        List<Move> open =
            moves.list().stream()
                .filter(move -> !move.state().hasEnded())
                .filter(move -> move.source().equals(shard) || move.target().equals(shard))
                .toList();
        if (!open.isEmpty()) {
          throw MoveCommand.wrong(
              open.get(0) + " has not ended; shardwright move cleanup " + open.get(0).id());
        }
      }
      List<String> single =
          configuration.single().entrySet().stream()
              .filter(table -> table.getValue().equals(shard))
              .map(Map.Entry::getKey)
              .toList();
      if (!single.isEmpty()) {
        throw MoveCommand.wrong(
            "shard " + shard + " has the single tables " + single + "; take them elsewhere first");
      }
    }
  }
}
