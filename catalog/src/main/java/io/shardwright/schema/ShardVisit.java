package io.shardwright.schema;

import io.shardwright.catalog.SqlFailure;
import io.shardwright.config.Configuration;
import io.shardwright.config.Configuration.Group;
import io.shardwright.errors.ErrorCode;
import io.shardwright.routing.GeneIdLayout;
import io.shardwright.routing.ShardId;
import io.shardwright.schema.Findings.Place;
import io.shardwright.schema.ShardSchema.Check;
import io.shardwright.schema.ShardSchema.Table;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads one shard for {@link Apply} and adds the CHECK of gene ids to the tables it finds. */
record ShardVisit(
    Configuration configuration, ShardId shard, Connection connection, Findings findings) {

  /**
   * @param objects where the CHECKs are listed that were created or existed
   */
  ShardView look(Apply.Options options, ShardObjects.Log objects) throws SQLException {
    List<String> tables = new ArrayList<>(configuration.reference());
    configuration.groups().values().forEach(group -> tables.addAll(group.tables().keySet()));
    ShardSchema schema = database().inspectAlone(connection, tables);
    for (ShardSchema.Misfit misfit : schema.misfits()) {
      findings.problem(
          new Place(Optional.of(shard), misfit.table()), misfit.message(), misfit.action());
    }
    for (Group group : configuration.groups().values()) {
      for (GeneCheck check : geneChecks(group, schema)) {
        ensure(check, schema.tables().get(check.table()), options, objects);
      }
    }
    return new ShardView(shard, database().completed(connection, schema), digests(schema));
  }

  private List<GeneCheck> geneChecks(Group group, ShardSchema schema) {
    List<GeneCheck> checks = new ArrayList<>();
    if (group.id().isPresent() && GeneIdLayout.existsFor(group.buckets())) {
      String id = group.id().get().column();
      GeneIdLayout layout = GeneIdLayout.forBuckets(group.buckets());
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

  private void ensure(GeneCheck check, Table table, Apply.Options options, ShardObjects.Log objects)
      throws SQLException {
    Place place = Place.of(shard, table.name());
    Optional<Check> found =
        table.checks().stream().filter(c -> c.name().equals(check.name())).findFirst();
    if (found.isPresent() && !check.isDefinedBy(found.get().definition())) {
      findings.problem(
          place,
          "constraint " + check.name() + " of table " + table.name() + " was changed by hand",
          "drop it and run apply again, which creates it as it must be");
      return;
    }
    try {
      boolean created = found.isEmpty() && check.create(connection, options.lockTimeout());
      objects.add(created, "shard " + shard + ": constraint " + check.name());
      if (found.isEmpty() || !found.get().validated()) {
        check.validate(connection, options.lockTimeout());
      }
    } catch (SQLException e) {
      report(check, place, e);
    }
  }

  private void report(GeneCheck check, Place place, SQLException e) throws SQLException {
    String what = "table " + check.table();
    if (SqlFailure.isCheckViolation(e)) {
      findings.problem(
          place,
          what + " has rows whose " + check.column() + " names another bucket than bucket_id",
          "find them with shardwright verify --placement -c FILE, correct them, run apply again");
    } else if (SqlFailure.isLockTimeout(e)) {
      findings.problem(
          ErrorCode.DDL_INCOMPLETE,
          place,
          what + " is locked by a long transaction, so its gene CHECK could not be added",
          "run apply again when that transaction has ended");
    } else {
      throw e;
    }
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
