package io.shardwright.migration;

import io.shardwright.catalog.SqlFailure;
import io.shardwright.routing.BucketSet;
import io.shardwright.schema.ShardSchema.Column;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Brings rows at the target to what the source shows at one moment, by the notes that the source's
 * triggers made of changed rows.
 *
 * <p>Idea: a note commits with its change, so a snapshot shows a change exactly when it shows the
 * note. The rows of all notes in a snapshot are read in that snapshot; those that are found replace
 * the target's, the others are deleted there. Afterwards source and target differ in no row that is
 * copied. A note is deleted when the target has committed; one that is applied twice does no harm.
 *
 * <p>The target is brought there in several transactions, and rows may take each other's unique
 * values meanwhile: then the rows that are in the way are read again, too.
 */
final class CatchUp {
  /** Notes of a table that one transaction of the target applies. */
  private static final int NOTES_MAX = 10_000;

  /** Numbers in one list of a DELETE. */
  private static final int LIST_MAX = 1_000;

  private final Route route;

  CatchUp(Route route) {
    this.route = route;
  }

  /** The notes of one table that are applied together: those after one number, up to another. */
  private record Window(long after, List<Long> notes) {
    long last() {
      return notes.isEmpty() ? after : notes.get(notes.size() - 1);
    }
  }

  /**
   * All notes of one snapshot.
   *
   * @return how many
   */
  long pass(BucketSet buckets, Frontier frontier) throws SQLException {
    return route.source().inSnapshot(() -> apply(buckets, frontier));
  }

  /**
   * The same of buckets that nobody can write, which wait for it: nothing is written at the source.
   * Who cleans up deletes the notes; no pass reads them again, unless the cutover is given up.
   */
  long lastPass(BucketSet buckets) throws SQLException {
    return route.source().inSnapshot(() -> apply(buckets, Frontier.END, false));
  }

  /** The same as {@link #pass} in the snapshot that the source's connection is in. */
  long apply(BucketSet buckets, Frontier frontier) throws SQLException {
    return apply(buckets, frontier, true);
  }

  private long apply(BucketSet buckets, Frontier frontier, boolean forgetting) throws SQLException {
    Map<MovedTable, Long> after = new HashMap<>();
    long applied = 0;
    while (true) {
      Map<MovedTable, Window> windows = windows(buckets, after);
      long notes = windows.values().stream().mapToLong(window -> window.notes.size()).sum();
      if (notes == 0) {
        return applied;
      }
      applyAll(windows, buckets, frontier);
      for (Map.Entry<MovedTable, Window> window : windows.entrySet()) {
        if (forgetting) {
          forget(window.getKey(), window.getValue().notes);
        }
        after.put(window.getKey(), window.getValue().last());
      }
      applied += notes;
      if (windows.values().stream().allMatch(window -> window.notes.size() < NOTES_MAX)) {
        return applied;
      }
    }
  }

  /** Of all tables by one query: it is asked while a closed bucket waits. */
  private Map<MovedTable, Window> windows(BucketSet buckets, Map<MovedTable, Long> after)
      throws SQLException {
    MoverConnection source = route.source();
    String select =
        IntStream.range(0, route.tables().size())
            .mapToObj(
                i ->
                    "(SELECT %d, n FROM %s WHERE n > %d AND %s ORDER BY n LIMIT %d)"
                        .formatted(
                            i,
                            source.quote(route.tables().get(i).captureTable()),
                            after.getOrDefault(route.tables().get(i), 0L),
                            MoverConnection.ofBuckets(buckets),
                            NOTES_MAX))
            .collect(Collectors.joining(" UNION ALL "));
    List<List<Long>> notes = new ArrayList<>();
    route.tables().forEach(table -> notes.add(new ArrayList<>()));
    try (Statement statement = source.connection().createStatement();
        ResultSet row = statement.executeQuery(select)) {
      while (row.next()) {
        notes.get(row.getInt(1)).add(row.getLong(2));
      }
    }
    Map<MovedTable, Window> windows = new HashMap<>();
    for (int i = 0; i < notes.size(); i++) {
      MovedTable table = route.tables().get(i);
      notes.get(i).sort(null);
      windows.put(table, new Window(after.getOrDefault(table, 0L), notes.get(i)));
    }
    return windows;
  }

