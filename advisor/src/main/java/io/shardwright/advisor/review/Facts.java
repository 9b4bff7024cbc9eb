package io.shardwright.advisor.review;

import io.shardwright.config.Configuration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * What a review looks at.
 *
 * @param databases empty: they were not asked
 * @param logs empty: none were given
 */
public record Facts(
    Configuration configuration, Optional<DatabaseFacts> databases, Optional<LogFacts> logs) {

  /** What the databases tell; without them that they were not asked. */
  List<Observation> ofDatabases(Function<DatabaseFacts, List<Observation>> check) {
    return databases
        .map(check)
        .orElseGet(
            () ->
                List.of(
                    Observation.missing(
                        "the databases were not asked", "run the review without --offline")));
  }

  /** The same of logs. */
  List<Observation> ofLogs(Function<LogFacts, List<Observation>> check) {
    if (logs.isEmpty()) {
      return List.of(Observation.missing("no log was given", "give --logs FILE"));
    }
    if (logs.get().executions() < LogFacts.EXECUTIONS_MIN) {
      return List.of(
          Observation.missing(
              "the logs have "
                  + Observation.count(logs.get().executions(), "statement")
                  + " on sharded tables, fewer than "
                  + LogFacts.EXECUTIONS_MIN,
              "give logs of a day with usual traffic"));
    }
    return check.apply(logs.get());
  }
}
