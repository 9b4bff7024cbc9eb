package io.shardwright.bench.compare;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * All that was measured.
 *
 * @param server its settings
 * @param cold from opening to the first row in fresh processes
 * @param heaps the least of the tried ones in which all rows can be streamed, as of -Xmx
 * @param skewed orders of skewed buyers by shard
 */
record Outcome(
    Database database,
    Scale scale,
    Map<String, String> server,
    List<Result> results,
    Optional<Result> cold,
    Map<Side, String> heaps,
    Map<Side, List<Long>> skewed) {

  Outcome {
    server = Collections.unmodifiableMap(new LinkedHashMap<>(server));
    heaps = Collections.unmodifiableMap(new LinkedHashMap<>(heaps));
    skewed = Collections.unmodifiableMap(new LinkedHashMap<>(skewed));
    results = List.copyOf(results);
  }

  Optional<Result> of(String workload) {
    return results.stream().filter(r -> r.workload().name().equals(workload)).findFirst();
  }

  /** Empty: not measured, or refused. */
  Optional<Score> of(String workload, Side side) {
    return of(workload).flatMap(result -> result.of(side));
  }
}
