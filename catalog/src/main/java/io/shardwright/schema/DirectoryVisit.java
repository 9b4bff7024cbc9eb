package io.shardwright.schema;

import io.shardwright.catalog.Database;
import io.shardwright.config.Configuration;
import io.shardwright.config.Configuration.Group;
import io.shardwright.routing.Directory;
import io.shardwright.routing.KeyType;
import io.shardwright.routing.ShardId;
import io.shardwright.schema.ShardSchema.Check;
import io.shardwright.schema.ShardSchema.Table;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The CHECKs of directories on one shard, for {@link Apply}. */
record DirectoryVisit(
    Configuration configuration, ShardId shard, Connection connection, Findings findings) {

  /** Makes those that are missing. Tables and keys that are not right are left to other checks. */
  void ensure(
      ShardSchema schema,
      Function<Group, Directory> directory,
      Apply.Options options,
      ShardObjects.Log objects)
      throws SQLException {
    RowChecks checks = new RowChecks(shard, connection, findings);
    for (Group group : configuration.groups().values()) {
      for (RowCheck check : checks(group, directory.apply(group), schema)) {
        checks.ensure(check, schema, options, objects);
      }
    }
  }

  private List<RowCheck> checks(Group group, Directory directory, ShardSchema schema) {
    List<RowCheck> checks = new ArrayList<>();
    for (Configuration.Table table : group.tables().values()) {
      Optional<List<KeyType>> types = KeyChecks.types(table, schema);
      boolean usable =
          types.isPresent()
              && KeyChecks.directoryProblem(directory, types.get()).isEmpty()
              && schema
                  .table(table.name())
                  .flatMap(found -> found.column(ShardSchema.BUCKET_COLUMN))
                  .filter(database()::isBucketType)
                  .isPresent();
      for (Directory.Entry entry : directory.entries()) {
        if (usable) {
          checks.add(new DirectoryCheck(database(), table.name(), table.key(), types.get(), entry));
        }
      }
    }
    return checks;
  }

  /** Takes away those of other entries: nothing records them, and nobody will. */
  void drop(ShardSchema schema, Function<Group, Directory> kept) throws SQLException {
    for (Group group : configuration.groups().values()) {
      for (String table : group.tables().keySet()) {
        List<String> names =
            kept.apply(group).entries().stream()
                .map(entry -> DirectoryCheck.name(entry, table))
                .toList();
        for (Check check : schema.table(table).map(Table::checks).orElse(List.of())) {
          if (check.name().startsWith(DirectoryCheck.PREFIX) && !names.contains(check.name())) {
            drop(table, check.name());
          }
        }
      }
    }
  }

  private void drop(String table, String constraint) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "ALTER TABLE "
              + database().quote(table)
              + " DROP CONSTRAINT "
              + database().quote(constraint));
    }
  }

  /** The tables of groups, as they are now. */
  ShardSchema read(Apply.Options options) throws SQLException {
    List<String> tables = new ArrayList<>();
    configuration.groups().values().forEach(group -> tables.addAll(group.tables().keySet()));
    try (Statement statement = connection.createStatement()) {
      Database.of(configuration.product()).limitLockWait(statement, options.lockTimeout());
    }
    return database().inspectAlone(connection, tables);
  }

  private ShardDatabase database() {
    return ShardDatabase.of(configuration.product());
  }
}
