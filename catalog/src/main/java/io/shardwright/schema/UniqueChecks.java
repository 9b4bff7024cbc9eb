package io.shardwright.schema;

import io.shardwright.config.Configuration;
import io.shardwright.config.Configuration.Group;
import io.shardwright.config.Configuration.UniqueScope;
import io.shardwright.config.IndexKind;
import io.shardwright.schema.Findings.Place;
import io.shardwright.schema.ShardSchema.Table;
import io.shardwright.schema.ShardSchema.Unique;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/**
 * One shard: what is unique on a single database must stay meaningful on many. A constraint with
 * the whole route key, or with the gene id, compares rows of one bucket only and keeps its meaning;
 * any other one guards each shard alone and needs a decision in the file.
 */
record UniqueChecks(Configuration configuration, ShardView view, Findings findings) {

  void check() {
    for (Group group : configuration.groups().values()) {
      for (Configuration.Table declared : group.tables().values()) {
        view.schema().table(declared.name()).ifPresent(t -> check(group, declared, t));
      }
    }
  }

  private void check(Group group, Configuration.Table declared, Table table) {
    Set<String> undecided = new HashSet<>(declared.unique().keySet());
    for (Unique unique : table.uniques()) {
      undecided.remove(unique.name());
      if (!keepsMeaning(group, declared, unique)) {
        judge(group, declared, unique);
      } else if (declared.unique().containsKey(unique.name())) {
        findings.warning(
            place(declared),
            unique.name() + " holds the route key or the id and needs no decision",
            "remove it from " + decisionKey(group, declared));
      }
    }
    for (String name : undecided) {
      findings.problem(
          place(declared),
          "table " + table.name() + " has no unique constraint or index named " + name,
          "correct the name under " + decisionKey(group, declared) + " or remove it");
    }
  }

  private static boolean keepsMeaning(Group group, Configuration.Table declared, Unique unique) {
    boolean hasId = group.id().filter(id -> unique.columns().contains(id.column())).isPresent();
    return hasId || unique.columns().containsAll(declared.key());
  }

  private void judge(Group group, Configuration.Table declared, Unique unique) {
    UniqueScope scope = declared.unique().get(unique.name());
    if (scope == null) {
      findings.problem(
          place(declared), alone(group, declared, unique), undecided(group, declared, unique));
    } else if (scope == UniqueScope.INDEX) {
      judgeIndexed(group, declared, unique);
    } else if (scope == UniqueScope.LOCAL
        && !unique.columns().contains(ShardSchema.BUCKET_COLUMN)) {
      findings.warning(
          place(declared),
          unique.name()
              + " is local: equal values may be on several shards, so their buckets cannot meet on"
              + " one shard and group "
              + group.name()
              + " cannot be moved",
          "add bucket_id to it to keep the group movable");
    }
  }

  private void judgeIndexed(Group group, Configuration.Table declared, Unique unique) {
    Set<String> columns = new LinkedHashSet<>(unique.columns());
    columns.remove(ShardSchema.BUCKET_COLUMN);
    boolean guarded =
        group.indexes().values().stream()
            .flatMap(
                index ->
                    LookupIndex.find(configuration.product(), group, index, view.schema()).stream())
            .anyMatch(
                index ->
                    index.kind() instanceof IndexKind.Unique
                        && index.table().name().equals(declared.name())
                        && Set.copyOf(index.declared().columns()).equals(columns));
    if (!guarded) {
      findings.problem(
          place(declared),
          alone(group, declared, unique)
              + ", and no lookup index of the table has its columns "
              + columns,
          "declare one under groups."
              + group.name()
              + ".indexes: {table: "
              + declared.name()
              + ", columns: "
              + columns
              + ", unique: true}");
    } else if (!unique.columns().contains(ShardSchema.BUCKET_COLUMN)) {
      findings.warning(
          place(declared),
          unique.name()
              + " is guarded over all shards by a lookup index; as it is, rows of two buckets could"
              + " not meet on one shard while group "
              + group.name()
              + " is moved",
          "replace it by one of (bucket_id, "
              + String.join(", ", columns)
              + ") when the index is"
              + " readable");
    }
  }

  private static String alone(Group group, Configuration.Table declared, Unique unique) {
    return unique.kind()
        + " "
        + unique.name()
        + " "
        + unique.columns()
        + " of table "
        + declared.name()
        + " holds neither the route key "
        + declared.key()
        + group.id().map(id -> " nor the id " + id.column()).orElse("")
        + ", so each shard enforces it alone";
  }

  private static String undecided(Group group, Configuration.Table declared, Unique unique) {
    return "add the route key to it, or decide under "
        + decisionKey(group, declared)
        + ": {"
        + unique.name()
        + ": local} (unique within one shard is enough) or {"
        + unique.name()
        + ": id} (you vouch that values are issued unique, as UUIDs are) or {"
        + unique.name()
        + ": index} (unique over all shards by a lookup index of its columns)";
  }

  private static String decisionKey(Group group, Configuration.Table declared) {
    return "groups." + group.name() + ".tables." + declared.name() + ".unique";
  }

  private Place place(Configuration.Table declared) {
    return new Place(Optional.of(view.shard()), Optional.of(declared.name()));
  }
}
