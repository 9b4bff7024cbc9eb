package io.shardwright.schema;

import io.shardwright.catalog.CatalogState;
import io.shardwright.catalog.SqlFailure;
import io.shardwright.config.Configuration;
import io.shardwright.config.Configuration.Group;
import io.shardwright.errors.ErrorCode;
import io.shardwright.routing.Directory;
import io.shardwright.routing.GeneIdLayout;
import io.shardwright.routing.KeyType;
import io.shardwright.routing.ShardId;
import io.shardwright.schema.Findings.Place;
import io.shardwright.schema.ShardSchema.Check;
import io.shardwright.schema.ShardSchema.Table;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads one shard for {@link Apply} and adds the CHECKs of ids and keys to the tables it finds. */
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
    List<String> tables = new ArrayList<>(configuration.reference());
    configuration.groups().values().forEach(group -> tables.addAll(group.tables().keySet()));
    ShardSchema schema = database().inspectAlone(connection, tables);
    for (ShardSchema.Misfit misfit : schema.misfits()) {
      findings.problem(
          new Place(Optional.of(shard), misfit.table()), misfit.message(), misfit.action());
    }
    for (Group group : configuration.groups().values()) {
      List<RowCheck> checks = new ArrayList<>(geneChecks(group, schema));
      checks.addAll(directoryChecks(group, schema));
      for (RowCheck check : checks) {
        ensure(check, schema.tables().get(check.table()), options, objects);
      }
      if (state.isPresent()) {
        dropOthers(group, schema, checks);
      }
    }
    return new ShardView(shard, database().completed(connection, schema), digests(schema));
  }

  private List<RowCheck> geneChecks(Group group, ShardSchema schema) {
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

  private List<RowCheck> directoryChecks(Group group, ShardSchema schema) {
    List<RowCheck> checks = new ArrayList<>();
    for (Configuration.Table declared : group.tables().values()) {
      Optional<List<KeyType>> types = KeyChecks.types(declared, schema);
      boolean usable =
          types.isPresent()
              && KeyChecks.directoryProblem(group, types.get()).isEmpty()
              && schema
                  .table(declared.name())
                  .flatMap(table -> table.column(ShardSchema.BUCKET_COLUMN))
                  .filter(database()::isBucketType)
                  .isPresent();
      for (Directory.Entry entry : directory(group).entries()) {
        if (usable) {
          checks.add(
              new DirectoryCheck(database(), declared.name(), declared.key(), types.get(), entry));
        }
      }
    }
    return checks;
  }

  /** The file's, or what it has become on record. */
  private Directory directory(Group group) {
    Directory recorded = state.map(s -> s.directory(group.name())).orElse(Directory.EMPTY);
    return group.directory().isBeginningOf(recorded) ? recorded : group.directory();
  }

  /** CHECKs of entries that were taken out of the file before they were on record. */
  private void dropOthers(Group group, ShardSchema schema, List<RowCheck> wanted)
      throws SQLException {
    for (String name : group.tables().keySet()) {
      for (Check check : schema.table(name).map(Table::checks).orElse(List.of())) {
        if (check.name().startsWith(DirectoryCheck.PREFIX)
            && wanted.stream().noneMatch(other -> other.name().equals(check.name()))) {
          try (Statement statement = connection.createStatement()) {
            statement.execute(
                "ALTER TABLE "
                    + database().quote(name)
                    + " DROP CONSTRAINT "
                    + database().quote(check.name()));
          }
          findings.warning(
              Place.of(shard, name),
              "constraint " + check.name() + " was dropped: its entry is in no directory any more",
              "nothing is left to do");
        }
      }
    }
  }

  private void ensure(RowCheck check, Table table, Apply.Options options, ShardObjects.Log objects)
      throws SQLException {
    Place place = Place.of(shard, table.name());
    Optional<Check> found =
        table.checks().stream().filter(c -> c.name().equals(check.name())).findFirst();
    if (found.isPresent() && !check.isDefinedBy(found.get().definition())) {
      findings.problem(
          place,
          "constraint "
              + check.name()
              + " of table "
              + table.name()
              + " is not the one that the file asks for",
          "it was changed by hand, or the file's id: or directory: was; correct that, or drop the"
              + " constraint and run apply again, which creates it and checks all rows");
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

  private void report(RowCheck check, Place place, SQLException e) throws SQLException {
    String what = "table " + check.table();
    if (SqlFailure.isCheckViolation(e)) {
      findings.problem(place, what + " has rows " + check.broken(), check.remedy());
    } else if (SqlFailure.isLockTimeout(e)) {
      findings.problem(
          ErrorCode.DDL_INCOMPLETE,
          place,
          what
              + " is locked by a long transaction, so its CHECK "
              + check.name()
              + " could not be added",
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
