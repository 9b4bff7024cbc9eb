package io.shardwright.query;

import java.util.ArrayList;
import java.util.List;

/** Collects the mistakes of one request. Not thread-safe. */
public final class RequestProblems {
  /** A body of nonsense shall not be answered by megabytes. */
  private static final int MAX = 50;

  private final List<RequestProblem> problems = new ArrayList<>();

  void add(String at, String problem, String instead) {
    if (problems.size() < MAX) {
      problems.add(new RequestProblem(at, problem, instead));
    }
  }

  boolean isEmpty() {
    return problems.isEmpty();
  }

  /**
   * @throws RequestRefusedException SW801 with all of them
   */
  void throwIfAny() {
    if (!problems.isEmpty()) {
      throw new RequestRefusedException(problems);
    }
  }
}
