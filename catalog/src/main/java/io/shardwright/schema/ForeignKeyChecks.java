package io.shardwright.schema;

import io.shardwright.config.Configuration;
import io.shardwright.config.Configuration.Group;
import io.shardwright.schema.Findings.Place;
import io.shardwright.schema.ShardSchema.ForeignKey;
import io.shardwright.schema.ShardSchema.Table;
import java.util.List;
import java.util.Optional;

/**
 * One shard: a foreign key is checked by the shard alone, so parent and child must be on the same
 * one: in the same group and of the same bucket, or the parent in a reference table.
 */
record ForeignKeyChecks(Configuration configuration, ShardView view, Findings findings) {

  void check() {
    for (Group group : configuration.groups().values()) {
      for (Configuration.Table declared : group.tables().values()) {
        view.schema().table(declared.name()).ifPresent(table -> check(group, declared, table));
      }
    }
    for (String name : configuration.reference()) {
      view.schema().table(name).ifPresent(this::checkReference);
    }
  }

  private void check(Group group, Configuration.Table declared, Table table) {
    for (ForeignKey key : table.foreignKeys()) {
      Optional<Configuration.Table> target = Optional.ofNullable(group.tables().get(key.target()));
      if (target.isPresent()) {
        if (!carriesBucket(group, declared, target.get(), key)) {
          findings.problem(
              Place.of(view.shard(), table.name()),
              described(table, key)
                  + " stays in group "
                  + group.name()
                  + " but compares neither bucket_id nor the route key"
                  + group.id().map(id -> " nor the id " + id.column()).orElse("")
                  + ", so a parent on another shard would be missed",
              "add bucket_id on both sides, or drop the foreign key");
        }
      } else if (!configuration.reference().contains(key.target())) {
        leaves(table, key, " leaves group " + group.name());
      }
    }
  }

  private void checkReference(Table table) {
    for (ForeignKey key : table.foreignKeys()) {
      if (!configuration.reference().contains(key.target())) {
        leaves(table, key, " leaves the reference tables");
      }
    }
  }

  private void leaves(Table table, ForeignKey key, String how) {
    boolean sharded =
        configuration.groups().values().stream()
            .anyMatch(group -> group.tables().containsKey(key.target()));
    findings.problem(
        Place.of(view.shard(), table.name()),
        described(table, key) + how,
        "drop the foreign key, or "
            + (sharded
                ? "put both tables into one group with the same key"
                : "list " + key.target() + " under the group's tables: or under reference:"));
  }

  private static boolean carriesBucket(
      Group group, Configuration.Table child, Configuration.Table parent, ForeignKey key) {
    boolean routeKey = true;
    for (int i = 0; i < child.key().size(); i++) {
      routeKey &= pairs(key, child.key().get(i), parent.key().get(i));
    }
    return routeKey
        || pairs(key, ShardSchema.BUCKET_COLUMN, ShardSchema.BUCKET_COLUMN)
        || group.id().filter(id -> pairs(key, id.column(), id.column())).isPresent();
  }

  private static boolean pairs(ForeignKey key, String column, String targetColumn) {
    List<String> columns = key.columns();
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).equals(column) && key.targetColumns().get(i).equals(targetColumn)) {
        return true;
      }
    }
    return false;
  }

  private static String described(Table table, ForeignKey key) {
    return "foreign key "
        + key.name()
        + " "
        + key.columns()
        + " of table "
        + table.name()
        + " to "
        + key.target()
        + " "
        + key.targetColumns();
  }
}
