package io.shardwright.schema;

import io.shardwright.catalog.SqlFailure;
import io.shardwright.errors.ErrorCode;
import io.shardwright.routing.ShardId;
import io.shardwright.schema.Findings.Place;
import io.shardwright.schema.ShardSchema.Check;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/** Adds CHECKs to the tables of one shard, and tells which cannot be. */
record RowChecks(ShardId shard, Connection connection, Findings findings) {

  /**
   * @param schema of the shard, with the check's table
   * @param objects where it is listed, as created or as existing
   */
  void ensure(RowCheck check, ShardSchema schema, Apply.Options options, ShardObjects.Log objects)
      throws SQLException {
    Place place = Place.of(shard, check.table());
    Optional<Check> found =
        schema.tables().get(check.table()).checks().stream()
            .filter(other -> other.name().equals(check.name()))
            .findFirst();
    if (found.isPresent() && !check.isDefinedBy(found.get().definition())) {
      RowCheck.Mismatch mismatch = check.mismatch(found.get().definition());
      findings.problem(
          place,
          "constraint " + check.name() + " of table " + check.table() + " " + mismatch.what(),
          mismatch.action());
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
}
