package io.shardwright.cli;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The {@code shardwright} command: parses, runs one command, turns what is thrown into words. */
@Command(
    name = "shardwright",
    mixinStandardHelpOptions = true,
    versionProvider = Main.Version.class,
    scope = ScopeType.INHERIT,
    description = "Runs one logical PostgreSQL database over many shards.",
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Exit codes: 0 ok, 1 a check found problems, 2 usage, 3 configuration, 4 statement refused,",
      "5 shard or catalog failure, 6 outcome unknown, 70 bug. See docs/cli.md and docs/errors.md."
    })
public final class Main implements Runnable {
  private static final String DEBUG_VARIABLE = "SHARDWRIGHT_DEBUG";
  private static final String LOG_LEVEL = "org.slf4j.simpleLogger.defaultLogLevel";
  private static final String OWN_LOG_LEVEL = "org.slf4j.simpleLogger.log.io.shardwright";
  private static final String AUDIT_LOG_LEVEL = "org.slf4j.simpleLogger.log.io.shardwright.audit";
  private static final int USAGE_WIDTH = 100;

  @Spec private CommandSpec spec;

  @Option(
      names = "--debug",
      scope = ScopeType.INHERIT,
      description = "Log statements and print stack traces (also: SHARDWRIGHT_DEBUG=1).")
  private boolean debug;

  private final Console console;
  private final boolean debugVariable;
  private final List<String> arguments;

  private Main(Console console, boolean debugVariable, List<String> arguments) {
    this.console = console;
    this.debugVariable = debugVariable;
    this.arguments = arguments;
  }

