package io.shardwright.config;

import io.shardwright.config.Configuration.Shard;
import io.shardwright.routing.BucketSet;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Where some buckets of a group may be.
 *
 * @param require labels that a shard must have to own one of the buckets
 */
public record Zone(BucketSet buckets, Map<String, String> require) {
  public Zone {
    require = Map.copyOf(require);
  }

  public boolean permits(Shard shard) {
    return shard.labels().entrySet().containsAll(require.entrySet());
  }

  /** As in the file. */
  @Override
  public String toString() {
    return "buckets " + buckets + " require " + text(require);
  }

  /** {@code {region: eu, tier: ssd}}. */
  public static String text(Map<String, String> labels) {
    return new TreeMap<>(labels)
        .entrySet().stream()
            .map(label -> label.getKey() + ": " + label.getValue())
            .collect(Collectors.joining(", ", "{", "}"));
  }
}
