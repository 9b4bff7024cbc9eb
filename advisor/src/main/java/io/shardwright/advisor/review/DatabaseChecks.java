package io.shardwright.advisor.review;

import static io.shardwright.advisor.review.Observation.count;
import static io.shardwright.advisor.review.Observation.error;
import static io.shardwright.advisor.review.Observation.good;
import static io.shardwright.advisor.review.Observation.listed;
import static io.shardwright.advisor.review.Observation.missing;
import static io.shardwright.advisor.review.Observation.warning;

import io.shardwright.advisor.review.DatabaseFacts.IndexFacts;
import io.shardwright.advisor.review.DatabaseFacts.MoveFacts;
import io.shardwright.advisor.review.LogFacts.Statement;
import io.shardwright.advisor.templates.ColumnRole;
import io.shardwright.catalog.IndexState;
import io.shardwright.catalog.MoveState;
import io.shardwright.config.Configuration;
import io.shardwright.config.Configuration.Group;
import io.shardwright.config.Configuration.Index;
import io.shardwright.routing.ShardId;
import io.shardwright.schema.Finding;
import io.shardwright.schema.SchemaCheck.Topic;
import io.shardwright.schema.ShardSchema;
import io.shardwright.schema.ShardSchema.Column;
import io.shardwright.schema.ShardSchema.Source;
import io.shardwright.schema.ShardSchema.Table;
import io.shardwright.schema.ShardSchema.UniqueKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What catalog and shards show. */
final class DatabaseChecks {
  // Long because: all that the databases show stands in one place.

  private static final int PARTITIONS_WARNING = 200;
  private static final int PARTITIONS_ERROR = 1_000;

  /** As the scheduled comparison records them. */
  private static final Pattern DIFFERENCES =
      Pattern.compile("(\\d+) (had no entry|rows share a value)");

  private DatabaseChecks() {}

  /** Of a topic: its problems, its warnings, or that there are none. */
  private static Function<Facts, List<Observation>> topic(Topic topic, String nothing) {
    return facts ->
        facts.ofDatabases(
            databases -> {
              List<Observation> all = new ArrayList<>();
              for (Finding finding : databases.schema().problems().get(topic)) {
                all.add(error(shown(finding), finding.action()));
              }
              for (Finding finding : databases.schema().warnings().get(topic)) {
                all.add(warning(shown(finding), finding.action()));
              }
              all.addAll(unread(facts, databases));
              return all.isEmpty()
                  ? List.of(
                      good(nothing + ", on " + count(databases.schema().schemas().size(), "shard")))
                  : all;
            });
  }

  private static String shown(Finding finding) {
    return finding.message()
        + (finding.shards().isEmpty()
            ? ""
            : finding.shards().stream()
                .map(ShardId::name)
                .collect(Collectors.joining(", ", " (", ")")));
  }

  /** Shards that were not read keep a rule from being fulfilled. */
  private static List<Observation> unread(Facts facts, DatabaseFacts databases) {
    List<ShardId> missing = new ArrayList<>(facts.configuration().shardIds());
    missing.removeAll(databases.schema().schemas().keySet());
    return missing.isEmpty()
        ? List.of()
        : List.of(missing("not read: shards " + listed(missing), "let the shards run and repeat"));
  }

  private static List<Observation> orUnread(
      Facts facts, DatabaseFacts databases, List<Observation> all) {
    List<Observation> more = new ArrayList<>(all);
    more.addAll(unread(facts, databases));
    return more;
  }

  static List<Observation> keys(Facts facts) {
    return facts.ofDatabases(
        databases -> {
          List<Observation> all = new ArrayList<>();
          databases
              .schema()
              .problems()
              .get(Topic.KEYS)
              .forEach(finding -> all.add(error(shown(finding), finding.action())));
          if (all.isEmpty()) {
            all.add(good("tables, bucket_id and columns of the key are as the file says"));
          }
          return orUnread(facts, databases, all);
        });
  }

  static List<Observation> uniques(Facts facts) {
    return topic(Topic.UNIQUES, "each unique constraint has a scope").apply(facts);
  }

  static List<Observation> foreignKeys(Facts facts) {
    return topic(Topic.FOREIGN_KEYS, "no foreign key leads to another shard").apply(facts);
  }

  static List<Observation> drift(Facts facts) {
    return topic(Topic.DRIFT, "tables, settings and reference tables are equal").apply(facts);
  }

