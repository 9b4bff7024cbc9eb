package io.shardwright.config;

import io.shardwright.config.Configuration.Heat;
import java.time.Duration;
import java.util.List;

/** Whether and how often the traffic of buckets is recorded. */
final class HeatMapping {
  /** Each recording is a transaction of the catalog, by every process. */
  private static final Duration INTERVAL_MIN = Duration.ofSeconds(1);

  private static final Duration INTERVAL_MAX = Duration.ofHours(1);
  private static final String OFF = "off";
  private static final String WRITE = "write heat: {interval: 60s}, or heat: off";

  private HeatMapping() {}

  /**
   * @param root that may have a key {@code heat}
   */
  static Heat read(YamlMap root) {
    if (!root.has("heat")) {
      return Heat.DEFAULT;
    }
    if (!root.written("heat").isEmpty()) {
      if (!root.written("heat").equals(OFF)) {
        root.problem("heat", "is " + root.shown("heat"), WRITE);
      }
      return Heat.OFF;
    }
    if (!root.has("catalog")) {
      root.problem("heat", "is recorded in the catalog", "add catalog: or leave heat: out");
    }
    return root.map("heat")
        .map(map -> map.allow(List.of("interval")))
        .flatMap(map -> map.duration("interval", INTERVAL_MIN, INTERVAL_MAX))
        .map(Heat::new)
        .orElse(Heat.DEFAULT);
  }
}