  /** For {@code --version}. */
  static final class Version implements CommandLine.IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {"shardwright " + VersionCommand.version()};
    }
  }

  /** Ends the JVM with the exit code of the command. */
  public static void main(String[] arguments) {
    Charset charset = terminalCharset();
    Console console =
        new Console(
            System.in,
            stream(FileDescriptor.out, charset),
            stream(FileDescriptor.err, charset),
            charset,
            Boolean.getBoolean("shardwright.stderr.terminal"));
    boolean debugVariable = !System.getenv().getOrDefault(DEBUG_VARIABLE, "").matches("|0|false");
    System.exit(run(console, debugVariable, arguments));
  }

  /** Runs one command line; never throws. */
  static int run(Console console, boolean debugVariable, String... arguments) {
    Main main = new Main(console, debugVariable, List.of(arguments));
    CommandLine line = main.commandLine();
    int exit;
    try {
      exit =
          String.join("", arguments).indexOf('\uFFFD') < 0
              ? line.execute(arguments)
              : main.report(line, unreadable(), null);
    } catch (OutOfMemoryError | StackOverflowError e) {
      exit = main.report(line, Failure.of(e), e);
    } catch (Console.OutputClosedException e) {
      exit = ExitCode.OUTPUT_CLOSED.number();
    }
    console.err().flush();
    return console.out().checkError() ? ExitCode.OUTPUT_CLOSED.number() : exit;
  }

  private static Failure unreadable() {
    return Failure.usage(
        "an argument holds bytes that the locale's encoding "
            + System.getProperty("sun.jnu.encoding")
            + " cannot express; set LC_ALL to a UTF-8 locale, e.g. C.UTF-8");
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "no command given");
  }

  private CommandLine commandLine() {
    CommandLine line =
        new CommandLine(this)
            .addSubcommand(new DemoCommand(console))
            .addSubcommand(new ApplyCommand(console))
            .addSubcommand(new VerifyCommand(console))
            .addSubcommand(new RouteCommand(console))
            .addSubcommand(new ExplainCommand(console))
            .addSubcommand(new SqlCommand(console))
            .addSubcommand(
                new CommandLine(new DdlCommand.Group())
                    .addSubcommand(new DdlCommand.Status(console))
                    .addSubcommand(new DdlCommand.Resume(console)))
            .addSubcommand(
                new CommandLine(new IndexCommand.Group())
                    .addSubcommand(new IndexCommand.Create(console))
                    .addSubcommand(new IndexCommand.Status(console))
                    .addSubcommand(new IndexCommand.Verify(console))
                    .addSubcommand(new IndexCommand.Drop(console))
                    .addSubcommand(new IndexCommand.Replay(console)))
            .addSubcommand(MoveCommand.line(console))
            .addSubcommand(new MovesCommand(console))
            .addSubcommand(new WorkerCommand(console))
            .addSubcommand(new ServeCommand(console))
            .addSubcommand(new LoadtestCommand(console))
            .addSubcommand(new HeatCommand(console))
            .addSubcommand(new RebalanceCommand.Rebalance(console))
            .addSubcommand(new SimulateCommand(console))
            .addSubcommand(new AdviseCommand(console))
            .addSubcommand(new ReviewCommand(console))
            .addSubcommand(
                new CommandLine(new ShardCommand.Group())
                    .addSubcommand(new ShardCommand.Add(console))
                    .addSubcommand(new RebalanceCommand.Drain(console))
                    .addSubcommand(new ShardCommand.Fill(console))
                    .addSubcommand(new ShardCommand.Remove(console)))
            .addSubcommand(IdCommand.group(console))
            .addSubcommand(new VersionCommand(console))
            .addSubcommand(new CommandLine.HelpCommand());
    line.setOut(writer(console.out()));
    line.setErr(writer(console.err()));
    line.setExpandAtFiles(false);
    line.setUsageHelpWidth(USAGE_WIDTH);
    line.setExecutionStrategy(
        parsed -> {
          setLogLevel();
          return new CommandLine.RunLast().execute(parsed);
        });
    line.setParameterExceptionHandler((e, ignored) -> report(e.getCommandLine(), usage(e), e));
    line.setExecutionExceptionHandler(
        (e, failed, parsed) ->
            e instanceof Console.OutputClosedException
                ? ExitCode.OUTPUT_CLOSED.number()
                : report(failed, Failure.of(e), e));
    return line;
  }

  private PrintWriter writer(PrintStream stream) {
    return new PrintWriter(new OutputStreamWriter(stream, console.charset()), true);
  }

  private boolean isDebug() {
    return debug || debugVariable;
  }

  /** Before the first logger is made. */
  private void setLogLevel() {
    if (System.getProperty(LOG_LEVEL) == null) {
      System.setProperty(LOG_LEVEL, "error");
      System.setProperty(OWN_LOG_LEVEL, isDebug() ? "debug" : "error");
      System.setProperty(AUDIT_LOG_LEVEL, "info");
    }
  }

  private static Failure usage(ParameterException e) {
    String name = e.getCommandLine().getCommandSpec().qualifiedName();
    String message = e.getMessage();
    if (e instanceof CommandLine.UnmatchedArgumentException unmatched
        && !unmatched.getUnmatched().isEmpty()) {
      message = "'" + unmatched.getUnmatched().get(0) + "' is not known to " + name;
      List<String> suggestions = unmatched.getSuggestions();
      message += suggestions.isEmpty() ? "" : "; did you mean " + suggestions.get(0) + "?";
    }
    return Failure.usage(message + "; see " + name + " --help");
  }

  /** On standard output as JSON when the command was to write JSON, else as text. */
  private int report(CommandLine failed, Failure failure, Throwable cause) {
    if (cause != null && isDebug()) {
      cause.printStackTrace(console.err());
    }
    if (cause instanceof FailedException e && e.isPrinted()) {
      return failure.exit().number();
    }
    if (wantsJson(failed)) {
      Json.print(console, Json.object("error", failure.json()));
    } else {
      console.out().flush();
      console.err().println(Printable.text(failure.paragraph(), console.charset()));
    }
    return failure.exit().number();
  }

  /** The flag may not have been parsed when the command line is wrong. */
  private boolean wantsJson(CommandLine line) {
    OptionSpec option = line.getCommandSpec().findOption(JsonOption.NAME);
    return option != null && option.arity().max() == 0 && arguments.contains(JsonOption.NAME);
  }

  private static PrintStream stream(FileDescriptor descriptor, Charset charset) {
    return new PrintStream(
        new BufferedOutputStream(new FileOutputStream(descriptor)),
        descriptor == FileDescriptor.err,
        charset);
  }

  /** Of the locale, which is what a terminal shows; Java's own default can be another. */
  private static Charset terminalCharset() {
    String name =
        System.getProperty("stdout.encoding", System.getProperty("native.encoding", "UTF-8"));
    return Charset.isSupported(name.toUpperCase(Locale.ROOT))
        ? Charset.forName(name)
        : Charset.forName("US-ASCII");
  }
}
