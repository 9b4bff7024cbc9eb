package io.shardwright.cli;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.ids.GeneId;
import io.shardwright.routing.GeneIdLayout;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What an id says by itself. Needs no database. */
@Command(
    name = "decode",
    description = {
      "Take a gene id apart: generation, time, bucket, node and sequence.",
      "The number of buckets is that of the group; it decides where the bits are."
    })
final class IdCommand implements Callable<Integer> {
  private final Console console;

  @Parameters(paramLabel = "ID", description = "The id, a number from 0 to 2^63-1.")
  private String id;

  @Option(
      names = "--buckets",
      paramLabel = "V",
      required = true,
      description = "Buckets of the group: 1024, 4096 or 16384.")
  private int buckets;

  @Mixin private JsonOption json;

  /** Groups the commands on ids. */
  @Command(name = "id", description = "Look into ids.", subcommandsRepeatable = false)
  static final class Group {}

  IdCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    if (!GeneIdLayout.existsFor(buckets)) {
      throw new ShardwrightException(
          ErrorCode.COMMAND_INVALID,
          "--buckets "
              + buckets
              + ": gene ids exist for 1024, 4096 and 16384 buckets; give the buckets of the group");
    }
    GeneId decoded = GeneId.decode(parse(id), GeneIdLayout.forBuckets(buckets));
    if (json.isSet()) {
      Json.print(
          console,
          Json.object(
              "id", Long.toString(decoded.value()),
              "generation", decoded.version(),
              "createdAt", decoded.createdAt(),
              "bucket", decoded.gene().value(),
              "node", decoded.node(),
              "sequence", decoded.sequence()));
      return ExitCode.OK.number();
    }
    console.println("id          " + decoded.value());
    console.println("generation  " + decoded.version());
    console.println("created at  " + decoded.createdAt());
    console.println("bucket      " + decoded.gene());
    console.println("node        " + decoded.node());
    console.println("sequence    " + decoded.sequence());
    return ExitCode.OK.number();
  }

  private static long parse(String text) {
    try {
      return Long.parseLong(text.strip());
    } catch (NumberFormatException e) {
      throw new ShardwrightException(
          ErrorCode.ID_MALFORMED,
          "'" + text + "' is not an id; give a whole number from 0 to " + Long.MAX_VALUE,
          e);
    }
  }
}
