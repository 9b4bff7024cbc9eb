package io.shardwright.cli;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.ids.PublicIds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The public form of an id, and back. */
@Command(
    name = "public",
    description = {
      "Print the public form of an id; with --decode the id of a public form.",
      "The key file has a line VERSION HEX for each key, e.g. 1 000102030405060708090a0b0c0d0e0f;",
      "its first line makes new texts."
    })
final class IdPublicCommand implements Callable<Integer> {
  private final Console console;

  @Parameters(paramLabel = "ID", description = "The id; with --decode its public form.")
  private String id;

  @Option(names = "--key-file", paramLabel = "FILE", required = true, description = "The keys.")
  private Path keyFile;

  @Option(names = "--decode", description = "From the public form to the id.")
  private boolean decode;

  IdPublicCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    PublicIds keys = keys(keyFile);
    console.println(
        decode ? Long.toString(keys.decode(id).id()) : keys.encode(IdCommand.number(id)));
    return ExitCode.OK.number();
  }

  /** Messages name lines, never what is in them. */
  static PublicIds keys(Path file) {
    List<String> lines;
    try {
      lines = Files.readAllLines(file);
    } catch (IOException e) {
      throw new ShardwrightException(
          ErrorCode.COMMAND_INVALID, "key file " + file + " cannot be read; check the path", e);
    }
    Map<Integer, byte[]> keys = new LinkedHashMap<>();
    for (int i = 0; i < lines.size(); i++) {
      String[] words = lines.get(i).strip().split(" +", -1);
      try {
        if (words.length != 2
            || keys.put(Integer.valueOf(words[0]), HexFormat.of().parseHex(words[1])) != null) {
          throw new IllegalArgumentException("not two words, or a version again");
        }
      } catch (IllegalArgumentException e) {
        throw new ShardwrightException(
            ErrorCode.COMMAND_INVALID,
            "line "
                + (i + 1)
                + " of key file "
                + file
                + " is not VERSION HEX with a version of its own");
      }
    }
    if (keys.isEmpty()) {
      throw new ShardwrightException(ErrorCode.COMMAND_INVALID, "key file " + file + " is empty");
    }
    try {
      return new PublicIds(keys, keys.keySet().iterator().next());
    } catch (IllegalArgumentException e) {
      throw new ShardwrightException(
          ErrorCode.COMMAND_INVALID, "key file " + file + ": " + e.getMessage(), e);
    }
  }
}
