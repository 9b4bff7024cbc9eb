package io.shardwright.schema;

import io.shardwright.config.Configuration;
import io.shardwright.routing.ShardId;
import io.shardwright.schema.FenceObjects.Condition;
import io.shardwright.schema.Findings.Place;
import io.shardwright.schema.ShardSchema.Column;
import io.shardwright.schema.ShardSchema.Table;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What is wrong with the fence of one shard, and which tables cannot be moved. */
record FenceChecks(
    Configuration configuration, ShardId shard, Connection connection, Findings findings) {
  private static final String UNMOVABLE = ", so its buckets cannot be moved";

  /** After {@link FenceVisit} has made it. */
  void check(FenceObjects fence, List<FencedTable> tables) throws SQLException {
    ShardSchema captures =
        ShardInspector.inspect(connection, tables.stream().map(FencedTable::captureTable).toList());
    for (FencedTable table : tables) {
      for (String trigger : fence.later(connection, table)) {
        findings.problem(
            place(table),
            "trigger "
                + trigger
                + " of table "
                + table.name()
                + " fires after the fence's, which"
                + " would not see what it changes",
            "give it a name that sorts before " + PostgresFence.TRIGGER);
      }
      captures.table(table.captureTable()).ifPresent(capture -> checkCapture(table, capture));
      if (configuration.mover().isPresent()) {
        checkMovable(fence, table);
      }
    }
  }

  /** Of a shard that nothing is made on. */
  void verify(FenceObjects fence, List<FencedTable> tables) throws SQLException {
    if (!fence.hasShared(connection)) {
      findings.problem(
          Place.of(shard),
          "function " + Fence.ENTER + " is missing or was changed",
          "run shardwright apply -c FILE");
    }
    for (FencedTable table : tables) {
      Condition condition = fence.inspect(connection, table);
      if (condition != Condition.GOOD) {
        findings.problem(
            place(table),
            "the fence of table "
                + table.name()
                + " is not as apply makes it ("
                + condition.name().toLowerCase(Locale.ROOT)
                + ")",
            "run shardwright apply -c FILE");
      }
    }
    check(fence, tables);
  }

  private void checkCapture(FencedTable table, Table capture) {
    List<Column> columns = new ArrayList<>(capture.columns());
    columns.removeIf(column -> !column.name().matches("p\\d+"));
    if (!IndexObjects.shapes("p", columns).equals(IndexObjects.shapes("p", table.primaryKey()))) {
      findings.problem(
          place(table),
          "table "
              + table.captureTable()
              + " does not have the columns of the primary key of table "
              + table.name(),
          "while none of its buckets is moving, drop it and run apply again");
    }
  }

  private void checkMovable(FenceObjects fence, FencedTable table) throws SQLException {
    String name = "table " + table.name();
    for (String trigger : fence.firingOnCopies(connection, table)) {
      findings.warning(
          place(table),
          "trigger "
              + trigger
              + " of "
              + name
              + " fires on rows that the mover copies, too"
              + UNMOVABLE,
          "let it leave the mover alone: " + database().isNot(configuration.mover().orElseThrow()));
    }
    if (table.primaryKey().isEmpty()) {
      findings.warning(
          place(table),
          name + " has no primary key but bucket_id" + UNMOVABLE,
          "give it a primary key of bucket_id and what tells its rows apart");
    }
    Optional<Column> computed = table.computedKey();
    if (computed.isPresent()) {
      findings.warning(
          place(table),
          name
              + " has a computed column "
              + computed.get().name()
              + " in its primary key"
              + UNMOVABLE,
          "make it a column that is written");
    }
    Optional<String> cascade = database().deletedBelowTriggers(table.table());
    if (cascade.isPresent()) {
      findings.warning(
          place(table),
          "foreign key "
              + cascade.get()
              + " of "
              + name
              + " deletes rows that no trigger sees"
              + UNMOVABLE,
          "drop ON DELETE CASCADE and delete them by a statement");
    }
  }

  private Place place(FencedTable table) {
    return Place.of(shard, table.name());
  }

  private ShardDatabase database() {
    return ShardDatabase.of(configuration.product());
  }
}
