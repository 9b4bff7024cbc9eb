package io.shardwright.schema;

import io.shardwright.catalog.CatalogState;
import io.shardwright.config.Configuration;
import io.shardwright.config.Configuration.Group;
import io.shardwright.routing.GeneIdLayout;
import io.shardwright.routing.ShardId;
import io.shardwright.schema.Findings.Place;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads one shard for {@link Apply} and adds the CHECKs that it finds missing. */
record ShardVisit(
    Configuration configuration,
    Optional<CatalogState> state,
    ShardId shard,
    Connection connection,
    Findings findings) {

  /**
   * @param objects where the CHECKs are listed that were created or existed
   */
  ShardView look(Apply.Options options, ShardObjects.Log objects) throws SQLException {
    ShardSchema schema = inspect();
    RowChecks checks = new RowChecks(shard, connection, findings);
    for (Group group : configuration.groups().values()) {
      for (RowCheck check : geneChecks(group, schema)) {
        checks.ensure(check, schema, options, objects);
      }
    }
    if (state.isPresent()) {
      DirectoryVisit directories = new DirectoryVisit(configuration, shard, connection, findings);
      directories.ensure(schema, group -> state.get().directory(group.name()), options, objects);
      directories.drop(
          schema, group -> group.directory().longerOf(state.get().directory(group.name())));
    }
    return new ShardView(shard, database().completed(connection, schema), digests(schema));
  }

  /** The same without a CHECK that is added. */
  ShardView read() throws SQLException {
    ShardSchema schema = inspect();
    return new ShardView(shard, database().completed(connection, schema), digests(schema));
  }

  private ShardSchema inspect() throws SQLException {
    List<String> tables = new ArrayList<>(configuration.reference());
    configuration.groups().values().forEach(group -> tables.addAll(group.tables().keySet()));
    ShardSchema schema = database().inspectAlone(connection, tables);
    for (ShardSchema.Misfit misfit : schema.misfits()) {
      findings.problem(
          new Place(Optional.of(shard), misfit.table()), misfit.message(), misfit.action());
    }
    return schema;
  }

  List<RowCheck> geneChecks(Group group, ShardSchema schema) {
    List<RowCheck> checks = new ArrayList<>();
    if (group.id().isPresent()) {
      String id = group.id().get().column();
      GeneIdLayout layout = group.id().get().layout();
      for (String name : group.tables().keySet()) {
        schema
            .table(name)
            .filter(table -> table.column(id).filter(database()::isGeneType).isPresent())
            .filter(
                table ->
                    table
                        .column(ShardSchema.BUCKET_COLUMN)
                        .filter(database()::isBucketType)
                        .isPresent())
            .ifPresent(table -> checks.add(new GeneCheck(database(), name, id, layout)));
      }
    }
    return checks;
  }

  private Map<String, ReferenceDigest> digests(ShardSchema schema) throws SQLException {
    Map<String, ReferenceDigest> digests = new HashMap<>();
    for (String table : configuration.reference()) {
      if (schema.table(table).isPresent()) {
        digests.put(table, database().digest(connection, schema.tables().get(table)));
      }
    }
    return digests;
  }

  private ShardDatabase database() {
    return ShardDatabase.of(configuration.product());
  }
}
