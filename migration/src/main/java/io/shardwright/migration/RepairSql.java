package io.shardwright.migration;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.migration.Comparison.Kind;
import io.shardwright.schema.ShardSchema.Column;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Statements that make the rows of the target what the source's are. They hold row values, read at
 * the source in the snapshot in which the rows were compared: so they are right as long as nobody
 * applies later changes before them, which a move that rests guarantees.
 */
final class RepairSql {
  /** Differing rows for which statements are made; the file is made again for the next ones. */
  static final int ROWS_MAX = 10_000;

  /** Characters of all statements together. */
  private static final long CHARS_MAX = 64_000_000;

  private final Route route;
  private final List<String> deletes = new ArrayList<>();
  private final List<String> writes = new ArrayList<>();
  private long chars;
  private long left;

  RepairSql(Route route) {
    this.route = route;
  }

  /**
   * @param key literals
   * @param columns that differ
   */
  void add(MovedTable table, Kind kind, List<String> key, List<Column> columns)
      throws SQLException {
    if (chars > CHARS_MAX) {
      left++;
      return;
    }
    String statement =
        switch (kind) {
          case EXTRA -> "DELETE FROM " + name(table) + where(table, key);
          case MISSING -> insert(table, key);
          case DIFFERENT -> update(table, key, columns);
        };
    chars += statement.length();
    (kind == Kind.EXTRA ? deletes : writes).add(statement + ";");
  }

  /** In the order in which they are to be run: tables were compared parents first. */
  List<String> statements() {
    List<String> all = new ArrayList<>();
    all.add(
        "-- Makes rows on shard "
            + route.target().shard()
            + " what they are on shard "
            + route.source().shard()
            + ". It holds row values.");
    all.add("-- Run it there as the mover while the move rests, then verify again.");
    if (left > 0) {
      all.add("-- " + left + " more rows differ: verify once more after it.");
    }
    all.addAll(route.target().repairSettings());
    for (int i = deletes.size() - 1; i >= 0; i--) {
      all.add(deletes.get(i));
    }
    all.addAll(writes);
    all.add("COMMIT;");
    return all;
  }

  /**
   * Makes the file that statements will be written to, so that what hinders it is known before rows
   * are compared. Only its owner may read it.
   *
   * @throws ShardwrightException SW603 when there is such a file, or it cannot be made
   */
  static void create(Path file) {
    try {
      Files.createFile(
          file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    } catch (FileAlreadyExistsException e) {
      throw new ShardwrightException(
          ErrorCode.COMMAND_INVALID,
          "--repair-sql: " + file + " is there already; name a file that is not",
          e);
    } catch (IOException | UnsupportedOperationException e) {
      throw unusable(file, e);
    }
  }

  /** Into a file that {@link #create} has made; it is deleted when there is nothing to repair. */
  void writeTo(Path file) {
    try {
      if (deletes.isEmpty() && writes.isEmpty()) {
        Files.delete(file);
      } else {
        Files.write(file, statements());
      }
    } catch (IOException e) {
      throw unusable(file, e);
    }
  }

  /** Where nothing came of it. */
  static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw unusable(file, e);
    }
  }

  private static ShardwrightException unusable(Path file, Exception e) {
    return new ShardwrightException(
        ErrorCode.COMMAND_INVALID, "--repair-sql: " + file + " cannot be written: " + e, e);
  }

  private String name(MovedTable table) {
    return route.target().quote(table.name());
  }

  private String where(MovedTable table, List<String> key) {
    return " WHERE " + RowComparison.ofKey(route.target(), table, key);
  }

  private String insert(MovedTable table, List<String> key) throws SQLException {
    return "INSERT INTO "
        + name(table)
        + " ("
        + route.target().names(table.columns())
        + ") "
        + route.target().overriding()
        + "VALUES ("
        + String.join(", ", values(table, table.columns(), key))
        + ")";
  }

  private String update(MovedTable table, List<String> key, List<Column> columns)
      throws SQLException {
    List<String> values = values(table, columns, key);
    List<String> set = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      set.add(route.target().quote(columns.get(i).name()) + " = " + values.get(i));
    }
    return "UPDATE " + name(table) + " SET " + String.join(", ", set) + where(table, key);
  }

  private List<String> values(MovedTable table, List<Column> columns, List<String> key)
      throws SQLException {
    MoverConnection source = route.source();
    List<String> values = new ArrayList<>();
    try (Statement statement = source.connection().createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT "
                    + columns.stream().map(source::exact).collect(Collectors.joining(", "))
                    + " FROM "
                    + source.quote(table.name())
                    + " WHERE "
                    + RowComparison.ofKey(source, table, key))) {
      row.next();
      for (int i = 1; i <= columns.size(); i++) {
        String value = row.getString(i);
        values.add(value == null ? "NULL" : value);
      }
    }
    return values;
  }
}