  static List<Observation> genes(Facts facts) {
    return topic(Topic.GENES, "every id is checked against its bucket").apply(facts);
  }

  static List<Observation> placement(Facts facts) {
    return facts.ofDatabases(
        databases -> {
          if (databases.maps().isEmpty()) {
            return List.of(missing("the catalog was not read", "let the catalog run and repeat"));
          }
          return topic(
                  Topic.PLACEMENT,
                  "the first 1000 rows of each table are in the bucket of their key")
              .apply(facts);
        });
  }

  static List<Observation> fences(Facts facts) {
    if (facts.configuration().catalog().isEmpty()) {
      return List.of(
          error(
              "without catalog no shard checks who owns a bucket",
              "add catalog: and run shardwright apply"));
    }
    return facts.ofDatabases(
        databases ->
            databases.maps().isEmpty()
                ? List.of(missing("the catalog was not read", "let the catalog run and repeat"))
                : topic(Topic.FENCES, "each shard refuses writes to buckets of others")
                    .apply(facts));
  }

  /** Each table of the groups that a shard has, of the first shard that was read. */
  private static Map<Configuration.Table, Table> tables(Facts facts, DatabaseFacts databases) {
    Map<Configuration.Table, Table> tables = new LinkedHashMap<>();
    for (Group group : facts.configuration().groups().values()) {
      for (Configuration.Table declared : group.tables().values()) {
        databases.schema().schemas().values().stream()
            .flatMap(schema -> schema.table(declared.name()).stream())
            .findFirst()
            .ifPresent(table -> tables.put(declared, table));
      }
    }
    return tables;
  }

  static List<Observation> primaryKeys(Facts facts) {
    return facts.ofDatabases(
        databases -> {
          Map<Configuration.Table, Table> tables = tables(facts, databases);
          List<String> without =
              tables.values().stream()
                  .filter(
                      table ->
                          table.uniques().stream()
                              .noneMatch(
                                  unique ->
                                      unique.kind() == UniqueKind.PRIMARY_KEY
                                          && unique.columns().contains(ShardSchema.BUCKET_COLUMN)))
                  .map(Table::name)
                  .toList();
          if (tables.isEmpty()) {
            return List.of(missing("no table was read", "create the tables and run apply"));
          }
          return orUnread(
              facts,
              databases,
              List.of(
                  without.isEmpty()
                      ? good(
                          "each of %s has a primary key with bucket_id"
                              .formatted(count(tables.size(), "table")))
                      : warning(
                          "no primary key with bucket_id: " + listed(without),
                          "make it (bucket_id, and what tells rows apart)")));
        });
  }

  static List<Observation> sequences(Facts facts) {
    return facts.ofDatabases(
        databases -> {
          List<String> local = new ArrayList<>();
          for (Table table : tables(facts, databases).values()) {
            for (Column column : table.columns()) {
              if (column.source() == Source.SEQUENCE || column.source() == Source.IDENTITY) {
                local.add(table.name() + "." + column.name());
              }
            }
          }
          return orUnread(
              facts,
              databases,
              List.of(
                  local.isEmpty()
                      ? good("no column of a sharded table counts by itself")
                      : error(
                          "each shard counts by itself, so values repeat: " + listed(local),
                          "issue ids by the driver: groups.<g>.id, and drop the default")));
        });
  }

  /** Of the key, of what statements fix, and of times that the gateway asks by. */
  static List<Observation> indexes(Facts facts) {
    return facts.ofDatabases(
        databases -> {
          List<String> unserved = new ArrayList<>();
          Map<Configuration.Table, Table> tables = tables(facts, databases);
          tables.forEach(
              (declared, table) -> {
                if (!isServed(table, Set.copyOf(declared.key())) && !hasParent(facts, table)) {
                  unserved.add(table.name() + " by its key " + declared.key());
                }
                timesOf(facts, table.name()).stream()
                    .filter(column -> !isServed(table, Set.of(column)))
                    .forEach(column -> unserved.add(table.name() + " by time " + column));
                facts.logs().ifPresent(logs -> unserved.addAll(unserved(logs, table)));
              });
          if (tables.isEmpty()) {
            return List.of(missing("no table was read", "create the tables and run apply"));
          }
          return orUnread(
              facts,
              databases,
              List.of(
                  unserved.isEmpty()
                      ? good("indexes begin with what is asked by, in each table that was read")
                      : warning(
                          "no index begins with it: "
                              + listed(unserved.stream().distinct().toList()),
                          "add an index: columns with =, then the range, in the order that is"
                              + " asked for")));
        });
  }

