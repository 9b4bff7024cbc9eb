package io.shardwright.config;

import io.shardwright.config.Configuration.Shard;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.BucketSet;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/** Labels of shards, and what groups ask of them. */
final class ZoneMapping {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,62}");
  private static final String BUCKETS = "write ranges with both ends, e.g. buckets: \"900-999\"";
  private static final String REQUIRE = "write require: {region: eu}";

  private ZoneMapping() {}

  /** Names and values. */
  static Map<String, String> labels(YamlMap map) {
    Map<String, String> labels = new LinkedHashMap<>();
    for (String name : map.names()) {
      map.text(name).ifPresent(value -> labels.put(name, value));
      if (!NAME.matcher(name).matches() || !NAME.matcher(labels.getOrDefault(name, "")).matches()) {
        map.problem(
            name,
            "is " + map.shown(name),
            "use up to 63 letters, digits, '.', '_' or '-' for a label and its value");
      }
    }
    return labels;
  }

  /**
   * @param group that may have a key {@code zones}
   * @param buckets of the group; empty when they are missing or wrong
   */
  static List<Zone> zones(YamlMap group, OptionalInt buckets, Collection<Shard> shards) {
    List<Zone> zones = new ArrayList<>();
    for (YamlMap entry : group.maps("zones")) {
      entry.allow(List.of("buckets", "require"));
      Optional<BucketSet> some = buckets(entry, buckets);
      Map<String, String> require =
          entry.requireMap("require", REQUIRE).map(ZoneMapping::labels).orElse(Map.of());
      if (entry.has("require") && require.isEmpty()) {
        entry.problem("require", "asks for no label", REQUIRE);
      }
      some.map(set -> new Zone(set, require)).ifPresent(zones::add);
    }
    checkPossible(group, zones, buckets.orElse(0), shards);
    return zones;
  }

  private static Optional<BucketSet> buckets(YamlMap entry, OptionalInt buckets) {
    Optional<String> text = entry.requireText("buckets", BUCKETS);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    try {
      BucketSet some = BucketSet.parse(text.get());
      if (!some.isEmpty() && (buckets.isEmpty() || some.end() <= buckets.getAsInt())) {
        return Optional.of(some);
      }
    } catch (IllegalArgumentException e) {
      // Falls through to the problem: it is not of the form.
    }
    String most = buckets.isEmpty() ? "" : " up to " + (buckets.getAsInt() - 1);
    entry.problem("buckets", "is " + entry.shown("buckets"), BUCKETS + most);
    return Optional.empty();
  }

  /** Each bucket has a shard that all of its zones permit. */
  private static void checkPossible(
      YamlMap group, List<Zone> zones, int buckets, Collection<Shard> shards) {
    for (int number = 0; number < buckets && !zones.isEmpty(); number++) {
      BucketId bucket = new BucketId(number);
      List<Zone> of = zones.stream().filter(zone -> zone.buckets().contains(bucket)).toList();
      if (shards.stream().noneMatch(s -> of.stream().allMatch(zone -> zone.permits(s)))) {
        group.problem(
            "zones",
            "leave bucket " + number + " no shard: " + of,
            "give a shard these labels: shards.<shard>.labels");
        return;
      }
    }
  }
}
