package io.shardwright.cli;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.ids.Base62;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Groups the commands on ids. None of them reads rows. */
@Command(
    name = "id",
    description = "Make ids, and say what they mean.",
    subcommandsRepeatable = false)
final class IdCommand {

  static CommandLine group(Console console) {
    return new CommandLine(new IdCommand())
        .addSubcommand(new IdDecodeCommand(console))
        .addSubcommand(new IdNewCommand(console))
        .addSubcommand(new Encode(console))
        .addSubcommand(new IdPublicCommand(console));
  }

  /** The Base62 text of a number. */
  @Command(name = "encode", description = "Print the Base62 text of a number.")
  static final class Encode implements Callable<Integer> {
    private final Console console;

    @Parameters(paramLabel = "NUMBER", description = "From 0 to 2^63-1.")
    private String number;

    Encode(Console console) {
      this.console = console;
    }

    @Override
    public Integer call() {
      console.println(Base62.encode(number(number)));
      return ExitCode.OK.number();
    }
  }

  static long number(String text) {
    try {
      long number = Long.parseLong(text);
      if (number >= 0) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Falls through to the error.
    }
    throw new ShardwrightException(
        ErrorCode.ID_MALFORMED,
        "'" + text + "' is no id; give a whole number from 0 to " + Long.MAX_VALUE);
  }
}
