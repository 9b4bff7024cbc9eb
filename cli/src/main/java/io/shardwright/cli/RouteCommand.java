package io.shardwright.cli;

import io.shardwright.config.Configuration;
import io.shardwright.config.Configuration.Group;
import io.shardwright.driver.Shardwright;
import io.shardwright.driver.ShardwrightDataSource;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.BucketMap;
import io.shardwright.routing.Directory;
import io.shardwright.routing.KeyType;
import io.shardwright.sql.Schema.GeneIdColumn;
import io.shardwright.sql.Schema.Sharding;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Where the rows of one key live. Reads the bucket map and the key's column types, no rows. */
@Command(
    name = "route",
    description = {
      "Print the bucket and the shard of a route key, and why.",
      "Example: shardwright route -c shardwright.yaml orders tenant_id=1 buyer_id=17850"
    })
final class RouteCommand implements Callable<Integer> {
  private final Console console;

  @Mixin private ConfigurationFile configuration;
  @Mixin private JsonOption json;

  @Parameters(index = "0", paramLabel = "GROUP", description = "The table group.")
  private String groupName;

  @Parameters(
      index = "1..*",
      arity = "1..*",
      paramLabel = "COLUMN=VALUE",
      description =
          "Every column of the route key, under the names that one of the group's tables uses, or"
              + " the id column alone.")
  private List<String> conditions;

  RouteCommand(Console console) {
    this.console = console;
  }

  private record Answer(BucketId bucket, String key, String why) {}

  @Override
  public Integer call() {
    Configuration file = configuration.read();
    Group group = file.groups().get(groupName);
    if (group == null) {
      throw invalid(
          "the configuration has no group '"
              + groupName
              + "'; its groups are "
              + String.join(", ", file.groups().keySet()));
    }
    Map<String, String> values = values();
    try (ShardwrightDataSource database = Shardwright.open(file)) {
      Answer answer = answer(group, values, database);
      print(group, answer, database.bucketMap(groupName));
    }
    return ExitCode.OK.number();
  }

  private Map<String, String> values() {
    Map<String, String> values = new LinkedHashMap<>();
    for (String condition : conditions) {
      int equals = condition.indexOf('=');
      if (equals < 1) {
        throw invalid("'" + condition + "' is not COLUMN=VALUE, e.g. buyer_id=17850");
      }
      String column = condition.substring(0, equals);
      if (values.put(column, condition.substring(equals + 1)) != null) {
        throw invalid("column " + column + " is given twice; give each column once");
      }
    }
    return values;
  }

  private Answer answer(Group group, Map<String, String> values, ShardwrightDataSource database) {
    Optional<String> id = group.id().map(Configuration.GeneIdColumn::column);
    boolean byId = id.isPresent() && values.keySet().equals(java.util.Set.of(id.get()));
    for (Configuration.Table table : group.tables().values()) {
      Optional<Sharding> sharding =
          database.schema().table(table.name()).flatMap(io.shardwright.sql.Schema.Table::sharding);
      if (sharding.isEmpty()) {
        continue;
      }
      if (byId && sharding.get().id().isPresent()) {
        return byId(sharding.get().id().get(), values.get(id.get()));
      }
      if (values.keySet().equals(java.util.Set.copyOf(table.key()))) {
        return byKey(table.key(), sharding.get(), values);
      }
    }
    throw invalid(
        "the columns ("
            + String.join(", ", values.keySet())
            + ") are not the route key of group "
            + group.name()
            + "; give "
            + String.join("=... ", group.key())
            + "=..."
            + id.map(column -> ", or " + column + "=... alone").orElse("")
            + (byId ? ", whose CHECK on the shards shardwright apply has to add first" : ""));
  }