  private static List<String> timesOf(Facts facts, String table) {
    return facts
        .configuration()
        .query()
        .map(query -> query.tables().get(table))
        .map(rules -> rules.times().values().stream().distinct().toList())
        .orElse(List.of());
  }

  /** What statements of the logs fix in this table alone. */
  private static List<String> unserved(LogFacts logs, Table table) {
    List<String> unserved = new ArrayList<>();
    for (Statement statement : logs.statements()) {
      Set<String> tables = statement.template().use().reads();
      Set<String> fixed =
          statement.columns(ColumnRole.EQUALITY, ColumnRole.IN, ColumnRole.RANGE).stream()
              .filter(column -> table.column(column).isPresent())
              .collect(Collectors.toSet());
      boolean alone = tables.size() == 1 && tables.contains(table.name());
      if (alone && !fixed.isEmpty() && fixed.stream().noneMatch(c -> isServed(table, Set.of(c)))) {
        unserved.add(statement.shown());
      }
    }
    return unserved;
  }

  /** Items of an order are reached by its id. */
  private static boolean hasParent(Facts facts, Table table) {
    return facts.configuration().groups().values().stream()
        .filter(group -> group.tables().containsKey(table.name()))
        .anyMatch(
            group ->
                table.foreignKeys().stream()
                    .anyMatch(
                        key ->
                            !key.target().equals(table.name())
                                && group.tables().containsKey(key.target())));
  }

  /** An index begins with these columns, bucket_id aside. */
  private static boolean isServed(Table table, Set<String> columns) {
    return table.indexes().stream()
        .anyMatch(
            index -> {
              List<String> own = new ArrayList<>(index.columns());
              own.remove(ShardSchema.BUCKET_COLUMN);
              return !index.partial()
                  && own.size() >= columns.size()
                  && Set.copyOf(own.subList(0, columns.size())).equals(columns);
            });
  }

  static List<Observation> partitions(Facts facts) {
    return facts.ofDatabases(
        databases -> {
          List<Observation> all = new ArrayList<>();
          databases
              .partitions()
              .forEach(
                  (table, number) -> {
                    String text = "table " + table + " has " + count(number, "partition");
                    String action = "make partitions of a month, or as large as what is dropped";
                    if (number > PARTITIONS_ERROR) {
                      all.add(error(text, action));
                    } else if (number > PARTITIONS_WARNING) {
                      all.add(warning(text, action));
                    } else {
                      all.add(good(text));
                    }
                  });
          if (all.isEmpty() && !databases.schema().schemas().isEmpty()) {
            all.add(good("no sharded table is partitioned inside its shard"));
          }
          return orUnread(facts, databases, all);
        });
  }

  static List<Observation> indexComparisons(Facts facts) {
    return ConfigurationChecks.hasIndexes(facts)
        ? comparisons(facts)
        : List.of(good("the file declares no lookup index"));
  }

  static List<Observation> lookupIndexes(Facts facts) {
    List<String> declared = new ArrayList<>();
    for (Group group : facts.configuration().groups().values()) {
      group.indexes().keySet().forEach(index -> declared.add(group.name() + "." + index));
    }
    if (declared.isEmpty()) {
      return List.of(good("the file declares no lookup index"));
    }
    return facts.ofDatabases(
        databases -> {
          List<Observation> all = new ArrayList<>();
          for (String name : declared) {
            Optional<IndexFacts> index =
                databases.indexes().stream().filter(i -> i.name().equals(name)).findFirst();
            String state =
                index.map(i -> i.state().name().toLowerCase(Locale.ROOT)).orElse("not on record");
            all.add(
                index.filter(i -> i.state() == IndexState.READABLE).isPresent()
                    ? good("index " + name + " answers statements")
                    : warning(
                        "index " + name + " is " + state + " and answers no statement",
                        "shardwright index create " + name + " -c FILE"));
          }
          return all;
        });
  }

