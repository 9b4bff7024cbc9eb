package io.shardwright.migration;

import io.shardwright.config.Configuration;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.migration.MoverConnection.Digest;
import io.shardwright.routing.ShardId;
import io.shardwright.schema.ShardInspector;
import io.shardwright.schema.ShardSchema;
import io.shardwright.schema.ShardSchema.Column;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Reference tables of two shards, of which one is to get its first buckets: joins there read the
 * rows there. Processes that do not know a new shard write them on the others only, so equal rows
 * count from when all processes know it. Logs in as the application does, whose tables they are.
 */
public final class ReferenceTables {
  private final Configuration configuration;

  public ReferenceTables(Configuration configuration) {
    this.configuration = configuration;
  }

  private interface Both<T> {
    T run(MoverConnection one, MoverConnection other, List<MovedTable> tables) throws SQLException;
  }

  /**
   * Writers of reference tables wait while they are compared.
   *
   * @return names of the tables that are not the same on both
   * @throws ShardwrightException SW401 or SW403 when a shard cannot be used, or a writer keeps a
   *     table for five seconds
   */
  public List<String> differing(ShardId one, ShardId other) {
    if (configuration.reference().isEmpty()) {
      return List.of();
    }
    return lockedOnBoth(
        one,
        other,
        (first, second, tables) -> {
          List<String> names = new ArrayList<>();
          for (MovedTable table : tables) {
            if (!digest(first, table).equals(digest(second, table))) {
              names.add(table.name());
            }
          }
          return names;
        });
  }

  /**
   * Gives a shard, which must own no bucket, the rows that another has. All or nothing; writers of
   * reference tables wait meanwhile.
   *
   * @return rows by table
   * @throws ShardwrightException as {@link #differing}
   */
  public Map<String, Long> copy(ShardId from, ShardId to) {
    return lockedOnBoth(
        from,
        to,
        (source, target, tables) -> {
          List<MovedTable> childrenFirst = new ArrayList<>(tables);
          Collections.reverse(childrenFirst);
          for (MovedTable table : childrenFirst) {
            int unused = target.update("DELETE FROM " + target.quote(table.name()));
          }
          Map<String, Long> rows = new TreeMap<>();
          for (MovedTable table : tables) {
            rows.put(table.name(), copy(source, target, table));
          }
          return rows;
        });
  }

  private static long copy(MoverConnection source, MoverConnection target, MovedTable table)
      throws SQLException {
    List<String> names = table.columns().stream().map(Column::name).toList();
    String select =
        "SELECT "
            + source.selectList("t", names, table.columns())
            + " FROM "
            + source.quote(table.name())
            + " t";
    return target.receive(source, select, target.quote(table.name()), names, table.columns());
  }

  private static Digest digest(MoverConnection shard, MovedTable table) throws SQLException {
    return shard.digest(table, table.columns(), "1 = 1");
  }

  private <T> T lockedOnBoth(ShardId one, ShardId other, Both<T> work) {
    try (MoverConnection first = MoverConnection.openAsApplication(configuration, one);
        MoverConnection second = MoverConnection.openAsApplication(configuration, other)) {
      List<MovedTable> tables = run(() -> tables(first), one);
      List<String> names = tables.stream().map(MovedTable::name).toList();
      return run(
          () ->
              first.holdingRows(
                  names, () -> second.holdingRows(names, () -> work.run(first, second, tables))),
          other);
    }
  }

  private static <T> T run(MoverConnection.Work<T> work, ShardId shard) {
    try {
      return work.run();
    } catch (SQLException e) {
      throw new ShardwrightException(
          ErrorCode.SHARD_UNAVAILABLE,
          "the reference tables of shard " + shard + " cannot be compared: " + e.getMessage(),
          e);
    }
  }

  private List<MovedTable> tables(MoverConnection shard) throws SQLException {
    ShardSchema schema =
        ShardInspector.inspect(shard.connection(), List.copyOf(configuration.reference()));
    return MovedTable.parentsFirst(
        configuration.reference().stream()
            .map(schema::table)
            .flatMap(Optional::stream)
            .map(MovedTable::of)
            .toList());
  }
}
