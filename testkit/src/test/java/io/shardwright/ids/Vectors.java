package io.shardwright.ids;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The files in docs/vectors. */
final class Vectors {
  static final Path DIRECTORY = Path.of("..", "docs", "vectors");

  private Vectors() {}

  /** The cells of each line below the comments and the heading. */
  static List<String[]> rows(String file) {
    try {
      return Files.readAllLines(DIRECTORY.resolve(file)).stream()
          .filter(line -> !line.startsWith("#"))
          .skip(1)
          .map(line -> line.split("\t", -1))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
