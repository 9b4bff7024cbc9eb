package io.shardwright.config;

import io.shardwright.config.Configuration.Mover;
import io.shardwright.config.Configuration.Shard;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** The role that moves buckets. */
final class MoverMapping {
  private static final List<String> KEYS = List.of("user", "password");
  private static final String WRITE = "write user: shardwright_mover";

  /** What both products take as a name of 63 bytes at most. */
  private static final Pattern USER = Pattern.compile("[A-Za-z_][A-Za-z0-9_$-]{0,62}");

  private MoverMapping() {}

  /**
   * @param root that may have a key {@code mover}
   */
  static Optional<Mover> read(YamlMap root, Collection<Shard> shards) {
    Optional<YamlMap> found = root.has("mover") ? root.map("mover") : Optional.empty();
    if (found.isEmpty()) {
      return Optional.empty();
    }
    if (!root.has("catalog")) {
      root.problem(
          "mover", "moves buckets of maps that are fixed", "add catalog: or leave mover: out");
    }
    YamlMap map = found.get().allow(KEYS);
    Optional<String> user = map.requireText("user", WRITE);
    if (user.isPresent() && !USER.matcher(user.get()).matches()) {
      map.problem("user", "is " + map.shown("user") + ", which is no name of a role", WRITE);
    }
    user.flatMap(name -> shards.stream().filter(s -> s.endpoint().user().equals(name)).findFirst())
        .ifPresent(
            shard ->
                map.problem(
                    "user",
                    "is also the user of shard " + shard.id(),
                    "use a role of its own: what guards the tables leaves the mover alone"));
    return user.map(name -> new Mover(name, map.text("password").orElse("")));
  }
}
