package io.shardwright.cli;

import io.shardwright.catalog.Move;
import io.shardwright.catalog.Move.Options;
import io.shardwright.catalog.MoveState;
import io.shardwright.config.Configuration;
import io.shardwright.config.ConfigurationReader;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.migration.Comparison;
import io.shardwright.migration.Moves;
import io.shardwright.routing.BucketSet;
import io.shardwright.routing.ShardId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.BiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Moves buckets, and looks after moves. */
@Command(
    name = "move",
    description = {
      "Move buckets of a group, or of a lookup index (GROUP.INDEX), to a shard while applications"
          + " write and read. Works on it in the foreground; Ctrl-C leaves it where it can be gone"
          + " on with.",
      "With a command: look after one move by its number."
    })
final class MoveCommand implements Callable<Integer> {
  // Long because: the commands on one move share their options and words.

  private static final Pattern WINDOW = Pattern.compile("(\\d{1,6})([smhd])");

  @Spec private CommandSpec spec;
  private final Console console;

  @Option(
      names = {"-c", "--config"},
      paramLabel = "FILE",
      description = "The shardwright.yaml. $${NAME} in it is taken from the environment.")
  private Path file;

  @Option(names = "--group", paramLabel = "G", description = "The group, or GROUP.INDEX.")
  private String group;

  @Option(names = "--buckets", paramLabel = "B", description = "For example 0-127,400.")
  private String buckets;

  @Option(names = "--to", paramLabel = "SHARD", description = "Their new shard.")
  private String target;

  @Mixin private How how;
  @Mixin private JsonOption json;

  private MoveCommand(Console console) {
    this.console = console;
  }

  /** With the commands below it. */
  static CommandLine line(Console console) {
    return new CommandLine(new MoveCommand(console))
        .addSubcommand(new Pause(console))
        .addSubcommand(new Resume(console))
        .addSubcommand(new Cancel(console))
        .addSubcommand(new RollBack(console))
        .addSubcommand(new CleanUp(console))
        .addSubcommand(new Verify(console));
  }

  /** How moves are made. */
  static final class How {
    @Option(
        names = "--rate",
        paramLabel = "ROWS",
        defaultValue = "0",
        description = "At most so many rows are copied per second; 0, the default: no bound.")
    private int rate;

    @Option(
        names = "--window",
        paramLabel = "TIME",
        description =
            "So long after the cutover the move can be rolled back, e.g. 24h; then a worker deletes"
                + " the rows on the former shard. Default: until move cleanup.")
    private String window;

    @Option(
        names = "--no-rollback",
        description = "Spare the notes of changes at the new shard; there is no way back then.")
    private boolean noRollback;

    @Option(
        names = "--background",
        description = "Only record it: a shardwright worker works on it.")
    private boolean background;

    Options options() {
      if (rate < 0) {
        throw wrong("--rate is " + rate + "; give 0 or more");
      }
      return new Options(
          rate, !noRollback, Optional.ofNullable(window).map(time -> duration("--window", time)));
    }

    int rate() {
      return rate;
    }

    boolean background() {
      return background;
    }
  }

  static Duration duration(String option, String text) {
    Matcher matcher = WINDOW.matcher(text);
    if (!matcher.matches()) {
      throw wrong(option + " is " + text + "; give a time such as 30m, 24h or 7d");
    }
    long number = Long.parseLong(matcher.group(1));
    return switch (matcher.group(2)) {
      case "s" -> Duration.ofSeconds(number);
      case "m" -> Duration.ofMinutes(number);
      case "h" -> Duration.ofHours(number);
      default -> Duration.ofDays(number);
    };
  }

  static ShardwrightException wrong(String message) {
    return new ShardwrightException(ErrorCode.COMMAND_INVALID, message);
  }

  @Override
  public Integer call() {
    require("--config=FILE", file);
    require("--group=G", group);
    require("--buckets=B", buckets);
    require("--to=SHARD", target);
    Options options = how.options();
    BucketSet set = parse(buckets);
    if (!ShardId.isValid(target)) {
      throw wrong("--to is '" + target + "', which is no name of a shard");
    }
    Configuration configuration = ConfigurationReader.read(file);
    try (MovesAtWork work = new MovesAtWork(console, configuration, json.isSet())) {
      List<Move> moves = work.moves().create(group, set, new ShardId(target), options);
      if (moves.isEmpty() && !json.isSet()) {
        console.println("ok: all of them are on shard " + target + " already");
        return ExitCode.OK.number();
      }
      return finish(console, json, work, moves, how.background());
    }
  }

  private void require(String option, Object value) {
    if (value == null) {
      throw new ParameterException(spec.commandLine(), "Missing required option: '" + option + "'");
    }
  }

  private static BucketSet parse(String buckets) {
    try {
      return BucketSet.parse(buckets);
    } catch (IllegalArgumentException e) {
      throw new ShardwrightException(
          ErrorCode.COMMAND_INVALID,
          "--buckets is '" + buckets + "' (" + e.getMessage() + "); give numbers such as 0-127,400",
          e);
    }
  }

