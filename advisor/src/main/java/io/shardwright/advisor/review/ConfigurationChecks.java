package io.shardwright.advisor.review;

import static io.shardwright.advisor.review.Observation.count;
import static io.shardwright.advisor.review.Observation.error;
import static io.shardwright.advisor.review.Observation.good;
import static io.shardwright.advisor.review.Observation.listed;
import static io.shardwright.advisor.review.Observation.missing;
import static io.shardwright.advisor.review.Observation.warning;

import io.shardwright.config.Configuration;
import io.shardwright.config.Configuration.GeneIdColumn;
import io.shardwright.config.Configuration.Group;
import io.shardwright.config.Configuration.Index;
import io.shardwright.config.Configuration.NumberColumn;
import io.shardwright.config.Configuration.Table;
import io.shardwright.config.Configuration.UniqueScope;
import io.shardwright.config.IndexKind;
import io.shardwright.config.QueryRules;
import io.shardwright.routing.ScatterPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** What the file itself shows. */
final class ConfigurationChecks {
  /** Fewer buckets for each shard leave no room for more shards. */
  private static final int BUCKETS_PER_SHARD_MIN = 16;

  /** Fewer cannot even be dealt out evenly. */
  private static final int BUCKETS_PER_SHARD_FEW = 4;

  static final String GATEWAY = "declare query: (docs/gateway.md)";

  private ConfigurationChecks() {}

  static List<Observation> buckets(Facts facts) {
    int shards = facts.configuration().shards().size();
    List<Observation> all = new ArrayList<>();
    for (Group group : facts.configuration().groups().values()) {
      String text =
          "group %s has %s over %s"
              .formatted(group.name(), count(group.buckets(), "bucket"), count(shards, "shard"));
      String action = "re-key into a group with 4096 buckets or more: buckets cannot be added";
      if (group.buckets() < BUCKETS_PER_SHARD_FEW * shards) {
        all.add(error(text, action));
      } else if (group.buckets() < BUCKETS_PER_SHARD_MIN * shards) {
        all.add(warning(text, action));
      } else {
        all.add(good(text));
      }
    }
    return all;
  }

  static List<Observation> versionedMap(Facts facts) {
    if (facts.configuration().catalog().isPresent()) {
      return List.of(good("the bucket map has versions, in the catalog"));
    }
    return List.of(
        error(
            "without catalog: the map follows from the list of shards and can never change",
            "add catalog: and run shardwright apply"));
  }

  private static boolean routes(Configuration.IdColumn id) {
    return id instanceof GeneIdColumn || id instanceof NumberColumn;
  }

  /** Ids name buckets, which stay, and never shards. */
  static List<Observation> issuedIds(Facts facts) {
    return perGroup(
        facts,
        group ->
            group.ids().isEmpty()
                ? missing(
                    "group " + group.name() + " does not say what issues its ids",
                    "declare groups." + group.name() + ".id (docs/ids.md)")
                : good(
                    "ids of group %s: %s"
                        .formatted(
                            group.name(),
                            listed(
                                group.ids().stream().map(ConfigurationChecks::shown).toList()))));
  }

  private static String shown(Configuration.IdColumn id) {
    String kind = id.getClass().getSimpleName().replace("Column", "");
    return id.column() + " (" + kind + (routes(id) ? ", leads to the bucket)" : ")");
  }

  static List<Observation> waysWithoutKey(Facts facts) {
    return perGroup(
        facts,
        group -> {
          List<String> ways = new ArrayList<>();
          group.ids().stream()
              .filter(ConfigurationChecks::routes)
              .forEach(id -> ways.add("id " + id.column()));
          group.indexes().keySet().forEach(index -> ways.add("index " + index));
          return ways.isEmpty()
              ? warning(
                  "rows of group " + group.name() + " are found by " + group.key() + " alone",
                  "declare a gene id or a lookup index for the number that callers have")
              : good(
                  "group %s is found by its key and by %s".formatted(group.name(), listed(ways)));
        });
  }

  static List<Observation> genes(Facts facts) {
    return perGroup(
        facts,
        group ->
            group
                .id()
                .map(
                    id ->
                        id.genes() > group.allBuckets()
                            ? good(
                                "ids of group %s name %d buckets of which %d are used, and carry a"
                                        .formatted(group.name(), id.genes(), group.allBuckets())
                                    + " version")
                            : missing(
                                "ids of group %s name %d buckets and all are used: none is left for"
                                        .formatted(group.name(), id.genes())
                                    + " a key that needs its own",
                                "declare why no key will; genes: 4096 is for a new group"))
                .orElseGet(() -> good("group " + group.name() + " has no ids with a gene")));
  }

  /** Whether something answers questions across all keys. */
  static List<Observation> readPaths(Facts facts) {
    List<String> paths = new ArrayList<>();
    facts
        .configuration()
        .query()
        .ifPresent(query -> paths.add("the gateway for " + listed(tables(query))));
    for (Group group : facts.configuration().groups().values()) {
      group.indexes().values().stream()
          .filter(index -> index.kind() instanceof IndexKind.Listing)
          .forEach(index -> paths.add("list index " + index.name()));
    }
    return List.of(
        paths.isEmpty()
            ? missing("nothing in the file answers questions across all keys", GATEWAY)
            : good("across all keys answer " + listed(paths)));
  }