  private void forget(MovedTable table, List<Long> notes) throws SQLException {
    for (int from = 0; from < notes.size(); from += LIST_MAX) {
      List<Long> some = notes.subList(from, Math.min(notes.size(), from + LIST_MAX));
      route
          .source()
          .execute(
              "DELETE FROM "
                  + route.source().quote(table.captureTable())
                  + " WHERE n IN ("
                  + some.stream().map(Object::toString).collect(Collectors.joining(", "))
                  + ")");
    }
  }

  private void applyAll(Map<MovedTable, Window> windows, BucketSet buckets, Frontier frontier)
      throws SQLException {
    Map<MovedTable, String> keys = new HashMap<>();
    Map<MovedTable, String> noted = new HashMap<>();
    windows.forEach(
        (table, window) -> {
          keys.put(table, keys(table, window, buckets));
          if (!window.notes.isEmpty()) {
            noted.put(table, keys.get(table));
          }
        });
    try {
      route.target().inTransaction(() -> write(noted, buckets, frontier));
    } catch (SQLException e) {
      if (!SqlFailure.isDuplicateKey(e)) {
        throw e;
      }
      Map<MovedTable, Set<String>> further = new HashMap<>();
      route.target().inTransaction(() -> replace(keys, further, buckets, frontier));
    }
  }

  /** A query of the source for the keys of a window. */
  private String keys(MovedTable table, Window window, BucketSet buckets) {
    MoverConnection source = route.source();
    return "SELECT "
        + table.noted().stream().map(source::quote).collect(Collectors.joining(", "))
        + " FROM "
        + source.quote(table.captureTable())
        + " WHERE n > "
        + window.after
        + " AND n <= "
        + window.last()
        + " AND "
        + MoverConnection.ofBuckets(buckets);
  }

  private Void write(Map<MovedTable, String> keys, BucketSet buckets, Frontier frontier)
      throws SQLException {
    MoverConnection target = route.target();
    target.requireToken(route.group(), buckets, route.token());
    for (int i = route.tables().size() - 1; i >= 0; i--) {
      MovedTable table = route.tables().get(i);
      if (keys.containsKey(table)) {
        deleteMissing(table, keys.get(table));
      }
    }
    for (int i = 0; i < route.tables().size(); i++) {
      MovedTable table = route.tables().get(i);
      if (keys.containsKey(table)) {
        String noted = keys.get(table);
        target.upsert(table, route.source(), found(i, noted, frontier), distinct(table, noted));
      }
    }
    return null;
  }

  /** Deletes the rows of which the source shows none. */
  private void deleteMissing(MovedTable table, String keys) throws SQLException {
    MoverConnection source = route.source();
    String select =
        distinct(table, keys)
            + " WHERE NOT EXISTS (SELECT 1 FROM "
            + source.quote(table.name())
            + " t WHERE "
            + source.equal("t", names(table.key()), "k", table.noted())
            + ")";
    route.target().deleteStaged(table, route.target().stageKeys(table, source, select));
  }

  private String distinct(MovedTable table, String keys) {
    return "SELECT DISTINCT "
        + route.source().selectList("k", table.noted(), table.key())
        + " FROM ("
        + keys
        + ") k";
  }

  /** A query of the source for the rows that it shows, as far as they are copied. */
  private String found(int position, String keys, Frontier frontier) {
    MoverConnection source = route.source();
    MovedTable table = route.tables().get(position);
    return "SELECT "
        + source.selectList("t", names(table.columns()), table.columns())
        + " FROM (SELECT DISTINCT * FROM ("
        + keys
        + ") d) k JOIN "
        + source.quote(table.name())
        + " t ON "
        + source.equal("t", names(table.key()), "k", table.noted())
        + " WHERE "
        + frontier.copied(position, table, "t", source);
  }

