package io.shardwright.query;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

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

  /**
   * The time that a query may take.
   *
   * @param most that a caller may ask for, and what one has who asks for none
   */
  Duration timeout(Optional<Duration> wanted, Duration most) {
    wanted
        .filter(time -> time.compareTo(most) > 0 || time.isZero() || time.isNegative())
        .ifPresent(
            time ->
                add(
                    "/timeoutMs",
                    "is " + time.toMillis(),
                    "write 1 to " + most.toMillis() + " (query.timeout)"));
    return wanted.orElse(most);
  }

  /** Of those that there are. */
  RequestProblem first() {
    return problems.get(0);
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