  private static List<String> tables(QueryRules query) {
    return List.copyOf(query.tables().keySet());
  }

  static List<Observation> scatterPolicy(Facts facts) {
    List<Observation> all = new ArrayList<>();
    for (Group group : facts.configuration().groups().values()) {
      if (group.scatter().writes().policy() == ScatterPolicy.ALLOW) {
        all.add(
            error(
                "writes without the key go to all shards of group " + group.name(),
                "set scatter.writes: refuse, and let jobs go from shard to shard"));
      }
      if (group.scatter().reads().policy() == ScatterPolicy.ALLOW) {
        all.add(
            warning(
                "any read without the key goes to all shards of group " + group.name(),
                "set scatter.reads: bounded, and allow single statements by a hint"));
      }
    }
    return all.isEmpty()
        ? List.of(good("reads without the key are refused or bounded, writes refused"))
        : all;
  }

  static List<Observation> visibility(Facts facts) {
    boolean warns = facts.configuration().warnShards().isPresent();
    boolean counts =
        facts.configuration().heat().isOn() && facts.configuration().catalog().isPresent();
    List<Observation> all = new ArrayList<>();
    all.add(
        warns
            ? good(
                "statements to more than %d shards are logged"
                    .formatted(facts.configuration().warnShards().getAsInt()))
            : warning("no statement is logged for the shards it goes to", "set warn_shards: 1"));
    all.add(
        counts
            ? good("traffic is counted for each bucket")
            : warning(
                "traffic of buckets is not counted", "set heat: {interval: 60s} and catalog"));
    return all;
  }

  private static List<Observation> compared(Facts facts) {
    List<Observation> all = new ArrayList<>();
    for (Group group : facts.configuration().groups().values()) {
      for (Index index : group.indexes().values()) {
        String name = "index " + group.name() + "." + index.name();
        all.add(
            index.reconcile().every().isZero()
                ? error(
                    name + " is never compared with its rows",
                    "set groups." + group.name() + ".indexes." + index.name() + ".reconcile.every")
                : good(
                    "%s is compared with its rows every %d minutes"
                        .formatted(name, index.reconcile().every().toMinutes())));
      }
    }
    return all;
  }

  static boolean hasIndexes(Facts facts) {
    return facts.configuration().groups().values().stream().anyMatch(g -> !g.indexes().isEmpty());
  }

  /** Of lookup indexes, the only copies that the file knows. */
  static List<Observation> reconciliation(Facts facts) {
    return hasIndexes(facts)
        ? compared(facts)
        : List.of(
            missing(
                "the file has no lookup index; copies outside of it are not seen",
                "declare how each copy is compared with its rows"));
  }

  static List<Observation> indexReconciliation(Facts facts) {
    return hasIndexes(facts) ? compared(facts) : List.of(good("the file declares no lookup index"));
  }

  /** Of what is derived from the rows, the file knows lookup indexes only. */
  static List<Observation> copies(Facts facts) {
    int indexes =
        facts.configuration().groups().values().stream().mapToInt(g -> g.indexes().size()).sum();
    return List.of(
        missing(
            "of %d lookup indexes entries carry the version of their row; read copies outside of the"
                    .formatted(indexes)
                + " file are not seen",
            "declare by which version each copy refuses older changes, and how it is replayed"));
  }

  static List<Observation> mover(Facts facts) {
    return List.of(
        facts.configuration().mover().isPresent()
            ? good("buckets are moved by role " + facts.configuration().mover().get().user())
            : warning("no bucket can move: the file names no mover", "add mover: (docs/moves.md)"));
  }

  static List<Observation> invariants(Facts facts) {
    return perGroup(
        facts,
        group ->
            group.invariants().isEmpty()
                ? warning(
                    "a move of group %s compares its rows, and no rule of yours"
                        .formatted(group.name()),
                    "declare groups." + group.name() + ".invariants")
                : good(
                    "moves of group %s are checked by your %s as well"
                        .formatted(group.name(), count(group.invariants().size(), "rule"))));
  }

  /** A constraint that people vouch for, of a column that nothing in the file issues. */
  static List<Observation> vouched(Facts facts) {
    List<Observation> all = new ArrayList<>();
    for (Group group : facts.configuration().groups().values()) {
      for (Table table : group.tables().values()) {
        table
            .unique()
            .forEach(
                (constraint, scope) -> {
                  if (scope == UniqueScope.ID && group.ids().isEmpty()) {
                    all.add(
                        warning(
                            "%s.%s is unique by its issuer, and group %s names none"
                                .formatted(table.name(), constraint, group.name()),
                            "declare groups." + group.name() + ".id, or make it a lookup index"));
                  } else if (scope == UniqueScope.LOCAL) {
                    all.add(
                        warning(
                            "%s.%s is unique within one shard only"
                                .formatted(table.name(), constraint),
                            "make it a unique lookup index, or accept it"));
                  } else {
                    all.add(
                        good(
                            "%s.%s is unique by %s"
                                .formatted(
                                    table.name(),
                                    constraint,
                                    scope == UniqueScope.INDEX
                                        ? "a lookup index"
                                        : "what issues it")));
                  }
                });
      }
    }
    return all.isEmpty() ? List.of(good("no unique constraint needs a decision")) : all;
  }

  private static List<Observation> perGroup(Facts facts, Function<Group, Observation> check) {
    return facts.configuration().groups().values().stream().map(check).toList();
  }
}
