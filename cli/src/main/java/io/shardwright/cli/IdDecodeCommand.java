package io.shardwright.cli;

import io.shardwright.catalog.Catalog;
import io.shardwright.config.Configuration;
import io.shardwright.config.ConfigurationReader;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.GeneIdLayout;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * What an id says by itself. Asks the catalog for the bucket maps when there is a configuration.
 */
@Command(
    name = "decode",
    description = {
      "Take an id apart: time, bucket, node and sequence, in each format that it can be of.",
      "With --buckets as a gene id or order number of that many buckets alone; with -c as what the",
      "groups of the file declare, and with the shard."
    })
final class IdDecodeCommand implements Callable<Integer> {
  private final Console console;

  @Parameters(paramLabel = "ID", description = "A number or a text.")
  private String id;

  @Option(
      names = "--buckets",
      paramLabel = "V",
      description = "Buckets of the group: 1024, 4096 or 16384.")
  private Integer buckets;

  @Option(
      names = {"-c", "--config"},
      paramLabel = "FILE",
      description = "The shardwright.yaml.")
  private Path file;

  @Option(
      names = "--key-file",
      paramLabel = "FILE",
      description = "Keys of public ids, as for id public.")
  private Path keyFile;

  @Mixin private JsonOption json;

  IdDecodeCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    IdReadings readings = new IdReadings(id);
    if (buckets != null) {
      if (!GeneIdLayout.existsFor(buckets)) {
        throw new ShardwrightException(
            ErrorCode.COMMAND_INVALID,
            "--buckets "
                + buckets
                + ": gene ids exist for 1024, 4096 and 16384 buckets; give the buckets of the"
                + " group");
      }
      readings.ofBuckets(buckets);
    } else if (file != null) {
      Configuration configuration = ConfigurationReader.read(file);
      try (Catalog catalog = Catalog.open(configuration)) {
        readings.ofConfiguration(configuration, catalog.load());
      }
    } else {
      readings.ofAnyFormat();
    }
    Optional.ofNullable(keyFile).map(IdPublicCommand::keys).ifPresent(readings::ofKeys);
    print(readings.found());
    return ExitCode.OK.number();
  }

  private void print(List<IdReadings.Reading> found) {
    if (found.isEmpty()) {
      throw new ShardwrightException(
          ErrorCode.ID_MALFORMED,
          "'"
              + id
              + "' is an id of no known format"
              + (buckets == null ? "" : " of " + buckets + " buckets")
              + (file == null ? "" : " of a group in " + file)
              + "; docs/ids.md shows what each format looks like");
    }
    if (json.isSet()) {
      Json.print(
          console,
          Json.object(
              "id", id, "readings", found.stream().map(IdReadings.Reading::document).toList()));
      return;
    }
    for (int i = 0; i < found.size(); i++) {
      if (i > 0) {
        console.println("");
      }
      console.println(found.get(i).format());
      found.get(i).fields().forEach((name, value) -> console.println(line(name, value)));
    }
  }

  /** {@code createdAt} becomes {@code created at}. */
  private static String line(String name, Object value) {
    String words = name.replaceAll("([A-Z])", " $1").toLowerCase(Locale.ROOT);
    return String.format(Locale.ROOT, "%-11s %s", words, value);
  }
}
