package io.shardwright.bench.compare;

import java.util.List;
import java.util.Optional;

/** Of one workload, by side. */
record Result(Workload workload, List<Score> scores) {
  Result {
    scores = List.copyOf(scores);
  }

  /** Empty: the side has no part in it, or refused. */
  Optional<Score> of(Side side) {
    return scores.stream().filter(s -> s.side() == side && !s.isRefused()).findFirst();
  }
}