  private static List<String> names(List<Column> columns) {
    return columns.stream().map(Column::name).toList();
  }

  // Rows that are in each other's way

  /**
   * Rows that hold a unique value which another row has at the source by now, and what refers to
   * them, are read again: until no further row is in the way. Then all are deleted and inserted.
   */
  private Void replace(
      Map<MovedTable, String> keys,
      Map<MovedTable, Set<String>> further,
      BucketSet buckets,
      Frontier frontier)
      throws SQLException {
    MoverConnection target = route.target();
    target.requireToken(route.group(), buckets, route.token());
    Map<MovedTable, String> all = keys;
    Map<MovedTable, String> staged = new HashMap<>();
    boolean grew = true;
    while (grew) {
      all = with(keys, further);
      grew = false;
      for (int i = 0; i < route.tables().size(); i++) {
        MovedTable table = route.tables().get(i);
        String rows = target.stageRows(table, route.source(), found(i, all.get(table), frontier));
        staged.put(table, rows);
        grew |= addInTheWay(table, rows, further);
        grew |= addReferring(table, rows, further);
      }
    }
    for (int i = route.tables().size() - 1; i >= 0; i--) {
      MovedTable table = route.tables().get(i);
      deleteMissing(table, all.get(table));
    }
    for (MovedTable table : route.tables()) {
      target.replace(table, staged.get(table));
    }
    return null;
  }

  private Map<MovedTable, String> with(
      Map<MovedTable, String> keys, Map<MovedTable, Set<String>> further) {
    Map<MovedTable, String> all = new HashMap<>();
    keys.forEach(
        (table, select) ->
            all.put(
                table,
                select
                    + further.getOrDefault(table, Set.of()).stream()
                        .map(row -> " UNION ALL SELECT " + row)
                        .collect(Collectors.joining())));
    return all;
  }

  private boolean addInTheWay(MovedTable table, String rows, Map<MovedTable, Set<String>> further)
      throws SQLException {
    MoverConnection target = route.target();
    boolean grew = false;
    List<String> key = names(table.key());
    for (List<String> unique : table.otherUniques()) {
      grew |=
          add(
              table,
              target.quote(table.name())
                  + " t JOIN "
                  + rows
                  + " s ON "
                  + target.equal("t", unique, "s", unique)
                  + " WHERE NOT ("
                  + target.equal("t", key, "s", key)
                  + ")",
              further);
    }
    return grew;
  }

  /** Deleting a row may delete those that refer to it. */
  private boolean addReferring(MovedTable table, String rows, Map<MovedTable, Set<String>> further)
      throws SQLException {
    MoverConnection target = route.target();
    boolean grew = false;
    for (MovedTable child : table.children(route.tables())) {
      for (var foreignKey : child.table().foreignKeys()) {
        if (foreignKey.target().equals(table.name())) {
          grew |=
              add(
                  child,
                  target.quote(child.name())
                      + " t JOIN "
                      + rows
                      + " s ON "
                      + target.equal("t", foreignKey.columns(), "s", foreignKey.targetColumns()),
                  further);
        }
      }
    }
    return grew;
  }

  /** The keys, as literals, of the rows {@code t} that a FROM clause finds at the target. */
  private boolean add(MovedTable table, String from, Map<MovedTable, Set<String>> further)
      throws SQLException {
    MoverConnection target = route.target();
    List<String> literals = new ArrayList<>();
    for (int i = 0; i < table.key().size(); i++) {
      literals.add(target.literal("t", table.key().get(i)));
    }
    boolean grew = false;
    try (Statement statement = target.connection().createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT DISTINCT " + String.join(", ", literals) + " FROM " + from)) {
      while (row.next()) {
        List<String> values = new ArrayList<>();
        for (int column : IntStream.rangeClosed(1, literals.size()).toArray()) {
          values.add(row.getString(column));
        }
        grew |=
            further
                .computeIfAbsent(table, t -> new LinkedHashSet<>())
                .add(String.join(", ", values));
      }
    }
    return grew;
  }
}
