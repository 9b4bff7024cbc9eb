package io.shardwright.lookup;

import io.shardwright.config.DatabaseProduct;
import io.shardwright.lookup.ListIndex.ListColumn;
import io.shardwright.lookup.TextTable.Field;
import io.shardwright.routing.BucketId;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** The changes of one index that wait on a shard, and the dead ones. Stateless. */
final class Outbox {
  /** Changes in one statement. */
  private static final int CHUNK = 500;

  private static final int ERROR_CHARS = 1_000;

  private final ListIndex index;
  private final TextTable table;
  private final TextTable dead;
  private final String now;

  Outbox(ListIndex index) {
    this.index = index;
    this.table = table(index, index.name().outboxTable(), List.of(Field.integer("attempts")));
    this.dead = table(index, index.name().deadTable(), List.of());
    this.now = index.product() == DatabaseProduct.POSTGRESQL ? "now()" : "NOW(6)";
  }

  private static TextTable table(ListIndex index, String name, List<Field> more) {
    List<ListColumn> held = index.held();
    int indexed = index.columns().size();
    List<Field> values = new ArrayList<>(Field.numbered("p", index.primaryKey()));
    values.addAll(Field.numbered("old", index.shardBy()));
    values.add(Field.bool("live"));
    values.addAll(Field.numbered("v", index.columns()));
    values.addAll(Field.numbered("c", held.subList(indexed, held.size())));
    values.addAll(more);
    return new TextTable(
        index.product(), name, List.of(Field.integer("bucket_id"), Field.integer("n")), values);
  }

  /**
   * What is pending on a shard.
   *
   * @param oldest age of the oldest change; zero: there is none
   * @param dead changes that were given up
   */
  record Pending(long changes, Duration oldest, long dead) {}

  /** Locks changes that are due and that nobody else has locked. */
  List<ListChange> take(Connection connection, int limit) throws SQLException {
    return table
        .query(
            connection,
            " WHERE not_before <= "
                + now
                + " ORDER BY not_before, n LIMIT "
                + limit
                + " FOR UPDATE SKIP LOCKED",
            to -> {})
        .stream()
        .map(this::change)
        .toList();
  }

  private ListChange change(TextTable.Row row) {
    List<Object> values = row.values();
    int pk = index.primaryKey().size();
    int live = pk + index.shardBy().size();
    int end = live + 1 + index.held().size();
    return new ListChange(
        new RowId(new BucketId(Integer.parseInt((String) row.key().get(0))), values.subList(0, pk)),
        Long.parseLong((String) row.key().get(1)),
        Integer.parseInt((String) values.get(end)),
        values.subList(pk, live),
        TextTable.isTrue(values.get(live)),
        values.subList(live + 1, end));
  }

  void delete(Connection connection, List<ListChange> changes) throws SQLException {
    table.batch(
        connection, "DELETE FROM " + table.quoted() + " WHERE " + table.isKey(), keys(changes));
  }

  private static List<List<Object>> keys(Collection<ListChange> changes) {
    return changes.stream()
        .map(change -> List.<Object>of(change.row().bucket().value(), change.n()))
        .toList();
  }

  /** Leaves them for later. */
  void postpone(Connection connection, List<ListChange> changes, boolean refused, Duration delay)
      throws SQLException {
    String later =
        index.product() == DatabaseProduct.POSTGRESQL
            ? "clock_timestamp() + interval '" + delay.toMillis() + " milliseconds'"
            : "NOW(6) + INTERVAL " + delay.toMillis() * 1_000 + " MICROSECOND";
    table.batch(
        connection,
        "UPDATE "
            + table.quoted()
            + " SET not_before = "
            + later
            + (refused ? ", attempts = attempts + 1" : "")
            + " WHERE "
            + table.isKey(),
        keys(changes));
  }

  /** Gives a change up. */
  void bury(Connection connection, ListChange change, String error) throws SQLException {
    String columns = dead.names(dead.key()) + ", " + dead.names(dead.values()) + ", written_at";
    Field text = new Field("error", "varchar", "varchar", false);
    table.update(
        connection,
        "INSERT INTO "
            + dead.quoted()
            + " ("
            + columns
            + ", error) SELECT "
            + columns
            + ", "
            + table.parameter(text)
            + " FROM "
            + table.quoted()
            + " WHERE "
            + table.isKey(),
        to -> {
          to.add(error.substring(0, Math.min(error.length(), ERROR_CHARS)), text);
          table.addKeys(to, keys(List.of(change)));
        });
    delete(connection, List.of(change));
  }

  /**
   * Takes dead changes back, with their numbers; in the caller's transaction.
   *
   * @return how many, at most a few hundred; 0: there are none
   */
  int replay(Connection connection) throws SQLException {
    List<List<Object>> keys =
        dead
            .query(connection, " ORDER BY bucket_id, n LIMIT " + CHUNK + " FOR UPDATE", to -> {})
            .stream()
            .map(TextTable.Row::key)
            .toList();
    if (keys.isEmpty()) {
      return 0;
    }
    String columns = dead.names(dead.key()) + ", " + dead.names(dead.values()) + ", written_at";
    dead.update(
        connection,
        "INSERT INTO "
            + table.quoted()
            + " ("
            + columns
            + ")"
            + (index.product() == DatabaseProduct.POSTGRESQL ? " OVERRIDING SYSTEM VALUE" : "")
            + " SELECT "
            + columns
            + " FROM "
            + dead.quoted()
            + " WHERE "
            + dead.anyOf(keys.size()),
        to -> dead.addKeys(to, keys));
    return dead.update(
        connection,
        "DELETE FROM " + dead.quoted() + " WHERE " + dead.anyOf(keys.size()),
        to -> dead.addKeys(to, keys));
  }

  /** Whether changes of a row wait, locked ones too. */
  boolean hasChanges(Connection connection, RowId row) throws SQLException {
    List<Field> key = table.values().subList(0, index.primaryKey().size());
    StringBuilder where = new StringBuilder(" WHERE bucket_id = " + row.bucket().value());
    key.forEach(
        field ->
            where
                .append(" AND ")
                .append(field.name())
                .append(" = ")
                .append(table.parameter(field)));
    return !table
        .query(
            connection,
            where + " LIMIT 1",
            to -> {
              for (int i = 0; i < key.size(); i++) {
                to.add(row.primaryKey().get(i), key.get(i));
              }
            })
        .isEmpty();
  }

  Pending pending(Connection connection) throws SQLException {
    String micros =
        index.product() == DatabaseProduct.POSTGRESQL
            ? "CAST(extract(epoch FROM clock_timestamp() - min(written_at)) * 1000000 AS bigint)"
            : "TIMESTAMPDIFF(MICROSECOND, min(written_at), NOW(6))";
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT count(*), "
                    + micros
                    + ", (SELECT count(*) FROM "
                    + dead.quoted()
                    + ") FROM "
                    + table.quoted())) {
      row.next();
      return new Pending(
          row.getLong(1), Duration.ofNanos(Math.max(0, row.getLong(2)) * 1_000), row.getLong(3));
    }
  }
}
