package io.shardwright.config;

import io.shardwright.config.Configuration.Scatter;
import io.shardwright.routing.ScatterPolicy;
import io.shardwright.routing.ScatterRule;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** {@code scatter: {reads: bounded, writes: refuse}}, at the top level or of one group. */
final class ScatterMapping {
  private static final List<String> KEYS = List.of("reads", "writes");
  private static final List<ScatterPolicy> READS = List.of(ScatterPolicy.values());
  private static final List<ScatterPolicy> WRITES =
      List.of(ScatterPolicy.REFUSE, ScatterPolicy.ALLOW);

  private final YamlMap map;
  private final String place;

  private ScatterMapping(YamlMap map, String place) {
    this.map = map.allow(KEYS);
    this.place = place;
  }

  /**
   * @param parent may have a key {@code scatter}
   * @param place of that key, for messages
   * @param otherwise what holds where nothing is written
   */
  static Scatter read(YamlMap parent, String place, Scatter otherwise) {
    Optional<YamlMap> map = parent.has("scatter") ? parent.map("scatter") : Optional.empty();
    if (map.isEmpty()) {
      return otherwise;
    }
    ScatterMapping mapping = new ScatterMapping(map.get(), place);
    return new Scatter(
        mapping.rule("reads", READS).orElse(otherwise.reads()),
        mapping.rule("writes", WRITES).orElse(otherwise.writes()));
  }

  private Optional<ScatterRule> rule(String key, List<ScatterPolicy> allowed) {
    Optional<String> text = map.text(key);
    for (ScatterPolicy policy : allowed) {
      if (text.filter(word(policy)::equals).isPresent()) {
        return Optional.of(new ScatterRule(policy, place + "." + key));
      }
    }
    if (text.isPresent()) {
      map.problem(
          key,
          "is " + map.shown(key),
          "write one of " + String.join(", ", allowed.stream().map(ScatterMapping::word).toList()));
    }
    return Optional.empty();
  }

  private static String word(ScatterPolicy policy) {
    return policy.name().toLowerCase(Locale.ROOT);
  }
}
