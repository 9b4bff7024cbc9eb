package io.shardwright.config;

import io.shardwright.config.Configuration.Endpoint;
import io.shardwright.config.Configuration.Pool;
import io.shardwright.config.Configuration.Shard;
import io.shardwright.routing.ShardId;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A database to log in to: the catalog or a shard. */
final class EndpointMapping {
  static final List<String> KEYS = List.of("url", "user", "password");
  private static final List<String> SHARD_KEYS =
      List.of("url", "user", "password", "pool", "weight", "labels");
  private static final List<String> POOL_KEYS = List.of("max", "timeout");

  private static final Pattern URL = Pattern.compile("jdbc:(postgresql|mysql|mariadb):\\S+");

  /** The server would take a statement's tables from no database, or from one in the statement. */
  private static final Pattern NO_DATABASE =
      Pattern.compile("jdbc:(mysql|mariadb):[^/]*//[^/?]*/?(\\?.*)?");

  private static final String WRITE_URL =
      "write url: \"jdbc:postgresql://host:5432/database\" or"
          + " \"jdbc:mariadb://host:3306/database\"";
  private static final Pattern CREDENTIALS =
      Pattern.compile("[?&;,(](user|password)=|//[^/]*@", Pattern.CASE_INSENSITIVE);

  /** Other parameters that drivers read secrets from, of the key of a certificate for one. */
  private static final Pattern SECRET =
      Pattern.compile(
          "[?&;,(]([^?&;,()=]*(?:password\\d?|passwd|passphrase|pwd|secret|token))=([^&;,)]*)",
          Pattern.CASE_INSENSITIVE);

  private static final Pattern VARIABLE = Pattern.compile("\\$\\{[^}]*\\}");
  private static final int WEIGHT_MAX = 1000;
  private static final int POOL_MAX = 1000;
  private static final Duration TIMEOUT_MAX = Duration.ofMinutes(10);

  private final YamlMap map;

  EndpointMapping(YamlMap map) {
    this.map = map;
  }

  Optional<Endpoint> endpoint() {
    Optional<String> url = map.requireText("url", WRITE_URL);
    Optional<String> user = map.requireText("user", "write user: name");
    String password = map.text("password").orElse("");
    boolean valid = url.isPresent() && validUrl(url.get());
    return valid && user.isPresent()
        ? Optional.of(new Endpoint(url.get(), user.get(), password))
        : Optional.empty();
  }

  Optional<Shard> shard(String name) {
    map.allow(SHARD_KEYS);
    Optional<Endpoint> endpoint = endpoint();
    Pool pool = map.map("pool").map(EndpointMapping::pool).orElse(Pool.DEFAULT);
    int weight = map.integer("weight", 0, WEIGHT_MAX).orElse(1);
    Map<String, String> labels =
        map.has("labels") ? map.map("labels").map(ZoneMapping::labels).orElse(Map.of()) : Map.of();
    return endpoint.isPresent() && ShardId.isValid(name)
        ? Optional.of(new Shard(new ShardId(name), endpoint.get(), pool, weight, labels))
        : Optional.empty();
  }

  /** What tells two databases apart: the url without its parameters. */
  static String database(String url) {
    return Endpoint.withoutParameters(url).toLowerCase(Locale.ROOT);
  }

  private boolean validUrl(String url) {
    if (CREDENTIALS.matcher(url).find()) {
      map.problem(
          "url", "holds a user or a password", "write them under user: and password: instead");
      return false;
    }
    Matcher secret = SECRET.matcher(map.written("url"));
    while (secret.find()) {
      if (!VARIABLE.matcher(secret.group(2)).matches()) {
        String name = secret.group(1);
        map.problem(
            "url",
            "holds a secret as its parameter " + name,
            "write " + name + "=${NAME} and set the environment variable NAME");
        return false;
      }
    }
    if (!URL.matcher(url).matches()) {
      map.problem("url", "is " + map.shown("url") + ", not the JDBC url of a database", WRITE_URL);
      return false;
    }
    if (NO_DATABASE.matcher(url).matches()) {
      map.problem(
          "url",
          "is " + map.shown("url") + ", which names no database",
          "write url: \"jdbc:mariadb://host:3306/database\"");
      return false;
    }
    return true;
  }

  private static Pool pool(YamlMap map) {
    map.allow(POOL_KEYS);
    int max = map.integer("max", 1, POOL_MAX).orElse(Pool.DEFAULT.max());
    return new Pool(
        max,
        map.duration("timeout", Duration.ofMillis(1), TIMEOUT_MAX).orElse(Pool.DEFAULT.timeout()));
  }
}
