package io.shardwright.driver;

import io.shardwright.driver.CorpusStatement.Expected;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Writes the lines {@code -- today} of the corpus anew, where the driver does more or less than
 * they say and does it right. Runs with -Dshardwright.write=true; look at the difference before you
 * commit it.
 */
final class CorpusUpdate {
  static final boolean WANTED = Boolean.getBoolean("shardwright.write");

  private final String suffix;
  private final Map<String, TreeMap<Integer, String>> changes = new HashMap<>();

  /**
   * @param database whose lines are changed
   */
  CorpusUpdate(String database) {
    this.suffix = database.equals("postgres") ? "" : " on " + database;
  }

  /** The statement was found to do this. */
  void found(CorpusStatement statement, Expected actual) {
    if (actual.equals(statement.expected())) {
      return;
    }
    String today = actual.equals(statement.wanted()) ? "" : "-- today: " + actual + suffix;
    changes
        .computeIfAbsent(statement.file(), file -> new TreeMap<>())
        .put(statement.line() - 1, today);
  }

  void write() throws IOException {
    for (Map.Entry<String, TreeMap<Integer, String>> file : changes.entrySet()) {
      Path path = Corpus.DIRECTORY.resolve(file.getKey());
      List<String> lines = new ArrayList<>(Files.readAllLines(path));
      // From the end, so that the places of the others stay.
      file.getValue().descendingMap().forEach((line, today) -> replace(lines, line, today));
      Files.write(path, lines);
    }
  }

  private void replace(List<String> lines, int statement, String today) {
    for (int i = statement - 1; i >= 0 && lines.get(i).startsWith("-- "); i--) {
      if (lines.get(i).startsWith("-- today: ") && isOurs(lines.get(i))) {
        lines.remove(i);
        if (!today.isEmpty()) {
          lines.add(i, today);
        }
        return;
      }
    }
    if (!today.isEmpty()) {
      lines.add(statement, today);
    }
  }

  private boolean isOurs(String line) {
    return suffix.isEmpty() ? !line.contains(" on ") : line.endsWith(suffix);
  }
}
