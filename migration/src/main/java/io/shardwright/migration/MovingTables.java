package io.shardwright.migration;

import io.shardwright.catalog.IndexName;
import io.shardwright.config.Configuration;
import io.shardwright.config.Configuration.Group;
import io.shardwright.config.Configuration.Invariant;
import io.shardwright.config.Configuration.Table;
import io.shardwright.config.IndexKind;
import io.shardwright.schema.ShardInspector;
import io.shardwright.schema.ShardSchema;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What goes with the buckets of a group, or of a lookup index. */
final class MovingTables {
  private final Configuration configuration;
  private final String group;

  /**
   * @param group or the placement of a lookup index
   */
  MovingTables(Configuration configuration, String group) {
    this.configuration = configuration;
    this.group = group;
  }

  List<String> names() {
    if (group.indexOf('.') >= 0) {
      return List.of(IndexName.parse(group).entryTable());
    }
    return List.copyOf(configuration.groups().get(group).tables().keySet());
  }

  /** {@code table.column} of what is not compared, as the configuration says. */
  List<String> notCompared() {
    return tables().values().stream()
        .flatMap(table -> table.notCompared().stream().map(column -> table.name() + "." + column))
        .toList();
  }

  /** That a move must not break; a lookup index has none. */
  List<Invariant> invariants() {
    Group of = configuration.groups().get(group);
    return of == null ? List.of() : of.invariants();
  }

  private Map<String, Table> tables() {
    Group of = configuration.groups().get(group);
    return of == null ? Map.of() : of.tables();
  }

  /** As they are on a shard, parents first. */
  List<MovedTable> on(MoverConnection shard) throws SQLException {
    ShardSchema schema = ShardInspector.inspect(shard.connection(), names());
    return MovedTable.parentsFirst(
        names().stream().flatMap(name -> schema.table(name).stream()).map(MovedTable::of).toList());
  }

  /** Tables and sequences that number rows or changes. */
  List<String> numbered() {
    List<String> names = new ArrayList<>(names());
    Group tables = configuration.groups().get(group);
    if (tables != null) {
      for (Configuration.Index index : tables.indexes().values()) {
        if (!(index.kind() instanceof IndexKind.Unique)) {
          IndexName name = new IndexName(group, index.name());
          names.add(
              switch (configuration.product()) {
                case POSTGRESQL -> name.outboxTable();
                case MARIADB -> name.sequence();
              });
        }
      }
    }
    return names;
  }
}
