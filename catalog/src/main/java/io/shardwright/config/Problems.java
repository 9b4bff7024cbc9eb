package io.shardwright.config;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.nodes.Node;

/** Collects the mistakes of one file. Not thread-safe. */
final class Problems {
  /** A file of nonsense shall not print megabytes. */
  private static final int MAX = 200;

  private final List<Problem> problems = new ArrayList<>();

  void add(Node at, String key, String message, String instead) {
    add(at.getStartMark().orElse(null), key, message, instead);
  }

  void add(Mark at, String key, String message, String instead) {
    int line = at == null ? 1 : at.getLine() + 1;
    int column = at == null ? 1 : at.getColumn() + 1;
    add(new Problem(line, column, key, message, instead));
  }

  void add(Problem problem) {
    if (problems.size() < MAX) {
      problems.add(problem);
    }
  }

  void throwIfAny(String file) {
    if (!problems.isEmpty()) {
      List<Problem> sorted = new ArrayList<>(problems);
      sorted.sort(Comparator.comparingInt(Problem::line).thenComparingInt(Problem::column));
      throw new ConfigurationException(file, sorted);
    }
  }
}
