package io.shardwright.testkit;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Directories that are filled once per machine and used by all JVMs. */
final class ProgramCache {
  private ProgramCache() {}

  interface Filler {
    void fill(Path directory) throws IOException;
  }

  /**
   * @param name says what the content is: other content, other name
   * @return the directory of that name, complete
   */
  static Path unpackOnce(Path cache, String name, Filler filler) throws IOException {
    Path home = cache.resolve(name);
    if (Files.isDirectory(home)) {
      return home;
    }
    Files.createDirectories(cache);
    try (FileChannel channel =
            FileChannel.open(
                cache.resolve(name + ".lock"),
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE);
        FileLock lock = channel.lock()) {
      // The rename comes last: a directory of that name is complete, whoever was killed before.
      if (lock.isValid() && !Files.isDirectory(home)) {
        Path partial = Files.createTempDirectory(cache, name + "-partial");
        filler.fill(partial);
        Files.move(partial, home);
      }
    }
    return home;
  }
}
