package io.shardwright.schema;

import io.shardwright.catalog.CatalogIndex;
import io.shardwright.catalog.CatalogState;
import io.shardwright.catalog.SqlFailure;
import io.shardwright.config.Configuration;
import io.shardwright.config.Configuration.Group;
import io.shardwright.config.Configuration.Index;
import io.shardwright.config.IndexKind;
import io.shardwright.errors.ErrorCode;
import io.shardwright.routing.ShardId;
import io.shardwright.schema.Findings.Place;
import io.shardwright.schema.IndexObjects.LockWait;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Creates the tables of lookup indexes on one shard, for {@link Apply}; their triggers come with
 * {@code shardwright index create}, which makes every write maintain them.
 */
record IndexVisit(
    Configuration configuration,
    ShardId shard,
    Connection connection,
    LockWait lockWait,
    Findings findings) {
  private static final int KEY_TOO_LONG = 1071;

  void look(ShardSchema schema, CatalogState state, ShardObjects.Log objects) throws SQLException {
    for (Group group : configuration.groups().values()) {
      for (Index declared : group.indexes().values()) {
        Optional<LookupIndex> index =
            LookupIndex.find(
                configuration.product(),
                group,
                declared,
                schema,
                (table, message, action) ->
                    findings.problem(new Place(Optional.of(shard), table), message, action));
        if (index.isPresent()) {
          CatalogIndex recorded = state.indexes().get(index.get().name().placement());
          boolean maintained = recorded != null && recorded.state().isMaintained();
          if (!maintained) {
            ensure(index.get(), objects);
          }
          check(index.get(), maintained);
          if (maintained) {
            exemptMover(index.get(), objects);
          }
        }
      }
    }
  }

  private IndexObjects objects(LookupIndex index) {
    return IndexObjects.of(index, configuration);
  }

  private void ensure(LookupIndex index, ShardObjects.Log objects) throws SQLException {
    try {
      List<String> created = objects(index).createTables(connection);
      for (IndexObjects.Relation relation : objects(index).relations()) {
        objects.add(created.contains(relation.name()), "shard " + shard + ": " + relation);
      }
    } catch (SQLException e) {
      if (e.getErrorCode() != KEY_TOO_LONG) {
        throw e;
      }
      findings.problem(
          Place.of(shard, index.table().name()),
          "the columns of lookup index " + index.name() + " are too long for a primary key",
          "declare them shorter, or of a character set with fewer bytes");
    }
  }

  private void check(LookupIndex index, boolean maintained) throws SQLException {
    IndexObjects.Found found = objects(index).inspect(connection);
    if (maintained && !found.missing().isEmpty()) {
      // Made anew they would be empty, and look-ups would find nothing.
      findings.problem(
          Place.of(shard, index.table().name()),
          "the tables "
              + found.missing()
              + " of lookup index "
              + index.name()
              + ", by which statements are answered, are gone",
          "drop the index by shardwright index drop, run apply, and create it anew");
      return;
    }
    if (!found.foreign().isEmpty()) {
      findings.problem(
          Place.of(shard, index.table().name()),
          "the tables "
              + found.foreign()
              + " of lookup index "
              + index.name()
              + " do not have the types of the columns of table "
              + index.table().name(),
          "drop the index, run apply again and create it anew");
    }
    if (maintained && found.version().isEmpty()) {
      findings.problem(
          Place.of(shard, index.table().name()),
          "triggers of lookup index "
              + index.name()
              + " are missing, or those of another release, on table "
              + index.table().name()
              + (index.kind() instanceof IndexKind.Unique
                  ? ", so that writes outside the driver are not refused"
                  : ", so that changes of its rows do not reach the index"),
          "run shardwright index create, which makes them and compares all entries");
    }
  }

  /**
   * Triggers that were made before the file named a mover would fire on the rows that it copies.
   */
  private void exemptMover(LookupIndex index, ShardObjects.Log objects) throws SQLException {
    IndexObjects own = objects(index);
    OptionalLong version = own.inspect(connection).version();
    if (version.isEmpty() || own.exempts(connection)) {
      return;
    }
    try {
      own.installTriggers(connection, version.getAsLong(), lockWait);
      objects.add(true, "shard " + shard + ": triggers of lookup index " + index.name());
    } catch (SQLException e) {
      if (!SqlFailure.isLockTimeout(e)) {
        throw e;
      }
      findings.problem(
          ErrorCode.DDL_INCOMPLETE,
          Place.of(shard, index.table().name()),
          "table "
              + index.table().name()
              + " is locked by a long transaction, so the triggers of lookup index "
              + index.name()
              + " could not be changed to leave the mover's rows alone",
          "run apply again when that transaction has ended");
    }
  }
}
