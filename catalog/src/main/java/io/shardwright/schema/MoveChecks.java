package io.shardwright.schema;

import io.shardwright.catalog.CatalogState;
import io.shardwright.config.Configuration;
import io.shardwright.routing.ShardId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;

/** Whether the tables of a placement are as a move of its buckets needs them, on one shard. */
public final class MoveChecks {
  private MoveChecks() {}

  /**
   * Takes no locks that writers meet.
   *
   * @param connection of who may see triggers
   * @param placement name of the bucket map: a group's, or an index's
   * @return what keeps them from being moved, all at once: no fence or not a whole one, triggers
   *     that fire on copied rows, keys that are computed, rows that are deleted below triggers
   */
  public static List<Finding> unmovable(
      Configuration configuration,
      ShardId shard,
      Connection connection,
      CatalogState state,
      String placement)
      throws SQLException {
    Findings findings = new Findings();
    List<FencedTable> tables =
        FencedTable.read(connection, configuration, state).stream()
            .filter(table -> table.placement().equals(placement))
            .toList();
    new FenceChecks(configuration, shard, connection, findings)
        .verify(FenceObjects.of(configuration), tables);
    return Stream.concat(findings.problems().stream(), findings.warnings().stream()).toList();
  }
}