  /** Of indexes in use: compared in time, and without a difference. */
  static List<Observation> comparisons(Facts facts) {
    return facts.ofDatabases(
        databases -> {
          List<Observation> all = new ArrayList<>();
          for (IndexFacts index : databases.indexes()) {
            if (index.state() == IndexState.READABLE) {
              all.add(compared(facts.configuration(), index));
            }
          }
          return all.isEmpty()
              ? List.of(
                  missing("no lookup index is in use", "shardwright index create NAME -c FILE"))
              : all;
        });
  }

  private static Observation compared(Configuration configuration, IndexFacts index) {
    Duration every =
        configuration.groups().values().stream()
            .flatMap(
                group ->
                    group.indexes().values().stream()
                        .filter(i -> index.name().equals(group.name() + "." + i.name())))
            .map(Index::reconcile)
            .map(Configuration.Reconcile::every)
            .findFirst()
            .orElse(Duration.ZERO);
    String action = "shardwright index verify " + index.name() + " -c FILE";
    if (index.sinceCompared().isEmpty()) {
      return warning("index " + index.name() + " was never compared on schedule", action);
    }
    long minutes = index.sinceCompared().get().toMinutes();
    String text =
        "index %s was compared %d minutes ago: %s".formatted(index.name(), minutes, index.result());
    boolean late =
        !every.isZero() && index.sinceCompared().get().compareTo(every.multipliedBy(2)) > 0;
    boolean differs =
        DIFFERENCES.matcher(index.result()).results().anyMatch(m -> !m.group(1).equals("0"));
    return late || differs ? warning(text, action) : good(text);
  }

  static List<Observation> movesCompared(Facts facts) {
    return facts.ofDatabases(
        databases -> {
          List<Observation> all = new ArrayList<>();
          for (MoveFacts move : databases.moves()) {
            move.compared()
                .ifPresent(
                    compared ->
                        all.add(
                            compared.differences() == 0 && compared.brokenInvariants() == 0
                                ? good(
                                    "move %d: %s compared, no difference"
                                        .formatted(move.id(), count(compared.rows(), "row")))
                                : error(
                                    "move %d: %s and %s"
                                        .formatted(
                                            move.id(),
                                            count(compared.differences(), "difference"),
                                            count(compared.brokenInvariants(), "broken rule")),
                                    "shardwright move verify "
                                        + move.id()
                                        + " --repair-sql FILE")));
          }
          return all.isEmpty()
              ? List.of(
                  missing(
                      "no move was compared yet",
                      "move one bucket: its rows are compared on the" + " way"))
              : all;
        });
  }

  static List<Observation> wayBack(Facts facts) {
    return facts.ofDatabases(
        databases -> {
          List<Observation> all = new ArrayList<>();
          for (MoveFacts move : databases.moves()) {
            if (!move.state().hasEnded() && !move.rollback()) {
              all.add(
                  warning(
                      "move %d of group %s cannot be rolled back: it was begun with --no-rollback"
                          .formatted(move.id(), move.group()),
                      "begin moves without --no-rollback"));
            }
          }
          long back =
              databases.moves().stream()
                  .filter(move -> move.state() == MoveState.ROLLED_BACK)
                  .count();
          all.add(
              back > 0
                  ? good(count(back, "move") + " went back to the source, with what was written")
                  : missing(
                      "no move was ever rolled back",
                      "rehearse it: shardwright move, then shardwright move rollback ID"));
          return all;
        });
  }

  static List<Observation> pendingDdl(Facts facts) {
    return facts.ofDatabases(
        databases ->
            List.of(
                databases
                    .pendingDdl()
                    .map(
                        pending ->
                            pending == 0
                                ? good("no change of the schema stopped halfway")
                                : error(
                                    count(pending, "change") + " of the schema stopped halfway",
                                    "shardwright ddl resume -c FILE"))
                    .orElseGet(
                        () ->
                            missing(
                                "changes of the schema were not read",
                                "let all shards run and repeat"))));
  }

  static List<Observation> mapVersion(Facts facts) {
    return facts.ofDatabases(
        databases -> {
          if (databases.maps().isEmpty()) {
            return List.of(missing("the catalog was not read", "let the catalog run and repeat"));
          }
          return databases.maps().entrySet().stream()
              .filter(map -> facts.configuration().groups().containsKey(map.getKey()))
              .sorted(Map.Entry.comparingByKey())
              .map(
                  map ->
                      good(
                          "map of group " + map.getKey() + ": version " + map.getValue().version()))
              .toList();
        });
  }
}