  private static Answer byId(GeneIdColumn id, String text) {
    long value;
    try {
      value = Long.parseLong(text.strip());
    } catch (NumberFormatException e) {
      throw notOfType(id.column(), text, KeyType.INTEGER, ErrorCode.ID_MALFORMED);
    }
    if (value < 0) {
      throw notOfType(id.column(), text, KeyType.INTEGER, ErrorCode.ID_MALFORMED);
    }
    BucketId bucket = id.bucket(value);
    return new Answer(
        bucket,
        id.column(),
        id.column()
            + " is a gene id; its bits "
            + id.layout().geneShift()
            + " and up name bucket "
            + bucket);
  }

  private static Answer byKey(List<String> key, Sharding sharding, Map<String, String> values) {
    List<Object> typed = new ArrayList<>();
    List<String> read = new ArrayList<>();
    for (int i = 0; i < key.size(); i++) {
      KeyType type = sharding.function().types().get(i);
      Object value = value(type, key.get(i), values.get(key.get(i)));
      typed.add(value);
      read.add(key.get(i) + " as " + type.name().toLowerCase(Locale.ROOT).replace('_', ' '));
    }
    BucketId bucket = sharding.function().bucket(typed).orElseThrow();
    Optional<Directory.Entry> entry = sharding.function().entryOf(typed);
    String why =
        sharding.function().algorithm().name().toLowerCase(Locale.ROOT)
            + " of the route key ("
            + String.join(", ", read)
            + ") modulo "
            + entry
                .map(
                    reserved ->
                        reserved.count()
                            + ", among the buckets "
                            + reserved.buckets()
                            + " that the directory reserves for it,")
                .orElse(sharding.function().buckets() + "")
            + " is bucket "
            + bucket;
    return new Answer(bucket, "(" + String.join(", ", key) + ")", why);
  }

  private static Object value(KeyType type, String column, String text) {
    if (type == KeyType.BYTES) {
      try {
        return HexFormat.of().parseHex(text.startsWith("\\x") ? text.substring(2) : text);
      } catch (IllegalArgumentException e) {
        throw notOfType(column, text, type, ErrorCode.ROUTE_KEY_VALUE_INVALID);
      }
    }
    try {
      if (type.canonical(text).isPresent()) {
        return text;
      }
    } catch (ShardwrightException e) {
      throw notOfType(column, text, type, e.code());
    }
    throw notOfType(column, text, type, ErrorCode.ROUTE_KEY_VALUE_INVALID);
  }

  private static ShardwrightException notOfType(
      String column, String text, KeyType type, ErrorCode code) {
    String expected =
        switch (type) {
          case INTEGER -> "a whole number of at most 64 bits";
          case TEXT, FOLDED_TEXT -> "text";
          case UUID -> "a UUID, e.g. 123e4567-e89b-12d3-a456-426614174000";
          case TIMESTAMP -> "a timestamp without zone, e.g. 2026-01-31T12:00:00.5";
          case TIMESTAMP_WITH_ZONE -> "a timestamp with zone, e.g. 2026-01-31T12:00:00.5Z";
          case DATE -> "a date, e.g. 2026-01-31";
          case BYTES -> "bytes as hexadecimal digits, e.g. \\x00ff";
        };
    return new ShardwrightException(
        code, "column " + column + " takes " + expected + "; '" + text + "' is none");
  }

  private void print(Group group, Answer answer, BucketMap map) {
    String shard = map.shardOf(answer.bucket()).name();
    String why =
        answer.why() + ", which version " + map.version() + " of the map gives to " + shard;
    if (json.isSet()) {
      Json.print(
          console,
          Json.object(
              "group", group.name(),
              "key", answer.key(),
              "bucket", answer.bucket().value(),
              "buckets", map.buckets(),
              "shard", shard,
              "mapVersion", map.version(),
              "why", why));
      return;
    }
    console.println("bucket       " + answer.bucket() + " of " + map.buckets());
    console.println("shard        " + shard);
    console.println("map version  " + map.version());
    console.println("why          " + why);
  }

  private static ShardwrightException invalid(String message) {
    return new ShardwrightException(ErrorCode.COMMAND_INVALID, message);
  }
}