  /** Works on moves that are on record, or leaves them to others, and says what came of them. */
  static int finish(
      Console console, JsonOption json, MovesAtWork work, List<Move> moves, boolean background) {
    if (!json.isSet()) {
      moves.forEach(move -> console.println(recorded(move)));
      console.flush();
    }
    List<Move> left = background ? moves : work.run(moves);
    if (json.isSet()) {
      Json.print(console, Json.object("moves", left.stream().map(MoveWords::json).toList()));
    } else if (background) {
      console.println("a shardwright worker works on them; shardwright moves tells how far it is");
    } else {
      left.forEach(move -> console.println(result(move)));
    }
    return ExitCode.OK.number();
  }

  private static String recorded(Move move) {
    return "move "
        + move.id()
        + ": "
        + ParameterOption.count(move.buckets().size(), "bucket", "buckets")
        + " of "
        + move.group()
        + " from "
        + move.source()
        + " to "
        + move.target();
  }

  static String result(Move move) {
    boolean done = move.state().hasEnded() || move.state() == MoveState.SWITCHED;
    return (done ? "ok: move " : "move ")
        + move.id()
        + " is "
        + MoveWords.state(move)
        + ", "
        + move.counters().copied()
        + " rows copied"
        + (move.pauses().isEmpty()
            ? ""
            : ", longest pause "
                + MoveWords.millis(MoveWords.longest(move.pauses()))
                + " ms in "
                + ParameterOption.count(move.pauses().size(), "batch", "batches"))
        + MovesAtWork.next(move);
  }

  /** A command that says what the operator wants of a move. */
  private abstract static class OnMove implements Callable<Integer> {
    final Console console;
    private final BiFunction<Moves, Long, Move> wish;

    @Parameters(paramLabel = "ID", description = "The number of the move.")
    long id;

    @Mixin ConfigurationFile configuration;
    @Mixin JsonOption json;

    OnMove(Console console, BiFunction<Moves, Long, Move> wish) {
      this.console = console;
      this.wish = wish;
    }

    /** True when somebody else does the work. */
    boolean background() {
      return false;
    }

    @Override
    public Integer call() {
      try (MovesAtWork work = new MovesAtWork(console, configuration.read(), json.isSet())) {
        Move move = wish.apply(work.moves(), id);
        Move left = background() ? move : work.run(id);
        if (json.isSet()) {
          Json.print(console, MoveWords.json(left));
        } else {
          console.println(result(left));
        }
        return ExitCode.OK.number();
      }
    }
  }

  /** One whose work is done here unless somebody else is to do it. */
  private abstract static class Working extends OnMove {
    @Option(
        names = "--background",
        description = "Only record it: a shardwright worker works on it.")
    private boolean background;

    Working(Console console, BiFunction<Moves, Long, Move> wish) {
      super(console, wish);
    }

    @Override
    boolean background() {
      return background;
    }
  }

  @Command(
      name = "pause",
      description = "Let a move rest; waits until its worker has let go of it.")
  static final class Pause extends OnMove {
    Pause(Console console) {
      super(console, Moves::pause);
    }
  }

  @Command(name = "resume", description = "Go on with a move that rests.")
  static final class Resume extends Working {
    Resume(Console console) {
      super(console, Moves::resume);
    }
  }

  @Command(
      name = "cancel",
      description = "Undo a move of which no bucket has changed its shard yet.")
  static final class Cancel extends Working {
    Cancel(Console console) {
      super(console, Moves::cancel);
    }
  }

  @Command(
      name = "rollback",
      description = "Bring switched buckets back, with what was written since.")
  static final class RollBack extends Working {
    RollBack(Console console) {
      super(console, Moves::rollBack);
    }
  }

  @Command(
      name = "cleanup",
      description = {
        "Delete the rows of switched buckets on their former shard. There is no way back then."
      })
  static final class CleanUp extends Working {
    CleanUp(Console console) {
      super(console, Moves::cleanUp);
    }
  }

  @Command(
      name = "verify",
      description = {
        "Compare all rows of both sides: of buckets that are not switched yet before their cutover,"
            + " of others with what was written since. No writer waits.",
        "What differs is told by table, bucket and key, the first 100 rows of it. Exit code 1 then."
      })
  static final class Verify implements Callable<Integer> {
    private final Console console;

    @Parameters(paramLabel = "ID", description = "The number of the move.")
    private long id;

    @Option(
        names = "--repair-sql",
        paramLabel = "FILE",
        description = {
          "Write statements that make the rows of the target what the source's are to a new file,"
              + " which holds row values and only you can read. The move has to rest."
        })
    private Path repairSql;

    @Mixin private ConfigurationFile configuration;
    @Mixin private JsonOption json;

    Verify(Console console) {
      this.console = console;
    }

    @Override
    public Integer call() {
      try (Moves moves = new Moves(configuration.read(), MovesAtWork.processName())) {
        Comparison found = repairSql == null ? moves.verify(id) : moves.verify(id, repairSql);
        if (json.isSet()) {
          Json.print(console, ComparisonWords.json(id, found));
        } else {
          ComparisonWords.print(console, id, found);
          if (repairSql != null && !found.isEqual()) {
            console.println("statements that repair it, with row values: " + repairSql);
          }
        }
        return (found.isGood() ? ExitCode.OK : ExitCode.PROBLEMS_FOUND).number();
      }
    }
  }
}
